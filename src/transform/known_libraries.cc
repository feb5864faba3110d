// SPDX-License-Identifier: Apache-2.0
#include "transform/known_libraries.h"

#include <algorithm>

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
};

// True for "rocksdb" and, with a version, "rocksdb-7.8.3".
bool IsFolderOf(std::string_view folder, std::string_view library) {
  if (!folder.starts_with(library)) return false;
  folder.remove_prefix(library.size());
  return folder.empty() || (folder.size() > 1 && folder[0] == '-' &&
                            folder[1] >= '0' && folder[1] <= '9');
}

bool HasFolderOf(std::string_view path, std::string_view library) {
  for (size_t slash = path.find('/'); slash != path.npos;
       slash = path.find('/')) {
    if (IsFolderOf(path.substr(0, slash), library)) return true;
    path.remove_prefix(slash + 1);
  }
  return false;
}

bool IsIn(std::string_view short_name, std::string_view scope) {
  return short_name.starts_with(scope) &&
         short_name.substr(scope.size()).starts_with("::");
}

}  // namespace

bool IsOfKnownLibrary(std::string_view short_name, std::string_view path,
                      std::span<const std::string> own_names) {
  return std::ranges::any_of(kLibraries, [&](const KnownLibrary& library) {
    const bool is_in_scope = IsIn(short_name, library.scope);
    if (!library.scope.empty() && !is_in_scope) return false;
    // Without a source file, the namespace must do.
    const bool is_found = path.empty() ? !library.scope.empty()
                                       : HasFolderOf(path, library.folder);
    return is_found &&
           std::ranges::none_of(own_names, [&](std::string_view own) {
             return IsFolderOf(own, library.folder);
           });
  });
}

}  // namespace heapprof
