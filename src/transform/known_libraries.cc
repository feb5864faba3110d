// SPDX-License-Identifier: Apache-2.0
#include "transform/known_libraries.h"

#include <algorithm>

#include "heapprof/base/char_class.h"
#include "heapprof/base/unqualified_name.h"

namespace heapprof {
namespace {

struct KnownLibrary {
  std::string_view folder;
  // The outermost namespace of its functions. Only they belong to the library,
  // because projects also name folders of their own after a library, such as
  // storage/rocksdb. Empty: everything below the folder does.
  std::string_view scope = {};
};

constexpr KnownLibrary kLibraries[] = {
    // Storage and formats.
    {"rocksdb", "rocksdb"},
    {"leveldb", "leveldb"},
    {"arrow", "arrow"},
    {"arrow", "parquet"},
    {"flatbuffers", "flatbuffers"},
    {"protobuf", "google"},
    {"simdjson"},
    {"rapidjson"},
    {"yaml-cpp"},
    {"sqlite"},
    {"sqlite3"},
    // Compression, hashes, erasure codes, numbers.
    {"zstd"},
    {"lz4"},
    {"snappy"},
    {"zlib"},
    {"zlib-ng"},
    {"bzip2"},
    {"brotli"},
    {"xxhash"},
    {"isa-l"},
    {"gf-complete"},
    {"jerasure"},
    {"double-conversion"},
    // Network and security.
    {"grpc", "grpc"},
    {"grpc", "grpc_core"},
    {"librdkafka"},
    {"hiredis"},
    {"civetweb"},
    {"c-ares"},
    {"nghttp2"},
    {"libuv"},
    {"libevent"},
    {"spdk"},
    {"dpdk"},
    {"openssl"},
    {"boringssl"},
    {"mbedtls"},
    {"libsodium"},
    {"aws-sdk-cpp"},
    // Foundations.
    {"abseil-cpp"},
    {"folly", "folly"},
    {"fmt", "fmt"},
    {"spdlog", "spdlog"},
    {"re2", "re2"},
    {"pcre2"},
    {"jemalloc"},
    {"gperftools"},
    {"mimalloc"},
    {"googletest"},
    {"opentelemetry-cpp"},
    {"prometheus-cpp"},
    {"linenoise"},
    // Languages inside a program.
    {"v8", "v8"},
};

constexpr auto kByFolder = [] {
  auto libraries = std::to_array(kLibraries);
  std::ranges::sort(libraries, {}, &KnownLibrary::folder);
  return libraries;
}();

// Returns "rocksdb" for "rocksdb-7.8.3".
std::string_view WithoutVersion(std::string_view folder) {
  const auto dash = std::ranges::adjacent_find(
      folder, [](char a, char b) { return a == '-' && IsDigit(b); });
  return {folder.begin(), dash};
}

}  // namespace

bool IsOfKnownLibrary(std::string_view short_name, std::string_view path,
                      std::span<const std::string> own_names) {
  const auto is_foreign = [&](const KnownLibrary& library) {
    return std::ranges::none_of(own_names, [&](std::string_view own) {
      return WithoutVersion(own) == library.folder;
    });
  };
  // Without a source file, the namespace must do.
  if (path.empty())
    return std::ranges::any_of(kByFolder, [&](const KnownLibrary& library) {
      return !library.scope.empty() && IsInScope(short_name, library.scope) &&
             is_foreign(library);
    });
  for (size_t slash = path.find('/'); slash != path.npos;
       slash = path.find('/')) {
    const auto libraries = std::ranges::equal_range(
        kByFolder, WithoutVersion(path.substr(0, slash)), {},
        &KnownLibrary::folder);
    if (std::ranges::any_of(libraries, [&](const KnownLibrary& library) {
          return (library.scope.empty() ||
                  IsInScope(short_name, library.scope)) &&
                 is_foreign(library);
        }))
      return true;
    path.remove_prefix(slash + 1);
  }
  return false;
}

}  // namespace heapprof
