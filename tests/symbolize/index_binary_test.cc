// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/index_binary.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/diagnostics.h"
#include "heapprof/elf/call_check.h"
#include "heapprof/index/index_folders.h"
#include "heapprof/index/portable_index.h"
#include "heapprof/symbolize/symbolizer.h"
#include "support/temporary_files.h"
#include "symbolize/fixtures.h"

namespace heapprof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A folder with the index of a fixture, whose file is not at the path in the
// dump: "/gone/app".
class IndexBinaryTest : public testing::Test {
 protected:
  // Writes the index of `binary`, and makes a dump with its first pages of
  // code and with a call at each of `offsets`.
  Profile Index(std::string_view binary, const std::vector<uint64_t>& offsets) {
    const auto module = Module::Open(Fixture(binary), {});
    EXPECT_TRUE(module);
    const auto description = DescribeModule(**module, 1);
    EXPECT_TRUE(description);
    const auto bytes = IndexModule(**module, "app", *description, 2);
    EXPECT_TRUE(bytes) << bytes.error().message;
    folder_.Write(PortableIndexName(description->layout.build_id), *bytes);
    DumpBuilder dump;
    dump.AddStack(dump.AddFile("/gone/app"), offsets);
    Profile profile = std::move(dump).Finish();
    constexpr uint64_t kPage = 4096;
    for (const LoadSegment& segment : description->layout.segments)
      if (segment.executable)
        profile.mappings[1].limit =
            profile.mappings[1].start +
            (segment.file_size + kPage - 1) / kPage * kPage;
    return profile;
  }

  // Names the frames of the dump. Returns the name of the function at each
  // address, followed by ":line" if the line is known.
  std::vector<std::string> Name(Profile& profile) {
    IndexFolders indexes({{folder_.path()}}, 1);
    SymbolizeOptions options;
    options.locator.debug.indexes = &indexes;
    Symbolizer symbolizer(options);
    EXPECT_TRUE(symbolizer.FindModules(profile));
    is_assumed_ = symbolizer.IsAssumed(profile, {1});
    symbolizer.Symbolize(profile, diagnostics_);
    std::vector<std::string> names;
    for (const LocationId id : profile.StackFrames({1})) {
      const Line& line =
          profile.LocationLines(profile.locations[id.index()]).back();
      names.push_back(std::string(profile.String(
                          profile.functions[line.function.index()].name)) +
                      (line.line == 0 ? "" : ":line"));
    }
    return names;
  }

  TemporaryFolder folder_;
  Diagnostics diagnostics_;
  bool is_assumed_ = false;
};

TEST_F(IndexBinaryTest, NamesAsTheBinaryDoes) {
  const std::vector<uint64_t> offsets = OffsetsOf("plain/app");
  Profile with_index = Index("plain/app", offsets);
  Profile with_file = with_index;
  const std::vector<std::string> names = Name(with_index);
  EXPECT_TRUE(is_assumed_);
  EXPECT_EQ(diagnostics_.Count(WarningKind::kAssumedBuild), 1u);
  Symbolizer symbolizer({.locator = {.binaries = {Fixture("plain/app")}}});
  ASSERT_TRUE(symbolizer.FindModules(with_file));
  symbolizer.Symbolize(with_file, diagnostics_);
  ASSERT_EQ(with_index.lines.size(), with_file.lines.size());
  for (size_t i = 0; i < with_file.lines.size(); ++i) {
    const Function& expected =
        with_file.functions[with_file.lines[i].function.index()];
    const Function& found =
        with_index.functions[with_index.lines[i].function.index()];
    EXPECT_EQ(with_index.String(found.name), with_file.String(expected.name));
    EXPECT_EQ(with_index.String(found.filename),
              with_file.String(expected.filename));
    EXPECT_EQ(found.start_line, expected.start_line);
    EXPECT_EQ(with_index.lines[i].line, with_file.lines[i].line);
  }
}

TEST_F(IndexBinaryTest, NeedsNoAssumptionIfTheProfileStatesTheBuildId) {
  Profile profile = Index("plain/app", {OffsetsOf("plain/app")[0]});
  profile.mappings[1].build_id =
      profile.strings.Intern(FixtureText("plain/app.id"));
  EXPECT_THAT(Name(profile), ElementsAre(HasSubstr(":line")));
  EXPECT_FALSE(is_assumed_);
  EXPECT_TRUE(diagnostics_.empty());
}

TEST_F(IndexBinaryTest, IsNotUsedForAnotherBuild) {
  Profile profile = Index("plain/app", OffsetsOf("other/app"));
  for (const std::string& name : Name(profile))
    EXPECT_THAT(name, HasSubstr("app+0x"));
  profile = Index("plain/app", OffsetsOf("plain/app"));
  profile.mappings[1].build_id = profile.strings.Intern("abcd");
  for (const std::string& name : Name(profile))
    EXPECT_THAT(name, HasSubstr("app+0x"));
}

TEST_F(IndexBinaryTest, NamesOnlyCallsOfAnAssumedBuild) {
  std::vector<uint64_t> offsets = OffsetsOf("plain/app");
  ASSERT_GE(offsets.size(), 8u);
  const uint64_t other = offsets.back() + 1;
  const auto image = ElfImage::Open(Fixture("plain/app"));
  ASSERT_TRUE(image);
  ASSERT_EQ(CheckReturnAddresses(*image, {{other}}).after_call, 0u);
  offsets.push_back(other);
  Profile profile = Index("plain/app", offsets);
  const std::vector<std::string> names = Name(profile);
  EXPECT_THAT(names.front(), HasSubstr(":line"));
  EXPECT_THAT(names.back(), HasSubstr("app+0x"));
}

TEST_F(IndexBinaryTest, TakesSymbolsIfThereIsNoDebugInformation) {
  const auto module = Module::Open(Fixture("stripped/app"), {});
  ASSERT_TRUE(module);
  const auto description = DescribeModule(**module, 1);
  ASSERT_TRUE(description);
  EXPECT_FALSE(description->has_debug_info);
  const auto bytes = IndexModule(**module, "app", *description, 1);
  ASSERT_TRUE(bytes) << bytes.error().message;
  const auto index = PortableIndex::Open(folder_.Write("x", *bytes));
  ASSERT_TRUE(index) << index.error().message;
  // The layout and the code are those of the file with debug information.
  const auto plain = ElfImage::Open(Fixture("plain/app"));
  ASSERT_TRUE(plain);
  EXPECT_TRUE((*index)->IsOf(*plain, 1));
}

}  // namespace
}  // namespace heapprof
