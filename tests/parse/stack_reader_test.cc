// SPDX-License-Identifier: Apache-2.0
#include "parse/stack_reader.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Reader {
 public:
  explicit Reader(FrameAddresses addresses) : reader_(addresses) {}

  // The addresses of the stack that `text` was read as. If part of the text
  // could not be read, `unread` is that part.
  std::vector<uint64_t> Read(const std::string& text) {
    texts_.push_back(std::make_unique<std::string>(text));
    unread = reader_.Read(*texts_.back(), builder_);
    const Profile& profile = builder_.profile();
    std::vector<uint64_t> addresses;
    for (const LocationId id : profile.StackFrames(builder_.CloseStack()))
      addresses.push_back(profile.locations[id.index()].address);
    return addresses;
  }

  std::string unread;

 private:
  std::vector<std::unique_ptr<std::string>> texts_;
  StackReader reader_;
  ProfileBuilder builder_;
};

TEST(StackReaderTest, SharesOnlyWholeAddressesWithTheRecordBefore) {
  Reader reader(FrameAddresses::kReturnAddresses);
  EXPECT_THAT(reader.Read(" 0x1 0x22 0x333"), ElementsAre(1, 0x22, 0x333));
  EXPECT_THAT(reader.Read(" 0x1 0x22 0x3334 0x5"),
              ElementsAre(1, 0x22, 0x3334, 5));
  EXPECT_THAT(reader.Read(" 0x1 0x22 0x333"), ElementsAre(1, 0x22, 0x333));
  EXPECT_THAT(reader.Read(" 0x1 0x2"), ElementsAre(1, 2));
  EXPECT_THAT(reader.Read(" 0x1 0x22"), ElementsAre(1, 0x22));
  EXPECT_THAT(reader.Read(" 0x1\t0x22  0x333 "), ElementsAre(1, 0x22, 0x333));
  EXPECT_THAT(reader.Read(""), IsEmpty());
  EXPECT_THAT(reader.Read(" 0xffffffffff600000 0xffffffffff600000"),
              ElementsAre(0xffffffffff600000, 0xffffffffff600000));
  EXPECT_EQ(reader.unread, "");
}

TEST(StackReaderTest, ReturnsTextThatIsNotAnAddressAndReadsTheNextStack) {
  Reader reader(FrameAddresses::kReturnAddresses);
  EXPECT_THAT(reader.Read(" 0x1 0x2"), ElementsAre(1, 2));
  for (const char* bad :
       {"0x2g", "2", "0x", "0x12345678901234567", "\x01", "0x2\x01 0x3"}) {
    EXPECT_THAT(reader.Read(fmt::format(" 0x1 {}", bad)), IsEmpty()) << bad;
    EXPECT_FALSE(reader.unread.empty()) << bad;
    EXPECT_TRUE(std::string(bad).ends_with(reader.unread)) << bad;
    EXPECT_THAT(reader.Read(" 0x1 0x2 0x3"), ElementsAre(1, 2, 3)) << bad;
  }
}

TEST(StackReaderTest, KeysOfASymbolListAreOneLessExceptForTheLeaf) {
  Reader reader(FrameAddresses::kSymbolizedKeys);
  EXPECT_THAT(reader.Read(" 0x5 0x5 0x0 0x7"), ElementsAre(5, 4, 0, 6));
  EXPECT_THAT(reader.Read(" 0x5 0x5 0x7"), ElementsAre(5, 4, 6));
  EXPECT_THAT(reader.Read(" 0x7 0x5"), ElementsAre(7, 4));
}

TEST(StackReaderTest, RandomRecordsReadAsWritten) {
  Reader reader(FrameAddresses::kReturnAddresses);
  std::mt19937 random(1);
  std::vector<uint64_t> stack;
  for (int i = 0; i < 2000; ++i) {
    stack.resize(random() % (stack.size() + 1));
    while (random() % 4 != 0)
      stack.push_back((uint64_t{random()} << (random() % 32)) >>
                      (random() % 40));
    std::string text;
    for (const uint64_t address : stack) text += fmt::format(" {:#x}", address);
    ASSERT_EQ(reader.Read(text), stack) << text;
  }
}

}  // namespace
}  // namespace heapprof
