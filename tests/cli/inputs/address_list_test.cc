// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/address_list.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/check_valid.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "mapping+module address" per line.
std::vector<std::string> Read(std::string_view text,
                              const std::string& program) {
  Diagnostics diagnostics;
  const AddressList list = ReadAddressList(text, program, diagnostics);
  EXPECT_EQ(CheckValid(list.profile), "");
  std::vector<std::string> texts;
  for (const LocationId id : list.locations) {
    const Location& location = list.profile.locations[id.index()];
    EXPECT_FALSE(!id.IsNone() && location.is_return_address);
    const Mapping& mapping = list.profile.mappings[location.mapping.index()];
    texts.push_back(fmt::format("{}+{:x}",
                                list.profile.String(mapping.filename),
                                location.module_address));
  }
  return texts;
}

TEST(ReadAddressListTest, TakesTheFirstAddressOfEachLine) {
  EXPECT_THAT(Read("0x10\r\nsome 0xABcd, 0x1\nnone 0x\n\n0x10", "/bin/a"),
              ElementsAre("/bin/a+10", "/bin/a+abcd", "/bin/a+10"));
  EXPECT_THAT(Read("", "/bin/a"), IsEmpty());
}

TEST(ReadAddressListTest, KeepsALineForAnAddressThatIsTooLong) {
  EXPECT_EQ(Read("0x11112222333344445\n", "/bin/a").size(), 1u);
}

TEST(ReadAddressListTest, LooksAddressesUpInAMap) {
  EXPECT_THAT(Read("0x7f0000001010\n"
                   "7f0000001000-7f0000002000 r-xp 00003000 fe:00 7 /lib/b.so\n"
                   "0x1010\n",
                   "/bin/a"),
              ElementsAre("/lib/b.so+3010", "/bin/a+1010"));
  EXPECT_THAT(Read("0x1010\n", ""), ElementsAre("+1010"));
}

}  // namespace
}  // namespace heapprof
