// SPDX-License-Identifier: Apache-2.0
#include "heapprof/index/portable_index.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/index/index_folders.h"
#include "index/index_testing.h"
#include "index/indexed_binary.h"
#include "support/fixture.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

constexpr std::string_view kId = "0123456789abcdef";

IndexedBinary SmallBinary(std::string_view id = kId) {
  return {.layout = {.build_id = std::string(id),
                     .machine = 62,
                     .type = 3,
                     .is_big_endian = true,
                     .header_size = 64,
                     .segments = {{0, 0x500, 0, 0x500, false},
                                  {0x1000, 0x2000, 0x1000, 0x2000, true}},
                     .code = {{0x1000, 0x1040}, {0x2000, 0x2010}}},
          .code_hash = {1, 2},
          .has_debug_info = true};
}

std::string PortableBytes(std::string_view name, std::string_view id = kId) {
  const CodeMap map = SmallMap();
  const auto bytes = EncodePortableIndex(
      name, SmallBinary(id),
      {.return_addresses =
           ReturnAddressSet::Encode(std::vector<uint64_t>{0x1005, 0x1015}),
       .unnamed_functions = {{0x1000, 0x1010}, {0x1020, 0x1300}}},
      map);
  EXPECT_TRUE(bytes) << bytes.error().message;
  return *bytes;
}

std::string NameOf(std::string_view id) { return PortableIndexName(id); }

std::string OpeningErrorOf(const std::string& path) {
  const auto index = PortableIndex::Open(path);
  return index ? "" : index.error().message;
}

TEST(PortableIndexTest, ReadsWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.Write(NameOf(kId), PortableBytes("app"));
  const auto index = PortableIndex::Open(path);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ((*index)->name(), "app");
  EXPECT_EQ((*index)->build_id(), kId);
  EXPECT_EQ((*index)->binary(), SmallBinary());
  EXPECT_TRUE((*index)->return_addresses().Contains(0x1015));
  EXPECT_FALSE((*index)->return_addresses().Contains(0x1010));
  EXPECT_THAT((*index)->UnnamedFunctions(),
              ElementsAre(Pair(0x1000, 0x1010), Pair(0x1020, 0x1300)));
  EXPECT_TRUE((*index)->CheckContent(1));
  const auto found = (*index)->Resolve(std::vector<uint64_t>{0x2001}, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->functions.at(0).linkage_name, "main");
}

TEST(PortableIndexTest, RefusesOtherFiles) {
  const TemporaryFolder folder;
  EXPECT_THAT(OpeningErrorOf(folder.Write("text", "no index")),
              HasSubstr("text: not an index"));
  EXPECT_THAT(
      OpeningErrorOf(folder.Write("cached", SmallIndex())),
      HasSubstr("cached: an index of the cache, which does not travel"));
  std::string old = PortableBytes("app");
  old[kIndexMagic.size()] = 3;
  EXPECT_THAT(OpeningErrorOf(folder.Write("old", old)),
              HasSubstr("old: an index of version 3, expected "));
  EXPECT_THAT(OpeningErrorOf(folder.Write("empty", "")),
              HasSubstr("not an index"));
  EXPECT_THAT(OpeningErrorOf(folder.path()), HasSubstr("not a regular file"));
  EXPECT_THAT(OpeningErrorOf(folder.Path("none")), HasSubstr("No such file"));
}

TEST(PortableIndexTest, SeesDamage) {
  const TemporaryFolder folder;
  const std::string whole = PortableBytes("app");
  std::string damaged = whole;
  damaged[whole.size() - 3] ^= 1;
  const std::string path = folder.Write("damaged", damaged);
  const auto index = PortableIndex::Open(path);
  ASSERT_TRUE(index) << index.error().message;
  const auto checked = (*index)->CheckContent(1);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, path + ": the index is damaged");
  const std::string cut = folder.Write("cut", whole);
  for (size_t size = whole.size(); size-- > 0;) {
    std::filesystem::resize_file(cut, size);
    EXPECT_NE(OpeningErrorOf(cut), "") << size;
  }
}

TEST(DecodeBinaryTest, ReadsAnyBytes) {
  const std::string whole = EncodeBinary(SmallBinary());
  const auto decoded = DecodeBinary(BytesOf(whole));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, SmallBinary());
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(DecodeBinary(BytesOf(whole.substr(0, size)))) << size;
  EXPECT_FALSE(DecodeBinary(BytesOf(whole + '\0')));
  std::string id = whole;
  id[1] = '/';  // would lead out of the folder
  EXPECT_FALSE(DecodeBinary(BytesOf(id)));
  std::string many = whole;
  many.replace(1 + kId.size() + 7 + 16, 4, "\xff\xff\xff\xff");  // segments
  EXPECT_FALSE(DecodeBinary(BytesOf(many)));
}

TEST(DescribeBinaryTest, NeedsABuildIdAndCode) {
  const auto with = ElfImage::Open(FixturePath("gcc_dwarf5"));
  ASSERT_TRUE(with);
  const auto described = DescribeBinary(*with, true, 2);
  ASSERT_TRUE(described) << described.error().message;
  EXPECT_EQ(described->layout, with->layout());
  EXPECT_EQ(*described, *DescribeBinary(*with, true, 1));

  // The same code without a file.
  const ElfImage without =
      ElfImage::FromLayout("x", described->layout, ReturnAddressSet());
  EXPECT_EQ(without.layout(), described->layout);
  EXPECT_FALSE(HashCode(without, 1));
  const auto no_code = DescribeBinary(without, true, 1);
  ASSERT_FALSE(no_code);
  EXPECT_THAT(no_code.error().message, HasSubstr("it has no code"));

  ElfLayout nameless = described->layout;
  nameless.build_id.clear();
  const auto no_id = DescribeBinary(
      ElfImage::FromLayout("x", nameless, ReturnAddressSet()), true, 1);
  ASSERT_FALSE(no_id);
  EXPECT_THAT(no_id.error().message, HasSubstr("no build id"));
}

TEST(PortableIndexTest, IsOfAFileWithTheSameCode) {
  const auto image = ElfImage::Open(FixturePath("gcc_dwarf5"));
  ASSERT_TRUE(image);
  const auto described = DescribeBinary(*image, true, 1);
  const auto bytes = MakePortableIndex("a", *image, *described, SmallMap(), 1);
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(*bytes, *MakePortableIndex("a", *image, *described, SmallMap(), 4));
  const TemporaryFolder folder;
  const auto index = PortableIndex::Open(folder.Write("x", *bytes));
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_TRUE((*index)->IsOf(*image, 1));

  // One changed instruction, with the same build id.
  std::string changed = ReadFile(FixturePath("gcc_dwarf5"));
  const FileSection text = FindSection(changed, ".text");
  changed[text.offset + text.size / 2] ^= 1;
  const auto other = ElfImage::Open(folder.Write("changed", changed));
  ASSERT_TRUE(other);
  EXPECT_EQ(other->build_id(), image->build_id());
  EXPECT_FALSE((*index)->IsOf(*other, 1));
}

TEST(IndexFoldersTest, FindsByBuildIdAndByName) {
  const TemporaryFolder first, second;
  first.Write(NameOf("aa01"), PortableBytes("app", "aa01"));
  second.Write(NameOf("aa01"), PortableBytes("app", "aa01"));
  second.Write(NameOf("aa02"), PortableBytes("app", "aa02"));
  second.Write(NameOf("aa03"), PortableBytes("lib.so", "aa03"));
  IndexFolders folders({{first.path()}, {second.path()}}, 1);
  const PortableIndex* const found = folders.FindByBuildId("aa01");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->path(), first.Path("aa01.idx"));
  EXPECT_NE(folders.FindByBuildId("aa02"), nullptr);
  EXPECT_EQ(folders.FindByBuildId("aa04"), nullptr);
  EXPECT_EQ(folders.FindByBuildId("../x/aa01"), nullptr);
  EXPECT_EQ(folders.FindByBuildId(""), nullptr);
  const auto by_name = folders.FindByName("app");
  ASSERT_THAT(by_name, SizeIs(2));
  EXPECT_EQ(by_name[0], found);
  EXPECT_EQ(by_name[1]->build_id(), "aa02");
  EXPECT_THAT(folders.FindByName("ap"), IsEmpty());
  EXPECT_THAT(folders.problems(), IsEmpty());
}

TEST(IndexFoldersTest, PassesOverWhatCannotBeUsed) {
  const TemporaryFolder folder;
  std::string damaged = PortableBytes("app", "aa01");
  damaged.back() ^= 1;
  folder.Write(NameOf("aa01"), damaged);
  folder.Write(NameOf("aa02"), PortableBytes("app", "aa09"));
  folder.Write(NameOf("aa03"), "no index");
  folder.Write(NameOf("aa04"), PortableBytes("app", "aa04"));
  folder.Write("aa05-12.idx", SmallIndex());  // of the cache
  IndexFolders folders({{folder.path()}, {"/none"}}, 1);
  EXPECT_EQ(folders.FindByBuildId("aa01"), nullptr);
  EXPECT_EQ(folders.FindByBuildId("aa01"), nullptr);
  const auto by_name = folders.FindByName("app");
  ASSERT_THAT(by_name, SizeIs(2));
  EXPECT_FALSE(folders.IsWhole(*by_name[0]));
  EXPECT_TRUE(folders.IsWhole(*by_name[1]));
  EXPECT_THAT(folders.problems(),
              ElementsAre("--index-dir: /none: not a folder",
                          folder.Path("aa01.idx") + ": the index is damaged",
                          folder.Path("aa02.idx") +
                              ": the index of another build: expected the name "
                              "aa09.idx",
                          folder.Path("aa03.idx") + ": not an index"));
}

TEST(IndexFoldersTest, RefusesAnotherFileWithTheBuildId) {
  const auto image = ElfImage::Open(FixturePath("gcc_dwarf5"));
  ASSERT_TRUE(image);
  const TemporaryFolder folder;
  folder.Write(NameOf(image->build_id()),
               PortableBytes("app", image->build_id()));
  IndexFolders folders({{folder.path()}}, 1);
  EXPECT_EQ(folders.FindFor(*image), nullptr);
  ASSERT_THAT(folders.problems(), SizeIs(1));
  EXPECT_THAT(folders.problems().front(), HasSubstr("the code of "));
}

TEST(IndexFoldersTest, UsesAnImpliedFolderOnlyIfItIsThere) {
  const TemporaryFolder folder;
  folder.Write(NameOf(kId), PortableBytes("app"));
  IndexFolders folders({{.path = folder.path(), .is_implied = true},
                        {.path = "/none", .is_implied = true}},
                       1);
  EXPECT_NE(folders.FindByBuildId(kId), nullptr);
  EXPECT_THAT(folders.problems(), IsEmpty());
}

}  // namespace
}  // namespace heapprof
