// SPDX-License-Identifier: Apache-2.0
#include "heapprof/index/index_key.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// An ELF file whose section .data is `content`.
class KeyedFile {
 public:
  explicit KeyedFile(const std::string& content,
                     const std::string& build_id = {})
      : file_(MakeElf(Sections(content, build_id))) {
    auto image = ElfImage::Open(file_.path());
    EXPECT_TRUE(image) << image.error().message;
    image_.emplace(std::move(*image));
  }
  const ElfImage& image() const { return *image_; }

 private:
  static std::map<std::string, DwarfBytes> Sections(
      const std::string& content, const std::string& build_id) {
    std::map<std::string, DwarfBytes> sections = {
        {".data", DwarfBytes().Text(content)}};
    if (build_id.empty()) return sections;
    DwarfBytes note;
    note.U32(4).U32(build_id.size()).U32(3).Text("GNU");
    for (const char c : build_id) note.U8(static_cast<uint8_t>(c));
    sections[".note.gnu.build-id"] = note;
    return sections;
  }

  TemporaryFile file_;
  std::optional<ElfImage> image_;
};

TEST(IndexKeyTest, IdentifiesAFileByItsContent) {
  const KeyedFile file("content");
  const IndexKey key = IndexKeyOf(file.image(), file.image(), nullptr);
  EXPECT_THAT(key.text, StartsWith("binary content "));
  EXPECT_THAT(key.file_name, StartsWith("content-"));
  EXPECT_TRUE(key.file_name.ends_with(".idx"));
  EXPECT_EQ(key.label, file.image().path());
  const KeyedFile same("content");
  const KeyedFile other("Content");
  EXPECT_EQ(IndexKeyOf(same.image(), same.image(), nullptr).file_name,
            key.file_name);
  EXPECT_NE(IndexKeyOf(other.image(), other.image(), nullptr).file_name,
            key.file_name);
}

TEST(IndexKeyTest, NamesTheBinaryTheDebugFileAndTheAlternateFile) {
  const KeyedFile binary("binary");
  const KeyedFile debug("debug");
  const KeyedFile alternate("alternate");
  const IndexKey key =
      IndexKeyOf(binary.image(), debug.image(), &alternate.image());
  EXPECT_THAT(key.text, StartsWith("binary "));
  EXPECT_THAT(key.text, HasSubstr("\ndebug "));
  EXPECT_THAT(key.text, HasSubstr("\nalternate "));
  EXPECT_EQ(key.label, binary.image().path());
  const IndexKey without = IndexKeyOf(binary.image(), debug.image(), nullptr);
  EXPECT_NE(without.file_name, key.file_name);
}

TEST(IndexKeyTest, RecordsAMissingAlternateFile) {
  const KeyedFile binary("binary");
  TemporaryFile file(MakeElf(
      {{".gnu_debugaltlink", DwarfBytes().Text("gone").Number(0x1234, 20)}}));
  const auto debug = ElfImage::Open(file.path());
  ASSERT_TRUE(debug);
  EXPECT_THAT(IndexKeyOf(binary.image(), *debug, nullptr).text,
              HasSubstr("\nalternate missing\n"));
}

}  // namespace
}  // namespace heapprof
