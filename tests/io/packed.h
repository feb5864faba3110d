// SPDX-License-Identifier: Apache-2.0
//
// Compresses text with the original libraries.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "heapprof/io/inflate.h"

namespace heapprof {

// Larger than any unpacked text of the tests.
inline constexpr uint64_t kNoLimit = uint64_t{1} << 40;

// Bytes that cannot be compressed, always the same ones.
inline std::string RandomBytes(size_t size) {
  std::mt19937 random(7);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

using Packed = std::vector<uint8_t>;

inline Packed Pack(Compression compression, const std::string& text) {
  if (compression == Compression::kZlib) {
    uLongf size = compressBound(text.size());
    Packed packed(size);
    EXPECT_EQ(
        compress(packed.data(), &size,
                 reinterpret_cast<const Bytef*>(text.data()), text.size()),
        Z_OK);
    packed.resize(size);
    return packed;
  }
  Packed packed(ZSTD_compressBound(text.size()));
  const size_t size =
      ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3);
  EXPECT_FALSE(ZSTD_isError(size));
  packed.resize(size);
  return packed;
}

// For the names of parametrized tests.
inline std::string NameOfCompression(
    const testing::TestParamInfo<Compression>& test) {
  return test.param == Compression::kZlib ? "zlib" : "zstd";
}

}  // namespace heapprof
