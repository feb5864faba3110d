// SPDX-License-Identifier: Apache-2.0
//
// ELF files that are truncated, damaged or something else.
#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/elf/call_check.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

// Offsets of fields in the headers of files, segments and sections.
constexpr size_t kProgramOffset = 0x20;
constexpr size_t kSectionOffset = 0x28;
constexpr size_t kProgramEntrySize = 0x36;
constexpr size_t kProgramCount = 0x38;
constexpr size_t kSectionEntrySize = 0x3a;
constexpr size_t kShOffset = 0x18;
constexpr size_t kShSize = 0x20;

TEST(DamagedElfTest, SaysWhatIsWrongWithTheFile) {
  struct Case {
    const char* what;
    std::function<void(std::string&)> damage;
    ErrorKind kind;
    std::string message;  // the text after "PATH: "
  };
  const std::string sound = ReadFile(FixturePath("pie"));
  const std::string size = std::to_string(sound.size());
  const auto put = [](size_t offset, size_t width, uint64_t value) {
    return [=](std::string& bytes) { PutNumber(bytes, offset, width, value); };
  };
  const auto cut = [](size_t length) {
    return [=](std::string& bytes) { bytes.resize(length); };
  };
  const std::string table = std::to_string(GetNumber(sound, kSectionOffset, 8));
  const std::vector<Case> cases = {
      {"empty", cut(0), ErrorKind::kOtherFormat, "not an ELF file"},
      {"magic cut", cut(3), ErrorKind::kOtherFormat, "not an ELF file"},
      {"text", [](std::string& bytes) { bytes = "heap_v2/524288\n"; },
       ErrorKind::kOtherFormat, "not an ELF file"},
      {"magic only", cut(4), ErrorKind::kBadFormat,
       "truncated or damaged ELF header"},
      {"header cut", cut(63), ErrorKind::kBadFormat,
       "truncated or damaged ELF header"},
      {"half a file", cut(sound.size() / 2), ErrorKind::kBadFormat,
       "section header table at offset " + table + " lies outside the file (" +
           std::to_string(sound.size() / 2) + " bytes)"},
      {"last byte missing", cut(sound.size() - 1), ErrorKind::kBadFormat,
       "section header table at offset " + table + " lies outside the file (" +
           std::to_string(sound.size() - 1) + " bytes)"},
      {"wild section table", put(kSectionOffset, 8, uint64_t{1} << 62),
       ErrorKind::kBadFormat,
       "section header table at offset 4611686018427387904 lies outside the "
       "file (" +
           size + " bytes)"},
      {"wild program table", put(kProgramOffset, 8, UINT64_MAX),
       ErrorKind::kBadFormat,
       "program header table at offset 18446744073709551615 lies outside the "
       "file (" +
           size + " bytes)"},
      {"section headers of another size", put(kSectionEntrySize, 2, 40),
       ErrorKind::kBadFormat, "section headers of 40 bytes, expected 64"},
      {"program headers of another size", put(kProgramEntrySize, 2, 0),
       ErrorKind::kBadFormat, "program headers of 0 bytes, expected 56"},
  };
  for (const Case& c : cases) {
    std::string bytes = sound;
    c.damage(bytes);
    const TemporaryFile file(bytes);
    const Result<ElfImage> image = ElfImage::Open(file.path());
    ASSERT_FALSE(image) << c.what;
    EXPECT_EQ(image.error().message, file.path() + ": " + c.message) << c.what;
    EXPECT_EQ(image.error().kind, c.kind) << c.what;
  }
}

TEST(DamagedElfTest, SaysWhyAFileCannotBeOpened) {
  const std::string missing = testing::TempDir() + "heapprof-no-such-file";
  EXPECT_EQ(ElfImage::Open(missing).error().message,
            missing + ": cannot open: No such file or directory");
  EXPECT_EQ(ElfImage::Open(testing::TempDir()).error().message,
            testing::TempDir() + ": not a regular file");
}

TEST(DamagedElfTest, RejectsAPipeWithoutWaitingForItsWriter) {
  const std::string path =
      testing::TempDir() + "heapprof-pipe-" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Result<ElfImage> image = ElfImage::Open(path);
  unlink(path.c_str());
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().message, path + ": not a regular file");
}

TEST(DamagedElfTest, RejectsThousandsOfLoadSegments) {
  constexpr size_t kHeaderSize = 64;
  constexpr size_t kSegmentSize = 56;
  constexpr uint16_t kCount = 5000;
  std::string bytes = ReadFile(FixturePath("pie")).substr(0, kHeaderSize);
  PutNumber(bytes, kSectionOffset, 8, 0);
  PutNumber(bytes, kProgramOffset, 8, kHeaderSize);
  PutNumber(bytes, kProgramCount, 2, kCount);
  bytes.resize(kHeaderSize + kCount * kSegmentSize);
  for (size_t i = 0; i < kCount; ++i)
    PutNumber(bytes, kHeaderSize + i * kSegmentSize, 4, PT_LOAD);
  const TemporaryFile file(bytes);
  const Result<ElfImage> image = ElfImage::Open(file.path());
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().message,
            file.path() + ": more than 4096 PT_LOAD segments");
}

TEST(DamagedElfTest, OpensFilesWhoseSectionsLieOutsideAndFindsNothingThere) {
  const std::string sound = ReadFile(FixturePath("linked"));
  const FileSection link = FindSection(sound, ".gnu_debuglink");
  const FileSection symbols = FindSection(sound, ".dynsym");
  const FileSection note = FindSection(sound, ".note.gnu.build-id");
  struct Case {
    size_t field;
    uint64_t value;
  };
  for (const auto& [field, value] : std::vector<Case>{
           {kShOffset, sound.size() - 2},
           {kShOffset, uint64_t{1} << 40},
           {kShOffset, INT64_MAX},
           {kShOffset, UINT64_MAX},
           {kShSize, 0},
           {kShSize, sound.size()},
           {kShSize, INT64_MAX},
           {kShSize, UINT64_MAX},
       }) {
    std::string bytes = sound;
    for (const FileSection& section : {link, symbols, note})
      PutNumber(bytes, section.header_at + field, 8, value);
    const TemporaryFile file(bytes);
    const Result<ElfImage> image = ElfImage::Open(file.path());
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_FALSE(image->debug_link()) << value;
    // The build id is also in a segment, which is intact.
    EXPECT_EQ(image->build_id(), "0123456789abcdef") << value;
    const uint64_t main = FindNm("pie", "main").address;
    EXPECT_FALSE(SymbolTable::Load({&*image}).Find(main)) << value;
  }
}

// Calls all functions of the module, with addresses all over the file.
void Use(const std::string& path) {
  const Result<ElfImage> image = ElfImage::Open(path);
  if (!image) {
    EXPECT_TRUE(image.error().message.starts_with(path + ": "))
        << image.error().message;
    return;
  }
  const SymbolTable table = SymbolTable::Load({&*image});
  std::vector<uint64_t> addresses;
  for (const LoadSegment& segment : image->load_segments())
    for (uint64_t step = 0; step < 64; ++step)
      addresses.push_back(segment.address + segment.memory_size / 64 * step);
  for (uint64_t address : addresses) {
    const std::optional<Symbol> symbol = table.Find(address);
    if (!symbol) continue;
    EXPECT_LE(symbol->address, address);
    EXPECT_LT(address - symbol->address, symbol->size);
  }
  const CallCheck check = CheckReturnAddresses(*image, addresses);
  EXPECT_LE(check.after_call, check.checked);
}

TEST(DamagedElfTest, SurvivesAThousandMutations) {
  const std::string sound = ReadFile(FixturePath("symbols"));
  const uint64_t section_table = GetNumber(sound, kSectionOffset, 8);
  const TemporaryFile file("");
  std::mt19937 random(20240229);
  const auto draw = [&random](uint64_t limit) { return random() % limit; };
  for (int round = 0; round < 1000; ++round) {
    SCOPED_TRACE(round);
    std::string bytes = sound;
    for (uint64_t i = draw(8) + 1; i > 0; --i) {
      // Damage matters most in the headers of the file, segments and sections.
      const uint64_t places[] = {
          draw(64), 64 + draw(10 * 56),
          section_table + draw(bytes.size() - section_table),
          draw(bytes.size())};
      const uint64_t at = places[draw(4)];
      const uint64_t values[] = {0, 0xff, 0x7f, 0x80, draw(256)};
      if (at < bytes.size()) PutNumber(bytes, at, 1, values[draw(5)]);
    }
    if (draw(4) == 0) bytes.resize(draw(bytes.size()));
    file.Write(bytes);
    Use(file.path());
  }
}

}  // namespace
}  // namespace heapprof
