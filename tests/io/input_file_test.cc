// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <zstd.h>

#include "support/gzip_text.h"
#include "support/resident_size.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

using namespace std::string_view_literals;

// The output of `zstd` for "hello
// ".
constexpr std::string_view kZstdHello =
    "\x28\xb5\x2f\xfd\x04\x58\x31\x00\x00\x68\x65\x6c\x6c\x6f\x0a\x53\x88\xbd\x91"sv;

std::string ErrorOf(const std::string& path, uint64_t max_size) {
  const Result<InputFile> file = InputFile::Open(path, {}, max_size);
  if (file) return "no error";
  return file.error().message;
}

// Reads `bytes` from a FIFO that another thread fills.
Result<InputFile> OpenFifo(const TemporaryFolder& dir, const std::string& bytes,
                           uint64_t max_size = kMaxInflatedSize) {
  const std::string path = dir.Path("fifo");
  EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    // Waits for the reader. A second reader is needed so that the first may
    // stop early without breaking the pipe.
    std::ofstream out(path, std::ios::binary);
    const int keeper = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    out << bytes;
    out.close();
    close(keeper);
  });
  Result<InputFile> file = InputFile::Open(path, {}, max_size);
  writer.join();
  return file;
}

TEST(InputFileTest, ReadsARegularFile) {
  const TemporaryFolder dir;
  const std::string path = dir.Write("a.heap", std::string("x\0y\n", 4));
  const Result<InputFile> file = InputFile::Open(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes(), std::string("x\0y\n", 4));
  EXPECT_EQ(file->path(), path);
  EXPECT_EQ(file->inflate_problem(), "");
  struct stat status = {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(file->mtime(), status.st_mtime);
}

TEST(InputFileTest, ReadsAnEmptyFile) {
  const TemporaryFolder dir;
  const Result<InputFile> file = InputFile::Open(dir.Write("empty", ""));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes(), "");
}

TEST(InputFileTest, ReadsAFileThatSaysItIsEmptyButIsNot) {
  const Result<InputFile> file = InputFile::Open("/proc/self/maps");
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes().contains("io_test"));
}

TEST(InputFileTest, ReadsAFifoToItsEnd) {
  const TemporaryFolder dir;
  const std::string bytes(3 << 20, 'x');
  const Result<InputFile> file = OpenFifo(dir, bytes);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes() == bytes);
  EXPECT_EQ(file->mtime(), 0);
}

TEST(InputFileTest, InflatesAFifo) {
  const TemporaryFolder dir;
  const Result<InputFile> file = OpenFifo(dir, Gzip("from a pipe"));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes(), "from a pipe");
}

TEST(InputFileTest, RejectsAFifoThatHoldsTooMuch) {
  const TemporaryFolder dir;
  const Result<InputFile> file = OpenFifo(dir, std::string(4096, 'x'), 1000);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, dir.Path("fifo") + ": more than 1000 bytes");
}

TEST(InputFileTest, ReadsStandardInputByTheNameDash) {
  const TemporaryFolder dir;
  const std::string path = dir.Write("in", "standard");
  const int saved = dup(STDIN_FILENO);
  const int in = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(dup2(in, STDIN_FILENO), STDIN_FILENO);
  const Result<InputFile> file = InputFile::Open("-");
  // Standard input was not closed.
  EXPECT_GE(fcntl(STDIN_FILENO, F_GETFD), 0);
  dup2(saved, STDIN_FILENO);
  close(saved);
  close(in);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes(), "standard");
  EXPECT_EQ(file->path(), "standard input");
}

TEST(InputFileTest, InflatesGzipWhateverItsName) {
  const TemporaryFolder dir;
  for (const char* name : {"a.heap.gz", "a.heap"}) {
    const std::string path = dir.Write(name, Gzip("heap_v2/1\n"));
    const Result<InputFile> file = InputFile::Open(path);
    ASSERT_TRUE(file) << name;
    EXPECT_EQ(file->bytes(), "heap_v2/1\n");
    EXPECT_EQ(file->inflate_problem(), "");
    EXPECT_NE(file->mtime(), 0);
  }
}

TEST(InputFileTest, KeepsWhatATruncatedGzipFileHoldsAndSaysSo) {
  const TemporaryFolder dir;
  std::string compressed = Gzip("heap_v2/1\n");
  compressed.resize(compressed.size() - 1);
  const Result<InputFile> file = InputFile::Open(dir.Write("a.gz", compressed));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes(), "heap_v2/1\n");
  EXPECT_EQ(file->inflate_problem(), "gzip data ends early, at byte " +
                                         std::to_string(compressed.size()));
}

TEST(InputFileTest, NamesTheFileInEveryError) {
  const TemporaryFolder dir;
  const std::string bomb = dir.Write("bomb.gz", Gzip(std::string(5000, '0')));
  const std::string stub = dir.Write("stub.gz", "\x1f\x8b\x08");
  struct Case {
    std::string path;
    std::string message;
  };
  const Case kCases[] = {
      {dir.Path("missing"), ": cannot open: No such file or directory"},
      {bomb + "/x", ": cannot open: Not a directory"},
      {dir.path(), ": is a directory"},
      {bomb,
       ": gzip data inflates to more than 1000 bytes; if you trust the file, "
       "decompress it first"},
      {stub, ": gzip data ends early, at byte 3"},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(ErrorOf(c.path, 1000), c.path + c.message);
}

TEST(InputFileTest, InflatesZstdWhateverItsName) {
  const TemporaryFolder dir;
  for (const char* name : {"a.heap.zst", "a.heap"}) {
    const Result<InputFile> file = InputFile::Open(dir.Write(name, kZstdHello));
    ASSERT_TRUE(file) << name;
    EXPECT_EQ(file->bytes(), "hello\n");
    EXPECT_EQ(file->inflate_problem(), "");
  }
  const Result<InputFile> piped = OpenFifo(dir, std::string(kZstdHello));
  ASSERT_TRUE(piped);
  EXPECT_EQ(piped->bytes(), "hello\n");
}

TEST(InputFileTest, LimitsInflationBySizeAndRatio) {
  struct Case {
    uint64_t compressed;
    uint64_t limit;
  };
  const Case kCases[] = {
      {0, 67108864},
      {1000000, 195108864},
      {133693439, 17179869056},  // the largest below 16 GiB
      {133693440, 17179869184},
      {UINT64_MAX, 17179869184},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(InflatedLimit(c.compressed), c.limit) << c.compressed;
}

TEST(InputFileTest, StopsABombOfALargeRatio) {
  const TemporaryFolder dir;
  const std::string zeros(size_t{100} << 20, '\0');
  std::string bomb(ZSTD_compressBound(zeros.size()), '\0');
  bomb.resize(ZSTD_compress(bomb.data(), bomb.size(), zeros.data(),
                            zeros.size(), /*compressionLevel=*/1));
  const std::string path = dir.Write("bomb.zst", bomb);
  EXPECT_EQ(ErrorOf(path, kMaxInflatedSize),
            path + ": zstd data inflates to more than " +
                std::to_string(67108864 + 128 * bomb.size()) +
                " bytes; if you trust the file, decompress it first");
}

TEST(InputFileTest, MovesKeepTheBytes) {
  const TemporaryFolder dir;
  const std::string mapped = dir.Write("mapped", "mapped bytes");
  const std::string inflated = dir.Write("inflated.gz", Gzip("inflated"));
  for (const auto& [path, content] :
       {std::pair{mapped, "mapped bytes"}, {inflated, "inflated"}}) {
    Result<InputFile> opened = InputFile::Open(path);
    ASSERT_TRUE(opened);
    InputFile moved = std::move(*opened);
    EXPECT_EQ(moved.bytes(), content);
    Result<InputFile> other = InputFile::Open(mapped);
    ASSERT_TRUE(other);
    *other = std::move(moved);
    EXPECT_EQ(other->bytes(), content);
    EXPECT_EQ(other->path(), path);
  }
}

TEST(InputFileTest, DropsItsPagesAndReadsThemAgain) {
  const TemporaryFolder dir;
  const std::string content(64 << 10, 'x');
  const std::string path = dir.Write("mapped", content);
  const Result<InputFile> file = InputFile::Open(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes(), content);
  file->DropPages(file->bytes());
  EXPECT_EQ(ResidentSize(path), 0u);
  EXPECT_EQ(file->bytes(), content);
}

TEST(InputFileTest, KeepsWhatItInflatedIfItsPagesAreDropped) {
  const TemporaryFolder dir;
  const std::string content(64 << 10, 'x');
  const Result<InputFile> file =
      InputFile::Open(dir.Write("inflated.gz", Gzip(content)));
  ASSERT_TRUE(file);
  file->DropPages(file->bytes());
  EXPECT_EQ(file->bytes(), content);
}

}  // namespace
}  // namespace heapprof
