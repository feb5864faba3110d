// SPDX-License-Identifier: Apache-2.0
#include "symbolize/address_layout.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbolize/fixtures.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;

ElfImage Open(std::string_view name) {
  auto image = ElfImage::Open(Fixture(name));
  EXPECT_TRUE(image) << name;
  return std::move(*image);
}

std::vector<uint64_t> AddressesOf(std::string_view binary) {
  std::vector<uint64_t> addresses;
  for (const CallSite& call : CallsOf(binary))
    addresses.push_back(call.address);
  return addresses;
}

// Which PT_LOAD of the file holds its code, from 1.
uint32_t CodeSegment(const ElfImage& image) {
  uint32_t number = 0;
  for (const LoadSegment& segment : image.load_segments()) {
    ++number;
    if (segment.executable) return number;
  }
  ADD_FAILURE() << "no code";
  return 0;
}

TEST(RecognizeAddressesTest, TellsOffsetsFromAddressesByTheSegment) {
  const ElfImage lld = Open("lld/app");
  ASSERT_NE(OffsetsOf("lld/app"), AddressesOf("lld/app"));
  const uint32_t segment = CodeSegment(lld);
  const UnknownAddresses offsets[] = {{&lld, segment, OffsetsOf("lld/app")}};
  EXPECT_EQ(RecognizeAddresses(offsets), AddressSpace::kFileOffset);
  const UnknownAddresses addresses[] = {
      {&lld, segment, AddressesOf("lld/app")}};
  EXPECT_EQ(RecognizeAddresses(addresses), AddressSpace::kFileAddress);
}

TEST(RecognizeAddressesTest, LooksAtCallsWhereTheSegmentIsNotKnown) {
  const ElfImage lld = Open("lld/app");
  const UnknownAddresses offsets[] = {{&lld, 0, OffsetsOf("lld/app")}};
  EXPECT_EQ(RecognizeAddresses(offsets), AddressSpace::kFileOffset);
  const UnknownAddresses addresses[] = {{&lld, 0, AddressesOf("lld/app")}};
  EXPECT_EQ(RecognizeAddresses(addresses), AddressSpace::kFileAddress);
}

TEST(RecognizeAddressesTest, LetsOneFileDecideForTheOthers) {
  const ElfImage plain = Open("plain/app");
  const ElfImage lld = Open("lld/app");
  const UnknownAddresses both[] = {
      {&plain, CodeSegment(plain), OffsetsOf("plain/app")},
      {&lld, CodeSegment(lld), OffsetsOf("lld/app")}};
  EXPECT_EQ(RecognizeAddresses(both), AddressSpace::kFileOffset);
}

TEST(RecognizeAddressesTest, DoesNotCareWhereBothAreTheSame) {
  const ElfImage plain = Open("plain/app");
  ASSERT_EQ(OffsetsOf("plain/app"), AddressesOf("plain/app"));
  const UnknownAddresses one[] = {
      {&plain, CodeSegment(plain), OffsetsOf("plain/app")}};
  EXPECT_EQ(RecognizeAddresses(one), AddressSpace::kFileAddress);
}

TEST(RecognizeAddressesTest, DoesNotGuessWhereNothingFits) {
  const ElfImage lld = Open("lld/app");
  const UnknownAddresses wild[] = {
      {&lld, CodeSegment(lld), {0x7f0000001000, 0x7f0000002000}}};
  EXPECT_EQ(RecognizeAddresses(wild), std::nullopt);
}

std::optional<std::string> WhyRefused(const ElfImage& image,
                                      std::string_view build_id,
                                      AddressSpace space,
                                      const std::vector<uint64_t>& addresses) {
  return WhyAnotherBuild(image, build_id, CheckBuild(image, space, addresses));
}

TEST(WhyAnotherBuildTest, LetsTheBuildIdDecide) {
  const ElfImage plain = Open("plain/app");
  const std::string& id = plain.build_id();
  ASSERT_NE(id, "");
  const auto offset = AddressSpace::kFileOffset;
  EXPECT_EQ(WhyRefused(plain, id, offset, OffsetsOf("other/app")),
            std::nullopt);
  EXPECT_EQ(
      WhyRefused(plain, "c0ffee", offset, OffsetsOf("plain/app")),
      "build id c0ffee is wanted, found " + id + ": this is another build");
}

TEST(WhyAnotherBuildTest, LooksAtCallsWithoutABuildId) {
  const ElfImage lld = Open("lld/app");
  std::vector<uint64_t> elsewhere = OffsetsOf("lld/app");
  for (uint64_t& offset : elsewhere) ++offset;
  for (AddressSpace space :
       {AddressSpace::kFileOffset, AddressSpace::kUnknown}) {
    EXPECT_EQ(WhyRefused(lld, "", space, OffsetsOf("lld/app")), std::nullopt);
    EXPECT_THAT(WhyRefused(lld, "", space, elsewhere).value_or("fits"),
                HasSubstr("% of return addresses follow a call"));
  }
  EXPECT_EQ(
      WhyRefused(lld, "", AddressSpace::kFileAddress, AddressesOf("lld/app")),
      std::nullopt);
}

}  // namespace
}  // namespace heapprof
