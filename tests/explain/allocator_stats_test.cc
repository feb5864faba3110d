// SPDX-License-Identifier: Apache-2.0
#include "heapprof/explain/allocator_stats.h"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain/example.h"
#include "explain/stats_fields.h"
#include "heapprof/io/input_file.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kJson = R"({"jemalloc":{"version":"5.3.0-0-g1",
"opt":{"prof":true,"narenas":8,"cache_oblivious":true,"lg_prof_sample":17},
"prof":{"lg_sample":19},
"arenas":{"page":4096,"dirty_decay_ms":10000,"quantum":16,
 "bin":[{"size":8,"nregs":512,"slab_size":4096},
        {"size":16,"nregs":256,"slab_size":4096}],
 "lextent":[{"size":16384},{"size":20480}]},
"stats":{"allocated":33568,"active":49152,"metadata":12,"resident":90000,
 "mapped":100000,"retained":5,"background_thread":{"num_threads":1}},
"stats.arenas":{
 "0":{"dirty_decay_ms":-1,"muzzy_decay_ms":0,"pactive":12,"pdirty":3,
  "mapped":100000,"base":7,"internal":5,"tcache_bytes":9,
  "mutexes":{"base":{"num_ops":77}},
  "bins":[{"curregs":0,"curslabs":0,"mutex":{"num_ops":1}},
          {"curregs":50,"curslabs":2,"mutex":{"num_ops":1}}],
  "lextents":[{"curlextents":2},{"curlextents":0}]}}}})";

// Two numbers of the last table touch.
constexpr std::string_view kText = R"(a line of the log
___ Begin jemalloc statistics ___
Version: "5.3.0-0-g1"
  opt.prof: true
  opt.narenas: 8
  opt.cache_oblivious: true
  opt.dirty_decay_ms: 10000 (arenas.dirty_decay_ms: 10000)
  opt.lg_prof_sample: 17 (prof.lg_sample: 19)
  prof.lg_sample: 19
Page size: 4096
Allocated: 33568, active: 49152, metadata: 12 (n_thp 0), resident: 90000, mapped: 100000, retained: 5
Background threads: 1, num_runs: 0, run_interval: 0 ns
arenas[0]:
decaying:  time       npages       sweeps     madvises       purged
   dirty:    -1            3            0            0            0
   muzzy:     0            0            0            0            0
active:                         49152
mapped:                        100000
base:                               7
internal:                           5
tcache_bytes:                       9
base                               77       0
bins:           size ind    allocated (#/sec)      curregs     curslabs regs pgs   util
                     ---
                  16   1          800     800           50            2  256   1  0.098
                     ---
large:          size ind    allocated      nmalloc (#/sec)  curlextents
               16384   2        32768    12345678912345678            2
                     ---
--- End jemalloc statistics ---
)";

Result<AllocatorStats> Parse(std::string_view bytes) {
  return ParseAllocatorStats(bytes, "stats");
}

std::string ErrorOf(std::string_view bytes) {
  const auto stats = Parse(bytes);
  return stats ? "no error" : stats.error().message;
}

TEST(AllocatorStatsTest, ReadsJson) {
  const auto stats = Parse(kJson);
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_EQ(stats->version, "5.3.0-0-g1");
  EXPECT_EQ(stats->lg_sample, 19);
  EXPECT_EQ(stats->resident, 90000);
  EXPECT_EQ(stats->background_threads, 1);
  ASSERT_EQ(stats->arenas.size(), 1);
  ASSERT_TRUE(stats->total);
  EXPECT_EQ(stats->total->dirty_decay_ms, -1);
  EXPECT_EQ(stats->total->base, 7);
  EXPECT_EQ(stats->total->tcache_stashed_bytes, std::nullopt);
  EXPECT_THAT(*stats->total->small, ElementsAre(SmallClass{16, 256, 50, 2}));
  EXPECT_THAT(*stats->total->large, ElementsAre(LargeClass{16384, 2}));
}

TEST(AllocatorStatsTest, ReadsTheSameFromText) {
  auto text = Parse(kText);
  ASSERT_TRUE(text) << text.error().message;
  auto json = Parse(kJson);
  ASSERT_TRUE(json) << json.error().message;
  // This JSON leaves it out, and so it is not known.
  EXPECT_EQ(json->total->muzzy_pages, std::nullopt);
  for (ArenaStats* arena : {&*json->total, &json->arenas[0].second})
    arena->muzzy_pages = 0;
  EXPECT_EQ(*text, *json);
}

std::string Replaced(std::string_view text, std::string_view what,
                     std::string_view by) {
  std::string replaced(text);
  replaced.replace(replaced.find(what), what.size(), by);
  return replaced;
}

TEST(AllocatorStatsTest, TheBuildDecidesWhatNoOptionSays) {
  const std::string json = Replaced(
      kJson, R"("opt":{)", R"("config":{"cache_oblivious":false},"opt":{)");
  EXPECT_EQ(Parse(json)->cache_oblivious, true);
  EXPECT_EQ(
      Parse(Replaced(json, R"("cache_oblivious":true,)", ""))->cache_oblivious,
      false);
  const std::string text = Replaced(
      kText, "  opt.prof", "  config.cache_oblivious: false\n  opt.prof");
  EXPECT_EQ(Parse(text)->cache_oblivious, true);
  EXPECT_EQ(Parse(Replaced(text, "  opt.cache_oblivious: true\n", ""))
                ->cache_oblivious,
            false);
}

// Of testdata/programs/resident.cc with jemallocs of nine years.
TEST(AllocatorStatsTest, ReadsAllVersions) {
  for (const std::string version :
       {"4.5.0", "5.0.1", "5.2.1", "5.3.0", "5.3.1"})
    for (const char* form : {".txt", ".json"}) {
      const std::string path =
          HEAPPROF_TESTDATA "/corpus/allocator_stats/" + version + form;
      const auto file = InputFile::Open(path);
      if (!file) continue;  // not every one has both
      const auto stats = Parse(file->bytes());
      ASSERT_TRUE(stats) << stats.error().message;
      EXPECT_TRUE(stats->version.starts_with(version)) << path;
      EXPECT_THAT(FindContradictions(*stats), IsEmpty()) << path;
      EXPECT_EQ(stats->page_size, 4096) << path;
      EXPECT_EQ(stats->lg_sample, 19) << path;
      EXPECT_TRUE(stats->total->dirty_pages) << path;
      const auto objects =
          std::ranges::find(*stats->total->small, 224, &SmallClass::size);
      ASSERT_NE(objects, stats->total->small->end()) << path;
      EXPECT_NEAR(static_cast<double>(objects->regions), 220000, 500) << path;
      EXPECT_EQ(objects->regions_per_slab, 128) << path;
    }
}

TEST(AllocatorStatsTest, BothFormsAreEqualInAllVersions) {
  for (const std::string version : {"4.5.0", "5.3.0", "5.3.1"}) {
    const std::string path =
        HEAPPROF_TESTDATA "/corpus/allocator_stats/" + version;
    const auto text = InputFile::Open(path + ".txt");
    const auto json = InputFile::Open(path + ".json");
    ASSERT_TRUE(text && json);
    EXPECT_EQ(*Parse(text->bytes()), *Parse(json->bytes())) << version;
  }
}

// The names of what is not known.
std::string MissingIn(const AllocatorStats& stats) {
  std::string missing;
  const auto look = [&](std::string_view name, bool is_known) {
    if (!is_known) missing.append(name) += ' ';
  };
  for (const auto& field : kProcessFields)
    look(field.name, (stats.*field.member).has_value());
  for (const auto& field : kOptionFields)
    look(field.name, (stats.*field.member).has_value());
  look("page_size", stats.page_size.has_value());
  look("lg_sample", stats.lg_sample.has_value());
  look("narenas", stats.arena_limit.has_value());
  look("decay_of_new_arenas", stats.dirty_decay_ms.has_value());
  look("background_threads", stats.background_threads.has_value());
  const ArenaStats& total = *stats.total;
  for (const auto& field : kArenaFields)
    if (field.name != "tcache")  // another name of tcache_bytes
      look("arena." + std::string(field.name),
           (total.*field.member).has_value());
  look("dirty_decay_ms", total.dirty_decay_ms.has_value());
  look("muzzy_decay_ms", total.muzzy_decay_ms.has_value());
  look("active_pages", total.active_pages.has_value());
  look("dirty_pages", total.dirty_pages.has_value());
  look("muzzy_pages", total.muzzy_pages.has_value());
  look("small", total.small && !total.small->empty());
  look("large", total.large && !total.large->empty());
  look("sampled", std::ranges::any_of(*total.small, [](const auto& small) {
         return small.sampled.has_value();
       }));
  return missing;
}

TEST(AllocatorStatsTest, WhatVersionsDoNotSay) {
  constexpr const char* k4 =
      "cache_oblivious hpa decay_of_new_arenas background_threads arena.base "
      "arena.internal arena.tcache_bytes arena.tcache_stashed_bytes "
      "arena.resident arena.metadata_edata dirty_decay_ms muzzy_decay_ms "
      "muzzy_pages sampled ";
  // What the build says is not in these copies.
  const std::pair<const char*, const char*> missing[] = {
      {"4.5.0.txt", k4},
      {"4.5.0.json", k4},
      {"5.0.1.txt",
       "cache_oblivious hpa arena.tcache_stashed_bytes "
       "arena.metadata_edata sampled "},
      {"5.2.1.txt",
       "cache_oblivious hpa arena.tcache_stashed_bytes "
       "arena.metadata_edata sampled "},
      {"5.3.0.txt",
       "arena.metadata_edata sampled "},  // without prof_stats:true
      {"5.3.0.json", "arena.metadata_edata sampled "},
      {"5.3.1.txt", "sampled "},
      {"5.3.1.json", "sampled "}};
  for (const auto& [name, fields] : missing) {
    const auto file = InputFile::Open(
        HEAPPROF_TESTDATA "/corpus/allocator_stats/" + std::string(name));
    ASSERT_TRUE(file);
    EXPECT_EQ(MissingIn(*Parse(file->bytes())), fields) << name;
  }
}

TEST(AllocatorStatsTest, AddsUpArenasWithoutASum) {
  std::string text(kText);
  const size_t begin = text.find("arenas[0]:"), end = text.find("--- End");
  std::string second = text.substr(begin, end - begin);
  second.replace(0, 10, "arenas[3]:");
  text.insert(end, second);
  const auto stats = Parse(text);
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_EQ(stats->arenas.size(), 2);
  EXPECT_EQ(stats->total->base, 14);
  EXPECT_EQ(stats->total->retained, std::nullopt);
  EXPECT_THAT(*stats->total->small, ElementsAre(SmallClass{16, 256, 100, 4}));
}

TEST(AllocatorStatsTest, ReadsNumbersThatTouchTheirName) {
  std::string text(kText);
  text.replace(text.find("dirty:    -1"), 12, "dirty:600000");
  const auto stats = Parse(text);
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_EQ(stats->total->dirty_decay_ms, 600000);
  EXPECT_EQ(stats->total->dirty_pages, 3);
}

TEST(AllocatorStatsTest, WithoutConstantsClassesAreNotKnown) {
  std::string json(kJson);
  json.erase(json.find("\"arenas\":{"),
             json.find("\"stats\":{") - json.find("\"arenas\":{"));
  const auto stats = Parse(json);
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_FALSE(stats->total->small);
  EXPECT_FALSE(stats->page_size);
  EXPECT_THAT(FindContradictions(*stats), IsEmpty());
}

TEST(AllocatorStatsTest, EveryCutIsAnError) {
  for (const std::string_view whole : {kJson, kText}) {
    const size_t end = whole.find("--- End");
    for (size_t size = 0; size < std::min(end, whole.size()); ++size)
      EXPECT_FALSE(Parse(whole.substr(0, size))) << size;
  }
}

TEST(AllocatorStatsTest, SaysWhereItIsDamaged) {
  EXPECT_EQ(ErrorOf("hello"),
            "stats: expected output of malloc_stats_print(), as JSON or as "
            "text, found neither");
  EXPECT_EQ(ErrorOf(R"({"jemalloc":{"version")"),
            "stats: byte 22: expected more of the JSON of "
            "malloc_stats_print(), found the end of the file");
  EXPECT_EQ(ErrorOf(R"({"jemalloc":{,}})"),
            "stats: byte 14: expected more of the JSON of "
            "malloc_stats_print(), found what is no JSON");
  EXPECT_EQ(ErrorOf(R"({"a":1})"),
            "stats: expected the JSON of malloc_stats_print(), found JSON "
            "without \"jemalloc\"");
  std::string text(kText);
  text.replace(text.find("0.098"), 5, "0.098 7");
  EXPECT_THAT(ErrorOf(text), HasSubstr("stats:24: expected a row of the table "
                                       "of small objects, found '16 "));
}

TEST(AllocatorStatsTest, RejectsImpossibleNumbers) {
  for (const auto& [what, by] :
       {std::pair("\"curregs\":50", "\"curregs\":5000000000000000000"),
        std::pair("\"nregs\":256", "\"nregs\":0"),
        std::pair("\"page\":4096", "\"page\":0"),
        std::pair("\"resident\":90000", "\"resident\":18446744073709551615"),
        std::pair("\"curlextents\":2", "\"curlextents\":9999999999999999")}) {
    std::string json(kJson);
    json.replace(json.find(what), std::string_view(what).size(), by);
    EXPECT_THAT(ErrorOf(json), HasSubstr("numbers that no process can have"))
        << by;
  }
}

TEST(AllocatorStatsTest, RejectsDeepAndLongLists) {
  EXPECT_THAT(ErrorOf("{\"jemalloc\":" + std::string(100000, '[')),
              HasSubstr("deeper or longer lists"));
  std::string bins = R"({"jemalloc":{"arenas":{"bin":[{})";
  for (int i = 0; i < 2000; ++i) bins += ",{}";
  EXPECT_THAT(ErrorOf(bins + "]}}}"), HasSubstr("deeper or longer lists"));
}

TEST(AllocatorStatsTest, ChecksTheSums) {
  AllocatorStats stats = ExampleStats();
  EXPECT_THAT(FindContradictions(stats), IsEmpty());
  stats.metadata = *stats.metadata + 1;
  stats.allocated = *stats.allocated - 1;
  EXPECT_THAT(FindContradictions(stats),
              ElementsAre("allocated: 573439 said, 573440 in its parts",
                          "metadata: 1248801 said, 1248800 in its parts"));
  // Sampled objects are not listed there.
  stats.version = "5.3.1";
  stats.metadata.reset();
  EXPECT_THAT(FindContradictions(stats), IsEmpty());
}

// Adds a large object that takes `active` bytes.
AllocatorStats WithLargeObject(const char* version, uint64_t size,
                               uint64_t active) {
  AllocatorStats stats = ExampleStats();
  stats.version = version;
  stats.total->large->push_back({size, 1});
  stats.total->active_pages = 250 + active / kExamplePage;
  stats.active = *stats.active + active;
  stats.allocated = *stats.allocated + size;
  stats.resident = *stats.resident + active;
  stats.mapped = *stats.mapped + active;
  return stats;
}

TEST(AllocatorStatsTest, KnowsWhatLargeObjectsTake) {
  constexpr uint64_t kHuge = 4 << 20, kPadded = kHuge + kExamplePage;
  const auto is_right = [](const AllocatorStats& stats) {
    return FindContradictions(stats).empty();
  };
  EXPECT_TRUE(is_right(WithLargeObject("5.3.0", kHuge, kPadded)));
  EXPECT_FALSE(is_right(WithLargeObject("5.3.0", kHuge, kHuge)));
  // In chunks of their own.
  EXPECT_TRUE(is_right(WithLargeObject("4.5.0", kHuge, kHuge)));
  EXPECT_FALSE(is_right(WithLargeObject("4.5.0", kHuge, kPadded)));
  // One of 17 pages in the class of 20 pages.
  constexpr uint64_t kClass = 80 << 10, kActual = 18 * kExamplePage;
  EXPECT_TRUE(is_right(WithLargeObject("5.3.1", kClass, kActual)));
  EXPECT_FALSE(is_right(WithLargeObject("5.3.1", kClass, kActual / 2)));
  EXPECT_FALSE(is_right(WithLargeObject("5.3.0", kClass, kActual)));
}

TEST(AllocatorStatsTest, KnowsBuildsWithoutAVersion) {
  for (const std::string version : {"5.3.0", "5.3.1"}) {
    const auto file = InputFile::Open(
        HEAPPROF_TESTDATA "/corpus/allocator_stats/" + version + ".txt");
    ASSERT_TRUE(file);
    const auto stats = Parse(Replaced(file->bytes(), '"' + version, "\"0.0.0"));
    EXPECT_EQ(stats->version, version);
  }
  EXPECT_EQ(Parse(Replaced(kText, "5.3.0", "0.0.0"))->version, "0.0.0-0-g1");
}

TEST(AllocatorStatsTest, ComparesVersions) {
  AllocatorStats stats;
  EXPECT_FALSE(stats.IsFrom(4, 0, 0));
  stats.version = "5.3.1-200-gabc";
  EXPECT_TRUE(stats.IsFrom(5, 3, 1));
  EXPECT_TRUE(stats.IsFrom(5, 2, 9));
  EXPECT_FALSE(stats.IsFrom(5, 10, 0));
  stats.version = "0.0";
  EXPECT_FALSE(stats.IsFrom(4, 0, 0));
}

}  // namespace
}  // namespace heapprof
