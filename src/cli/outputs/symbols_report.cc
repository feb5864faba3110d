// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/outputs/report_request.h"
#include "heapprof/base/printable.h"
#include "heapprof/demangle/names.h"

namespace heapprof {

// Writes a line for each address with the name of the outermost function there.
// Functions that are inlined into it are not shown.
Result<void> MakeSymbolsReport(const ReportRequest& request, ByteSink& out) {
  const Profile& profile = request.profile;
  const auto& style = request.options.names;
  for (const LocationId id : request.inputs.addresses) {
    const auto lines = profile.LocationLines(profile.locations[id.index()]);
    std::string name = "??";
    if (!lines.empty()) {
      const Function& function =
          profile.functions[lines.back().function.index()];
      name = profile.String(function.name);
      if (!function.unresolved)
        name = style ? StyledName(name, *style) : ShortName(name);
    }
    out.Format("{}\n", Printable(name));
  }
  return {};
}

}  // namespace heapprof
