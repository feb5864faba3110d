// SPDX-License-Identifier: Apache-2.0
//
// An index that travels: `heapprof index` makes it where a binary is built, and
// other machines name frames with it, without the debug file and even without
// the binary. It differs from an index of the cache in what it says about its
// binary: instead of the files from which it was made, it describes the code.
//
// What proves that an index is of the build that ran:
//   - If the binary is on this machine, stripped or not: both have the same
//     build id, and all their code is equal.
//   - If only the profile states the build id: it is that of the index.
//   - If nothing states a build id, only the file name is known. Then the
//     symbolizer decides; see WhyNotAssumed() in src/symbolize.
//
// It contains no demangled names: those would depend on the demangler of the
// machine that made it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/dwarf/code_map.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/return_address_set.h"
#include "heapprof/index/index_file.h"

namespace heapprof {

// The name of the file with the index of a binary.
std::string PortableIndexName(std::string_view build_id);

// Describes `binary`. Fails if it has no build id or no code: nothing could
// then prove that another file is the same build.
Result<IndexedBinary> DescribeBinary(const ElfImage& binary,
                                     bool has_debug_info, unsigned jobs);

// Returns the bytes of the index. `name` is the file name that the binary has
// where it runs. The same binary, name and map give the same bytes.
Result<std::string> MakePortableIndex(std::string_view name,
                                      const ElfImage& binary,
                                      const IndexedBinary& description,
                                      const CodeMap& map, unsigned jobs);

// A portable index in a file. Its bytes are not trusted.
class PortableIndex {
 public:
  // Opens the file and reads only the description of the binary. Fails if it is
  // no portable index, or has another version of the format; the message begins
  // with the path.
  static Result<std::unique_ptr<PortableIndex>> Open(const std::string& path);
  PortableIndex(const PortableIndex&) = delete;
  PortableIndex& operator=(const PortableIndex&) = delete;
  ~PortableIndex();

  const std::string& path() const { return path_; }
  std::string_view name() const { return file_.label(); }
  const IndexedBinary& binary() const { return binary_; }
  const std::string& build_id() const { return binary_.layout.build_id; }
  // Valid as long as this object.
  ReturnAddressSet return_addresses() const { return file_.return_addresses(); }

  // The functions of which the index does not name all code. See IndexedCode.
  std::vector<std::pair<uint64_t, uint64_t>> UnnamedFunctions() const {
    return file_.UnnamedFunctions();
  }

  // True if `binary` has the same build id and the same code.
  bool IsOf(const ElfImage& binary, unsigned jobs) const;
  // Reads the whole file. Fails if it is damaged. Resolve() needs this.
  Result<void> CheckContent(unsigned jobs) const;
  // See IndexFile::Resolve().
  std::optional<ResolvedAddresses> Resolve(std::span<const uint64_t> addresses,
                                           unsigned jobs) const {
    return file_.Resolve(addresses, jobs);
  }

 private:
  struct Bytes;
  PortableIndex(std::string path, std::unique_ptr<Bytes> bytes, IndexFile file,
                IndexedBinary binary);

  std::string path_;
  std::unique_ptr<Bytes> bytes_;
  IndexFile file_;
  IndexedBinary binary_;
};

}  // namespace heapprof
