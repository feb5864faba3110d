// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/source_candidates.h"

#include <string_view>
#include <utility>

#include "symbolize/paths.h"

namespace heapprof {

std::vector<std::string> SourceCandidates(const std::string& path,
                                          const SourceSearch& search) {
  std::vector<std::string> candidates;
  const std::string rooted = path.starts_with('/') ? path : "/" + path;
  for (size_t at = 0; at != rooted.npos; at = rooted.find('/', at + 1))
    for (const std::string& folder : search.folders)
      candidates.push_back(Below(folder, std::string_view(rooted).substr(at)));
  for (const PathMapping& mapping : search.path_map)
    if (auto mapped = mapping.Apply(path))
      candidates.push_back(std::move(*mapped));
  for (const std::string& sysroot : search.sysroots)
    candidates.push_back(ResolveBelow(sysroot, rooted));
  candidates.push_back(path);
  return candidates;
}

}  // namespace heapprof
