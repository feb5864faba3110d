// SPDX-License-Identifier: Apache-2.0
#include "symbolize/address_layout.h"

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"
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

// The number of the PT_LOAD segment with the file's code, from 1.
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

TEST(RecognizeAddressesTest, ChecksCallsIfTheSegmentIsUnknown) {
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

TEST(RecognizeAddressesTest, AcceptsEitherMeaningIfBothAreTheSame) {
  const ElfImage plain = Open("plain/app");
  ASSERT_EQ(OffsetsOf("plain/app"), AddressesOf("plain/app"));
  const UnknownAddresses one[] = {
      {&plain, CodeSegment(plain), OffsetsOf("plain/app")}};
  EXPECT_EQ(RecognizeAddresses(one), AddressSpace::kFileAddress);
}

TEST(RecognizeAddressesTest, DoesNotGuessIfNothingFits) {
  const ElfImage lld = Open("lld/app");
  const UnknownAddresses wild[] = {
      {&lld, CodeSegment(lld), {0x7f0000001000, 0x7f0000002000}}};
  EXPECT_EQ(RecognizeAddresses(wild), std::nullopt);
}

std::optional<std::string> WhyRefused(const ElfImage& image,
                                      std::string_view build_id,
                                      AddressSpace space,
                                      const std::vector<uint64_t>& addresses) {
  return WhyAnotherBuild(
      image, CheckBuild(image, space, addresses),
      {.build_id = build_id, .what = "program that wrote the dump"});
}

// In a file with the right name, a frame or two may be in code that nothing
// calls, such as a signal handler's return.
TEST(WhyAnotherBuildTest, RequiresACallInAFileOfAnotherName) {
  const ElfImage plain = Open("plain/app");
  std::vector<uint64_t> elsewhere = OffsetsOf("plain/app");
  elsewhere.resize(1);
  ++elsewhere.front();
  const BuildCheck check =
      CheckBuild(plain, AddressSpace::kFileOffset, elsewhere);
  WantedFile wanted = {.build_id = {}, .what = "program that wrote the dump"};
  EXPECT_EQ(WhyAnotherBuild(plain, check, wanted), std::nullopt);
  wanted.has_its_name = false;
  EXPECT_EQ(WhyAnotherBuild(plain, check, wanted),
            "not the program that wrote the dump: none of its 1 return "
            "addresses follows a call instruction");
}

TEST(WhyAnotherBuildTest, LetsTheBuildIdDecide) {
  const ElfImage plain = Open("plain/app");
  const std::string& id = plain.build_id();
  ASSERT_NE(id, "");
  const auto offset = AddressSpace::kFileOffset;
  EXPECT_EQ(WhyRefused(plain, id, offset, OffsetsOf("other/app")),
            std::nullopt);
  EXPECT_EQ(WhyRefused(plain, "c0ffee", offset, OffsetsOf("plain/app")),
            "another build: expected build id c0ffee, found " + id);
}

TEST(WhyAnotherBuildTest, ChecksCallsWithoutABuildId) {
  const ElfImage lld = Open("lld/app");
  std::vector<uint64_t> elsewhere = OffsetsOf("lld/app");
  for (uint64_t& offset : elsewhere) ++offset;
  for (AddressSpace space :
       {AddressSpace::kFileOffset, AddressSpace::kUnknown}) {
    EXPECT_EQ(WhyRefused(lld, "", space, OffsetsOf("lld/app")), std::nullopt);
    EXPECT_THAT(WhyRefused(lld, "", space, elsewhere).value_or("fits"),
                HasSubstr("return addresses follows a call"));
  }
  EXPECT_EQ(
      WhyRefused(lld, "", AddressSpace::kFileAddress, AddressesOf("lld/app")),
      std::nullopt);
}

// The code of a small program ends before the addresses of a larger one begin.
TEST(WhyAnotherBuildTest, RejectsAFileWhoseCodeHasNoneOfTheAddresses) {
  const ElfImage plain = Open("plain/app");
  const auto offset = AddressSpace::kFileOffset;
  for (const size_t count : {1u, 2u, 12u}) {
    std::vector<uint64_t> beyond;
    for (size_t i = 0; i < count; ++i) beyond.push_back(0x7000000 + 16 * i);
    for (const AddressSpace space : {offset, AddressSpace::kFileAddress})
      EXPECT_EQ(
          WhyRefused(plain, "", space, beyond),
          fmt::format("not the program that wrote the dump: none of its {} "
                      "return addresses follows a call instruction",
                      count));
    EXPECT_EQ(WhyRefused(plain, plain.build_id(), offset, beyond),
              std::nullopt);
    for (const AddressSpace space :
         {AddressSpace::kRuntime, AddressSpace::kUnknown})
      EXPECT_EQ(WhyRefused(plain, "", space, beyond), std::nullopt);
  }
  EXPECT_EQ(WhyRefused(plain, "", offset, {}), std::nullopt);
  // A few may match by chance.
  std::vector<uint64_t> mixed = OffsetsOf("plain/app");
  mixed.resize(2);
  EXPECT_EQ(WhyRefused(plain, "", offset, mixed), std::nullopt);
  mixed.insert(mixed.end(), {0x7000000, 0x7000010, 0x7000020});
  EXPECT_EQ(WhyRefused(plain, "", offset, mixed),
            "not the program that wrote the dump: 3 of its 5 return addresses "
            "are outside the file's code");
}

// A debug file has no code bytes, but says where the code is.
TEST(WhyAnotherBuildTest, RejectsADebugFileWhoseCodeIsElsewhere) {
  const std::string id = FixtureText("plain/app.id");
  ElfImage debug = Open("by-id/.build-id/" + id.substr(0, 2) + "/" +
                        id.substr(2) + ".debug");
  const std::vector<uint64_t> offsets = OffsetsOf("plain/app");
  const auto offset = AddressSpace::kFileOffset;
  debug.PlaceCode(Open("plain/app").load_segments()[1].file_offset);
  EXPECT_EQ(WhyRefused(debug, "", offset, offsets), std::nullopt);
  EXPECT_EQ(WhyRefused(debug, "", offset, {0x7000000, 0x7000010}),
            "not the program that wrote the dump: none of its 2 return "
            "addresses is in the file's code");
}

// Machine code of an unsupported machine.
TEST(WhyAnotherBuildTest, ChecksTheSegmentsOfUnknownMachines) {
  const TemporaryFolder folder;
  std::ifstream in(Fixture("plain/app"), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  bytes[18] = static_cast<char>(243);  // e_machine: RISC-V
  const auto image = ElfImage::Open(folder.Write("riscv", bytes));
  ASSERT_TRUE(image);
  const auto offset = AddressSpace::kFileOffset;
  EXPECT_EQ(WhyRefused(*image, "", offset, OffsetsOf("plain/app")),
            std::nullopt);
  EXPECT_NE(WhyRefused(*image, "", offset, {0x7000000}), std::nullopt);
}

}  // namespace
}  // namespace heapprof
