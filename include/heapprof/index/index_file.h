// SPDX-License-Identifier: Apache-2.0
//
// The index of a binary: the functions and source positions of all its
// addresses, as bytes that can be mapped and searched without being parsed
// first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/dwarf/code_map.h"
#include "heapprof/elf/elf_layout.h"
#include "heapprof/elf/return_address_set.h"
#include "heapprof/index/index_key.h"

namespace heapprof {

struct IndexMemo;

// The binary of a portable index, which is used where that binary or its debug
// file is missing (see portable_index.h).
struct IndexedBinary {
  ElfLayout layout;
  std::array<uint64_t, 2> code_hash = {};  // see HashCode()
  // False if the names come only from symbols: there are no lines and no
  // inlined functions.
  bool has_debug_info = false;

  bool operator==(const IndexedBinary&) const = default;
};

// Returns the bytes of an index file that contains `map`. `key` names the files
// from which `map` was made. A null `map` says that no map can be made from
// these files; the index records that, so that later runs do not try again.
// Fails if the map is too large for the format.
Result<std::string> EncodeIndex(const IndexKey& key, const CodeMap* map,
                                unsigned jobs = 1);

// What a portable index says about the code of its binary besides the map.
struct IndexedCode {
  std::string return_addresses;  // see ReturnAddressSet::Encode()
  // Start and exclusive end of the functions of which the map does not name all
  // code; sorted.
  std::vector<std::pair<uint64_t, uint64_t>> unnamed_functions = {};
};

// Returns the bytes of a portable index. Its label is `name`, the file name of
// the binary.
Result<std::string> EncodePortableIndex(std::string_view name,
                                        const IndexedBinary& binary,
                                        IndexedCode code, const CodeMap& map,
                                        unsigned jobs = 1);

// Reads an index. The bytes are not trusted: no read goes outside of them and
// no lookup takes long, whatever they contain.
class IndexFile {
 public:
  // `bytes` must outlive the result. Fails if they are not an index, are
  // damaged, or have another version of the format. `jobs` threads compute the
  // hash of all bytes, which shows damage.
  static Result<IndexFile> Open(std::span<const uint8_t> bytes,
                                unsigned jobs = 1);
  // Like Open(), but checks only the header. To see what an index is of before
  // all of it is read.
  static Result<IndexFile> OpenUnchecked(std::span<const uint8_t> bytes);
  // Fails if the hash shows damage.
  Result<void> CheckContent(unsigned jobs) const;

  std::string_view key() const;    // IndexKey::text
  std::string_view label() const;  // IndexKey::label
  // IndexKey::split_files. If it is not empty, the answers are valid only as
  // long as AddressResolver::IdentifySplitFiles() returns the same text. The
  // text is not trusted, so use it only for this comparison.
  std::string_view split_files() const;
  bool has_map() const;

  // True for a portable index; the next three functions are for these.
  bool is_portable() const;
  // Fails if the description of the binary is damaged.
  Result<IndexedBinary> binary() const;
  ReturnAddressSet return_addresses() const;
  // See IndexedCode.
  std::vector<std::pair<uint64_t, uint64_t>> UnnamedFunctions() const;

  // Resolves `addresses` (sorted, unique), with the same answers as the
  // resolver that made the map. Returns nothing if the index turns out to be
  // damaged. Neither the number of threads, `jobs`, nor `memo`, which keeps
  // what was read for later calls and may be null, changes the answers.
  std::optional<ResolvedAddresses> Resolve(std::span<const uint64_t> addresses,
                                           unsigned jobs,
                                           IndexMemo* memo = nullptr) const;

 private:
  explicit IndexFile(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  std::span<const uint8_t> bytes_;
};

}  // namespace heapprof
