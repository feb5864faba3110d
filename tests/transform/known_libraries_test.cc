// SPDX-License-Identifier: Apache-2.0
#include "transform/known_libraries.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

bool IsKnown(std::string_view name, std::string_view path,
             std::vector<std::string> own = {"shop"}) {
  return IsOfKnownLibrary(name, path, own);
}

TEST(KnownLibrariesTest, GoByFolder) {
  EXPECT_TRUE(IsKnown("gf_init_hard", "src/gf-complete/src/gf.c"));
  EXPECT_TRUE(IsKnown("ZopfliInit", "zstd-1.5.5/lib/x.c"));
  EXPECT_FALSE(IsKnown("f", "src/zstd_codec/codec.cc"));
  EXPECT_FALSE(IsKnown("f", "src/zstd.c"));
  EXPECT_FALSE(IsKnown("f", ""));
}

TEST(KnownLibrariesTest, GoByFolderAndNamespace) {
  EXPECT_TRUE(IsKnown("rocksdb::Arena::Grow", "src/rocksdb/memory/arena.cc"));
  // The project's own code that uses the library.
  EXPECT_FALSE(IsKnown("engine::Store::Put", "storage/rocksdb/store.cc"));
  EXPECT_FALSE(IsKnown("rocksdb::Extension::Run", "src/extension.cc"));
}

TEST(KnownLibrariesTest, GoByNamespaceWithoutASourceFile) {
  EXPECT_TRUE(IsKnown("rocksdb::Arena::Grow", ""));
  EXPECT_TRUE(IsKnown("v8::internal::FunctionCallbackArguments::Call", ""));
  EXPECT_FALSE(IsKnown("rocksdbish::f", ""));
  EXPECT_FALSE(IsKnown("rocksdb", ""));
}

TEST(KnownLibrariesTest, LeaveTheProgramAlone) {
  EXPECT_FALSE(IsKnown("rocksdb::Arena::Grow", "rocksdb/memory/arena.cc",
                       {"home", "rocksdb-7.8.3", "tools"}));
}

}  // namespace
}  // namespace heapprof
