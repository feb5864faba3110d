// SPDX-License-Identifier: Apache-2.0
#include "symbolize/assumed_index.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using testing::HasSubstr;

// A file of which every address with the last digit 8 follows a call.
class AssumedIndexTest : public testing::Test {
 protected:
  static constexpr uint64_t kFirst = 0x1108;
  static constexpr uint64_t kStep = 0x10;

  AssumedIndexTest() {
    std::vector<uint64_t> calls;
    for (uint64_t at = kFirst; at < 0x8000; at += kStep) calls.push_back(at);
    encoded_ = ReturnAddressSet::Encode(calls);
  }

  ElfImage Image() const {
    constexpr uint16_t kX86 = 62;
    return ElfImage::FromLayout(
        "x.idx",
        {.build_id = "aa01",
         .machine = kX86,
         .type = 3,
         .header_size = 64,
         .segments = {{0, 0x600, 0, 0x600, false},
                      {0x1000, 0x7a10, 0x1000, 0x7a10, true}},
         .code = {{0x1000, 0x8a10}}},
        ReturnAddressSet({reinterpret_cast<const uint8_t*>(encoded_.data()),
                          encoded_.size()}));
  }

  // Asks for a mapping with `hits` addresses that follow a call, and `misses`
  // that do not.
  std::string Why(uint64_t hits, uint64_t misses,
                  bool has_file_name = true) const {
    std::vector<uint64_t> addresses;
    for (uint64_t i = 0; i < hits; ++i) addresses.push_back(kFirst + i * kStep);
    for (uint64_t i = 0; i < misses; ++i)
      addresses.push_back(kFirst + i * kStep + 4);
    return WhyNotAssumed(Image(), mapping_, addresses, has_file_name)
        .value_or("");
  }

  std::string encoded_;
  Mapping mapping_ = {.start = 0x7f0000001000,
                      .limit = 0x7f0000009000,
                      .file_offset = 0x1000,
                      .is_file = true};
};

TEST_F(AssumedIndexTest, NeedsMoreAddressesWithoutTheFileName) {
  EXPECT_EQ(Why(8, 0, false), "");
  EXPECT_EQ(Why(7, 0, false),
            "has another file name, but 7 return addresses cannot show that it "
            "is the build that ran");
  EXPECT_THAT(Why(8, 3, false), HasSubstr("another build: only 8 of 11"));
  mapping_.limit = mapping_.start;
  EXPECT_EQ(Why(20, 0, false),
            "has another file name, and the size of the code is not known");
}

TEST_F(AssumedIndexTest, NeedsAddressesAfterCalls) {
  EXPECT_EQ(Why(0, 0),
            "has the file name, but 0 return addresses cannot show that it is "
            "the build that ran");
  EXPECT_THAT(Why(1, 0), HasSubstr("1 return address cannot show"));
  EXPECT_NE(Why(1, 1), "");
  EXPECT_EQ(Why(2, 0), "");
  // Some profiles do not say where the file was mapped.
  mapping_ = {.is_file = true};
  EXPECT_THAT(Why(2, 0), HasSubstr("2 return addresses cannot show"));
  EXPECT_EQ(Why(3, 0), "");
}

TEST_F(AssumedIndexTest, AllowsThreadEntriesAndSignalFrames) {
  EXPECT_EQ(Why(2, 1),
            "another build: only 2 of 3 return addresses follow a call "
            "instruction");
  EXPECT_EQ(Why(3, 1), "");
  EXPECT_NE(Why(5, 2), "");
  EXPECT_EQ(Why(6, 2), "");
  EXPECT_NE(Why(9, 3), "");
  EXPECT_EQ(Why(96, 2), "");
  EXPECT_NE(Why(80, 3), "");
  EXPECT_EQ(Why(97, 3), "");
  EXPECT_NE(Why(380, 20), "");
}

TEST_F(AssumedIndexTest, ComparesTheSizeOfTheCode) {
  const Mapping whole = mapping_;
  mapping_.limit -= 0x1000;
  EXPECT_THAT(Why(50, 0), HasSubstr("another size"));
  mapping_ = whole;
  mapping_.file_offset = 0x2000;
  EXPECT_THAT(Why(50, 0), HasSubstr("another size"));
  // A kernel with pages of 64 KiB.
  mapping_ = {.start = 0x7f0000000000,
              .limit = 0x7f0000010000,
              .file_offset = 0,
              .is_file = true};
  EXPECT_EQ(Why(50, 0), "");
}

}  // namespace
}  // namespace heapprof
