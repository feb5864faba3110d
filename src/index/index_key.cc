// SPDX-License-Identifier: Apache-2.0
#include "heapprof/index/index_key.h"

#include <span>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "heapprof/elf/content_sample.h"
#include "index/content_hash.h"
#include "index/index_format.h"

namespace heapprof {
namespace {

std::string HexHash(std::span<const uint8_t> bytes) {
  const ContentHash hash = HashContent(bytes);
  return fmt::format("{:016x}{:016x}", hash[0], hash[1]);
}

std::string HexHashOfSample(const ElfImage& image) {
  std::vector<ContentHash> hashes;
  for (const std::span<const uint8_t> piece : SampleContent(image))
    hashes.push_back(HashContent(piece));
  return HexHash({reinterpret_cast<const uint8_t*>(hashes.data()),
                  hashes.size() * sizeof(ContentHash)});
}

std::string KeyLine(std::string_view role, const ElfImage& image) {
  const uint64_t size = image.bytes().size();
  if (image.build_id().empty())
    return fmt::format("{} content {} size {}\n", role, HexHash(image.bytes()),
                       size);
  return fmt::format("{} build-id {} size {} sample {}\n", role,
                     image.build_id(), size, HexHashOfSample(image));
}

}  // namespace

IndexKey IndexKeyOf(const ElfImage& binary, const ElfImage& debug,
                    const ElfImage* alternate) {
  IndexKey key;
  key.label = binary.path();
  key.text = KeyLine("binary", binary);
  if (&debug != &binary) key.text += KeyLine("debug", debug);
  if (alternate != nullptr)
    key.text += KeyLine("alternate", *alternate);
  else if (debug.alternate_link())
    key.text += "alternate missing\n";
  // An index contains demangled names, so each version of the demangler needs
  // an index of its own.
  const std::string hashed =
      fmt::format("{}\n{}\n{}", kIndexVersion, HEAPPROF_DEMANGLER, key.text);
  const std::string hash =
      HexHash({reinterpret_cast<const uint8_t*>(hashed.data()), hashed.size()});
  // The build id in the name is only for people.
  constexpr size_t kShownId = 40;
  key.file_name =
      fmt::format("{}-{}{}",
                  binary.build_id().empty()
                      ? "content"
                      : std::string_view(binary.build_id()).substr(0, kShownId),
                  hash, kIndexExtension);
  return key;
}

}  // namespace heapprof
