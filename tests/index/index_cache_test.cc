// SPDX-License-Identifier: Apache-2.0
#include "heapprof/index/index_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/index/index_file.h"
#include "index/index_testing.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

IndexKey KeyOf(int number) {
  return {.text = fmt::format("binary build-id {} size 1\n", number),
          .file_name = fmt::format("{}.idx", number),
          .label = fmt::format("/bin/{}", number)};
}

std::string IndexOf(const IndexKey& key) {
  const CodeMap map = SmallMap();
  return *EncodeIndex(key, &map);
}

class IndexCacheTest : public testing::Test {
 protected:
  std::string Path() const { return folder_.Path("deep/cache"); }
  std::string Path(const std::string& name) const {
    return Path() + '/' + name;
  }
  IndexCache Cache(uint64_t max_size = kDefaultCacheSize) const {
    return IndexCache(Path(), max_size);
  }

  static void Store(const IndexCache& cache, const IndexKey& key) {
    const auto slot = cache.Reserve(key);
    ASSERT_TRUE(slot) << slot.error().message;
    ASSERT_NE(*slot, nullptr);
    const auto filled = (*slot)->Fill(IndexOf(key));
    ASSERT_TRUE(filled) << filled.error().message;
  }

  // Names in the directory, sorted.
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(Path()))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  static bool Has(const IndexCache& cache, const IndexKey& key) {
    const auto found = cache.Find(key);
    EXPECT_TRUE(found) << found.error().message;
    return found && *found != nullptr;
  }

  static bool CanReserve(const IndexCache& cache, const IndexKey& key) {
    const auto slot = cache.Reserve(key);
    EXPECT_TRUE(slot) << slot.error().message;
    return slot && *slot != nullptr;
  }

  static std::string FindError(const IndexCache& cache, const IndexKey& key) {
    const auto found = cache.Find(key);
    return found ? "" : found.error().message;
  }

  // Sets the time of last use, `seconds` ago.
  void Age(const IndexKey& key, int seconds) const {
    fs::last_write_time(Path(key.file_name), fs::file_time_type::clock::now() -
                                                 std::chrono::seconds(seconds));
  }

  TemporaryFolder folder_;
};

TEST_F(IndexCacheTest, FindsWhatWasStored) {
  EXPECT_FALSE(Has(Cache(), KeyOf(1)));
  Store(Cache(), KeyOf(1));
  const auto found = Cache().Find(KeyOf(1));
  ASSERT_TRUE(found && *found != nullptr);
  EXPECT_TRUE((*found)->has_map());
  const auto answer = (*found)->Resolve({{0x2000}}, 1);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->functions.at(0).linkage_name, "main");
  EXPECT_FALSE(Has(Cache(), KeyOf(2)));
}

TEST_F(IndexCacheTest, IsReadableByItsOwnerOnly) {
  Store(Cache(), KeyOf(1));
  struct stat status = {};
  ASSERT_EQ(stat(Path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(stat(Path("1.idx").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(IndexCacheTest, LeavesNothingIfASlotIsNotFilled) {
  {
    const auto slot = Cache().Reserve(KeyOf(1));
    ASSERT_TRUE(slot);
    EXPECT_THAT(Files(), ElementsAre(EndsWith(".tmp")));
  }
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(IndexCacheTest, DoesNotReserveWhatExistsOrIsBeingBuilt) {
  {
    const auto first = Cache().Reserve(KeyOf(1));
    ASSERT_TRUE(first && *first != nullptr);
    const auto second = Cache().Reserve(KeyOf(1));
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(*second, nullptr);
    EXPECT_NE(*Cache().Reserve(KeyOf(2)), nullptr);
    ASSERT_TRUE((*first)->Fill(IndexOf(KeyOf(1))));
  }
  const auto third = Cache().Reserve(KeyOf(1));
  ASSERT_TRUE(third);
  EXPECT_EQ(*third, nullptr);
  EXPECT_THAT(Files(), ElementsAre("1.idx"));
}

TEST_F(IndexCacheTest, RebuildsAnIndexOfOtherSplitFiles) {
  IndexKey key = KeyOf(1);
  key.split_files = "file size 1\n";
  Store(Cache(), key);
  const auto found = Cache().Find(KeyOf(1));
  ASSERT_TRUE(found && *found != nullptr);
  EXPECT_EQ((*found)->split_files(), key.split_files);
  EXPECT_FALSE(CanReserve(Cache(), key));
  EXPECT_TRUE(CanReserve(Cache(), KeyOf(1)));
  key.split_files = "file size 2\n";
  Store(Cache(), key);
  EXPECT_FALSE(CanReserve(Cache(), key));
  EXPECT_THAT(Files(), ElementsAre("1.idx"));
}

TEST_F(IndexCacheTest, RemovesFilesOfDeadBuilders) {
  fs::create_directories(Path());
  WriteFile(Path("1.idx.abcdef.tmp"), "half an index");
  WriteFile(Path("notes.tmp"), "not ours");
  Store(Cache(), KeyOf(1));
  EXPECT_THAT(Files(), ElementsAre("1.idx", "notes.tmp"));

  WriteFile(Path("2.idx.abcdef.tmp"), "half an index");
  ASSERT_TRUE(Cache().Prune());
  EXPECT_THAT(Files(), ElementsAre("1.idx", "notes.tmp"));
}

TEST_F(IndexCacheTest, KeepsFilesOfLivingBuilders) {
  fs::create_directories(Path());
  WriteFile(Path("1.idx.abcdef.tmp"), "half an index");
  const int fd = open(Path("1.idx.abcdef.tmp").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(fd, LOCK_EX), 0);
  ASSERT_TRUE(Cache().Prune());
  ASSERT_TRUE(Cache().Clear());
  EXPECT_EQ(*Cache().Reserve(KeyOf(1)), nullptr);
  EXPECT_THAT(Files(), ElementsAre("1.idx.abcdef.tmp"));
  close(fd);
}

TEST_F(IndexCacheTest, RefusesADamagedIndexAndReplacesIt) {
  Store(Cache(), KeyOf(1));
  std::string bytes = ReadFile(Path("1.idx"));
  bytes.back() ^= 1;
  WriteFile(Path("1.idx"), bytes);
  EXPECT_EQ(FindError(Cache(), KeyOf(1)),
            Path("1.idx") + ": the index is damaged");
  Store(Cache(), KeyOf(1));
  EXPECT_TRUE(Has(Cache(), KeyOf(1)));
}

TEST_F(IndexCacheTest, RefusesAFileCutAtAnyLength) {
  Store(Cache(), KeyOf(1));
  const std::string whole = ReadFile(Path("1.idx"));
  for (size_t size = 0; size < whole.size(); size += 1 + size / 50) {
    WriteFile(Path("1.idx"), whole.substr(0, size));
    EXPECT_THAT(FindError(Cache(), KeyOf(1)), HasSubstr("index")) << size;
  }
}

TEST_F(IndexCacheTest, RefusesTheIndexOfOtherFiles) {
  Store(Cache(), KeyOf(1));
  fs::rename(Path("1.idx"), Path("2.idx"));
  EXPECT_EQ(FindError(Cache(), KeyOf(2)),
            Path("2.idx") + ": the index was made from other files");
}

TEST_F(IndexCacheTest, RefusesLinksAndPipes) {
  Store(Cache(), KeyOf(1));
  fs::create_symlink(Path("1.idx"), Path("2.idx"));
  EXPECT_THAT(FindError(Cache(), KeyOf(2)), HasSubstr("cannot open"));
  ASSERT_EQ(mkfifo(Path("3.idx").c_str(), 0600), 0);
  EXPECT_EQ(FindError(Cache(), KeyOf(3)),
            Path("3.idx") + ": not a file of yours");
}

TEST_F(IndexCacheTest, RefusesAFileInPlaceOfTheDirectory) {
  folder_.Write("deep", "a file");
  EXPECT_EQ(FindError(Cache(), KeyOf(1)),
            Path() + ": cannot use it as a cache: Not a directory");
  const auto slot = Cache().Reserve(KeyOf(1));
  ASSERT_FALSE(slot);
  EXPECT_THAT(slot.error().message,
              AllOf(HasSubstr("cannot create the directory: "),
                    EndsWith("--cache-dir names another, --no-cache needs "
                             "none")));
  EXPECT_FALSE(Cache().List());
  EXPECT_FALSE(Cache().Prune());
  EXPECT_FALSE(Cache().Clear());
}

TEST_F(IndexCacheTest, RefusesADirectoryOfAnotherUser) {
  std::string foreign = "/usr";
  if (geteuid() == 0) {  // to whom that one belongs
    constexpr uid_t kOther = 12345;
    Store(Cache(), KeyOf(1));
    ASSERT_EQ(chown(Path().c_str(), kOther, kOther), 0);
    foreign = Path();
  }
  const IndexCache cache(foreign);
  const std::string message =
      foreign + ": not used as a cache: it belongs to another user";
  EXPECT_EQ(FindError(cache, KeyOf(1)), message);
  const auto slot = cache.Reserve(KeyOf(1));
  ASSERT_FALSE(slot);
  EXPECT_EQ(slot.error().message, message);
}

TEST_F(IndexCacheTest, RefusesAnIndexOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  Store(Cache(), KeyOf(1));
  constexpr uid_t kOther = 12345;
  ASSERT_EQ(chown(Path("1.idx").c_str(), kOther, kOther), 0);
  EXPECT_EQ(FindError(Cache(), KeyOf(1)),
            Path("1.idx") + ": not a file of yours");
  EXPECT_THAT(*Cache().List(), IsEmpty());
}

// Like a full disk: the write fails half way.
TEST_F(IndexCacheTest, LeavesNothingIfAWriteFails) {
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  rlimit small = limit;
  small.rlim_cur = 100;
  {
    const auto slot = Cache().Reserve(KeyOf(1));
    ASSERT_TRUE(slot && *slot != nullptr);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto filled = (*slot)->Fill(IndexOf(KeyOf(1)));
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ASSERT_FALSE(filled);
    EXPECT_EQ(filled.error().message,
              Path() + ": cannot write: File too large");
  }
  std::signal(SIGXFSZ, before);
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(IndexCacheTest, RemovesTheLeastRecentlyUsedFirst) {
  const uint64_t size = IndexOf(KeyOf(1)).size();
  for (int i = 1; i <= 4; ++i) {
    Store(Cache(), KeyOf(i));
    Age(KeyOf(i), 1000 - i);
  }
  ASSERT_TRUE(Has(Cache(), KeyOf(1)));  // is used now
  Store(Cache(3 * size), KeyOf(5));
  EXPECT_THAT(Files(), ElementsAre("1.idx", "4.idx", "5.idx"));
  const auto pruned = Cache(2 * size).Prune();
  ASSERT_TRUE(pruned);
  EXPECT_EQ(pruned->removed_count, 1u);
  EXPECT_EQ(pruned->removed_bytes, size);
  EXPECT_THAT(Files(), ElementsAre("1.idx", "5.idx"));
}

TEST_F(IndexCacheTest, RefusesAnIndexLargerThanTheCache) {
  Store(Cache(), KeyOf(1));
  const auto slot = Cache(100).Reserve(KeyOf(2));
  ASSERT_TRUE(slot && *slot != nullptr);
  const auto filled = (*slot)->Fill(IndexOf(KeyOf(2)));
  ASSERT_FALSE(filled);
  EXPECT_THAT(filled.error().message,
              HasSubstr("is larger than the maximum size"));
  EXPECT_TRUE(Has(Cache(), KeyOf(1)));
}

TEST_F(IndexCacheTest, ListsIndexes) {
  EXPECT_THAT(*Cache().List(), IsEmpty());
  Store(Cache(), KeyOf(1));
  Age(KeyOf(1), 100);
  Store(Cache(), KeyOf(2));
  WriteFile(Path("3.idx"), "damaged");
  Age(KeyOf(3), 200);
  WriteFile(Path("other"), "not ours");
  const auto entries = Cache().List();
  ASSERT_TRUE(entries);
  ASSERT_THAT(*entries, SizeIs(3));
  EXPECT_EQ((*entries)[0].label, "/bin/2");
  EXPECT_EQ((*entries)[1].label, "/bin/1");
  EXPECT_TRUE((*entries)[1].is_valid);
  EXPECT_TRUE((*entries)[1].has_map);
  EXPECT_EQ((*entries)[1].size, IndexOf(KeyOf(1)).size());
  EXPECT_EQ((*entries)[2].file_name, "3.idx");
  EXPECT_FALSE((*entries)[2].is_valid);
}

// As it prunes them.
TEST_F(IndexCacheTest, ListsTheLastUsedOfASecondFirst) {
  const auto used = fs::file_time_type::clock::now();
  for (int i = 1; i <= 3; ++i) {
    Store(Cache(), KeyOf(i));
    fs::last_write_time(Path(KeyOf(i).file_name),
                        used + std::chrono::microseconds(i));
  }
  const auto entries = Cache().List();
  ASSERT_TRUE(entries);
  std::vector<std::string> names;
  for (const CacheEntry& entry : *entries) names.push_back(entry.file_name);
  EXPECT_THAT(names, ElementsAre("3.idx", "2.idx", "1.idx"));
}

TEST_F(IndexCacheTest, PrunesUnusableIndexes) {
  Store(Cache(), KeyOf(1));
  WriteFile(Path("2.idx"), "damaged");
  WriteFile(Path("other"), "not ours");
  const auto pruned = Cache().Prune();
  ASSERT_TRUE(pruned);
  EXPECT_EQ(pruned->removed_count, 1u);
  EXPECT_EQ(pruned->removed_bytes, 7u);
  EXPECT_THAT(Files(), ElementsAre("1.idx", "other"));
}

TEST_F(IndexCacheTest, ClearsItsOwnFilesOnly) {
  for (int i = 1; i <= 3; ++i) Store(Cache(), KeyOf(i));
  WriteFile(Path("other"), "not ours");
  const auto cleared = Cache().Clear();
  ASSERT_TRUE(cleared);
  EXPECT_EQ(cleared->removed_count, 3u);
  EXPECT_THAT(Files(), ElementsAre("other"));
}

TEST_F(IndexCacheTest, DiscardsOneIndex) {
  for (int i = 1; i <= 2; ++i) Store(Cache(), KeyOf(i));
  Cache().Discard(KeyOf(1));
  EXPECT_THAT(Files(), ElementsAre("2.idx"));
}

}  // namespace
}  // namespace heapprof
