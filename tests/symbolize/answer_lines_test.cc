// SPDX-License-Identifier: Apache-2.0
#include "symbolize/answer_lines.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// Function 0 is f() of a.cc, function 1 has only a scoped name.
class AnswerLinesTest : public testing::Test {
 protected:
  AnswerLinesTest() {
    ResolvedAddresses& answers = lookups_.emplace_back().answers;
    answers.files = {"", "a.cc", "body.inc"};
    SourceFunction& f = answers.functions.emplace_back();
    f.linkage_name = "_Z1fv";
    f.file = 1;
    f.start_line = 10;
    f.start_address = 0x40;
    answers.functions.emplace_back().scoped_name = "a::g";
  }

  void AddAddress(const std::vector<SourceFrame>& frames) {
    ResolvedAddresses& answers = lookups_.front().answers;
    answers.runs.push_back({static_cast<uint32_t>(answers.frames.size()),
                            static_cast<uint32_t>(frames.size())});
    answers.frames.insert(answers.frames.end(), frames.begin(), frames.end());
  }

  // The lines of all addresses.
  std::vector<std::vector<Line>> Lines() {
    const LinkageNames names(lookups_, 1);
    const AnswerLines lines(lookups_.front(), names, 0, builder_);
    std::vector<std::vector<Line>> all;
    for (uint32_t i = 0; i < lookups_.front().answers.runs.size(); ++i)
      all.emplace_back(lines.Of(i).begin(), lines.Of(i).end());
    return all;
  }

  const Function& FunctionOf(const Line& line) {
    return builder_.profile().functions[line.function.index()];
  }
  std::string_view Text(StringId id) { return builder_.profile().String(id); }

  std::vector<ModuleLookup> lookups_;
  ProfileBuilder builder_;
};

TEST_F(AnswerLinesTest, KeepTheFramesOfEachAddressInOrder) {
  AddAddress({{.function = 1, .file = 1, .line = 3, .column = 4},
              {.function = 0, .file = 1, .line = 12, .column = 5}});
  AddAddress({});
  const auto lines = Lines();
  ASSERT_THAT(lines[0], SizeIs(2));
  EXPECT_EQ(Text(FunctionOf(lines[0][0]).name), "a::g");
  EXPECT_EQ(lines[0][0].line, 3U);
  EXPECT_EQ(lines[0][0].column, 4U);
  const Function& f = FunctionOf(lines[0][1]);
  EXPECT_EQ(Text(f.name), "f()");
  EXPECT_EQ(Text(f.system_name), "_Z1fv");
  EXPECT_EQ(Text(f.filename), "a.cc");
  EXPECT_EQ(f.start_line, 10U);
  EXPECT_EQ(f.start_address, 0x40U);
  EXPECT_THAT(lines[1], IsEmpty());
}

TEST_F(AnswerLinesTest, AddAnotherFunctionForCodeOfAnotherFile) {
  AddAddress({{.function = 0, .file = 1, .line = 12, .column = 0}});
  AddAddress({{.function = 0, .file = 2, .line = 7, .column = 0}});
  AddAddress({{.function = 0, .file = 1, .line = 13, .column = 0}});
  const auto lines = Lines();
  const Function& included = FunctionOf(lines[1][0]);
  EXPECT_EQ(Text(included.filename), "body.inc");
  EXPECT_EQ(Text(included.name), "f()");
  // That of a.cc means nothing in the other file.
  EXPECT_EQ(included.start_line, 0U);
  EXPECT_EQ(lines[0][0].function, lines[2][0].function);
}

TEST_F(AnswerLinesTest, LeaveNoFunctionWithoutAName) {
  lookups_.front().answers.functions.emplace_back();
  AddAddress({{.function = 2, .file = 1, .line = 0, .column = 0}});
  EXPECT_EQ(Text(FunctionOf(Lines()[0][0]).name), "??");
}

TEST_F(AnswerLinesTest, TakeTheFileOfTheDeclarationForAFrameWithoutAFile) {
  AddAddress({{.function = 0, .file = 0, .line = 0, .column = 0}});
  const Function& f = FunctionOf(Lines()[0][0]);
  EXPECT_EQ(Text(f.filename), "a.cc");
  EXPECT_EQ(f.start_line, 10U);
}

TEST(AddUnresolvedLineTest, NamesTheCallByItsPlaceInTheFile) {
  ProfileBuilder builder;
  const auto name_of = [&builder](const Location& location,
                                  uint64_t function_start = 0) {
    const auto run = AddUnresolvedLine(location, function_start, builder);
    EXPECT_EQ(run.count, 1U);
    const Profile& profile = builder.profile();
    const Function& function =
        profile.functions[profile.lines[run.first].function.index()];
    EXPECT_TRUE(function.unresolved);
    return std::string(profile.String(function.name));
  };
  const MappingId mapping = builder.AddMapping(
      {.filename = builder.InternString("/usr/lib/libfoo.so")});
  Location location = {.address = 0x7f0000001235, .module_address = 0x1235};
  EXPECT_EQ(name_of(location), "0x00007f0000001234");
  location.mapping = mapping;
  EXPECT_EQ(name_of(location), "libfoo.so+0x1234");
  // An address inside the call is not reduced.
  location.is_return_address = false;
  EXPECT_EQ(name_of(location), "libfoo.so+0x1235");
  EXPECT_EQ(name_of(location, 0x1200), "libfoo.so+0x1200");
}

}  // namespace
}  // namespace heapprof
