// SPDX-License-Identifier: Apache-2.0
#include "heapprof/index/portable_index.h"

#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include <fmt/core.h>

#include "heapprof/elf/call_check.h"
#include "heapprof/elf/unwind_table.h"
#include "heapprof/io/mapped_bytes.h"
#include "heapprof/io/regular_file.h"
#include "index/index_format.h"
#include "index/indexed_binary.h"

namespace heapprof {
namespace {

Result<MappedBytes> MapFile(const std::string& path) {
  struct stat status = {};
  const Result<int> fd = OpenRegularFile(path, status);
  if (!fd) return std::unexpected(fd.error());
  auto bytes =
      MappedBytes::Map(*fd, static_cast<uint64_t>(status.st_size), path);
  close(*fd);
  return bytes;
}

// Returns the functions of which `map` does not name all code.
std::vector<std::pair<uint64_t, uint64_t>> FindUnnamedFunctions(
    const ElfImage& binary, const CodeMap& map) {
  std::vector<std::pair<uint64_t, uint64_t>> functions =
      UnwindTable(binary).Functions();
  auto next = map.ranges.begin();
  std::erase_if(functions, [&](const auto& function) {
    uint64_t named = function.first;
    while (next != map.ranges.end() && next->end <= named) ++next;
    for (auto range = next; range != map.ranges.end() &&
                            range->start <= named && named < function.second;
         ++range)
      named = range->end;
    return named >= function.second;
  });
  return functions;
}

}  // namespace

struct PortableIndex::Bytes {
  MappedBytes mapped;
};

std::string PortableIndexName(std::string_view build_id) {
  return fmt::format("{}{}", build_id, kIndexExtension);
}

Result<IndexedBinary> DescribeBinary(const ElfImage& binary,
                                     bool has_debug_info, unsigned jobs) {
  if (binary.build_id().empty())
    return Fail(ErrorKind::kNoData,
                "it has no build id, so nothing would tell its index from that "
                "of another build; link it with -Wl,--build-id");
  const auto hash = HashCode(binary, jobs);
  if (!hash)
    return Fail(ErrorKind::kNoData,
                "it has no code; give the binary, not only its debug file");
  return IndexedBinary{.layout = binary.layout(),
                       .code_hash = *hash,
                       .has_debug_info = has_debug_info};
}

Result<std::string> MakePortableIndex(std::string_view name,
                                      const ElfImage& binary,
                                      const IndexedBinary& description,
                                      const CodeMap& map, unsigned jobs) {
  return EncodePortableIndex(
      name, description,
      {.return_addresses =
           ReturnAddressSet::Encode(FindReturnAddresses(binary, jobs)),
       .unnamed_functions = FindUnnamedFunctions(binary, map)},
      map, jobs);
}

PortableIndex::PortableIndex(std::string path, std::unique_ptr<Bytes> bytes,
                             IndexFile file, IndexedBinary binary)
    : path_(std::move(path)),
      bytes_(std::move(bytes)),
      file_(file),
      binary_(std::move(binary)) {}

PortableIndex::~PortableIndex() = default;

Result<std::unique_ptr<PortableIndex>> PortableIndex::Open(
    const std::string& path) {
  const auto failure = [&path](ErrorKind kind, std::string_view what) {
    return Fail(kind, fmt::format("{}: {}", path, what));
  };
  auto mapped = MapFile(path);
  if (!mapped) return std::unexpected(mapped.error());
  auto bytes = std::make_unique<Bytes>(std::move(*mapped));
  const auto file = IndexFile::OpenUnchecked(bytes->mapped.bytes());
  if (!file) return failure(file.error().kind, file.error().message);
  if (!file->is_portable())
    return failure(ErrorKind::kOtherFormat,
                   "an index of the cache, which does not travel; make one "
                   "with 'heapprof index'");
  auto binary = file->binary();
  if (!binary) return failure(binary.error().kind, binary.error().message);
  return std::unique_ptr<PortableIndex>(
      new PortableIndex(path, std::move(bytes), *file, std::move(*binary)));
}

bool PortableIndex::IsOf(const ElfImage& binary, unsigned jobs) const {
  const ElfLayout& layout = binary_.layout;
  return binary.build_id() == layout.build_id &&
         binary.machine() == layout.machine && binary.type() == layout.type &&
         HashCode(binary, jobs) == binary_.code_hash;
}

Result<void> PortableIndex::CheckContent(unsigned jobs) const {
  if (auto whole = file_.CheckContent(jobs); !whole)
    return Fail(whole.error().kind,
                fmt::format("{}: {}", path_, whole.error().message));
  return {};
}

}  // namespace heapprof
