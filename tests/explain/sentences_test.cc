// SPDX-License-Identifier: Apache-2.0
//
// Every sentence that a waterfall may have, with its condition. The example
// meets none of the conditions but those that the tables say.
// testdata/golden/explain_sentences.txt lists the sentences: a test fails if
// another one is said, or if one of them has no condition here.
#include <algorithm>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain/example.h"
#include "explain/holder_case.h"
#include "heapprof/explain/waterfall.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using InputChange = std::function<void(WaterfallInputs&)>;

RegionSums& RegionsOf(WaterfallInputs& inputs) {
  return *inputs.memory->regions;
}

// Another change may have removed what says how many there are.
void SetThreads(WaterfallInputs& inputs, uint64_t threads) {
  if (inputs.other_memory) inputs.other_memory->threads = threads;
}

// True if `text` is `sentence` with something in place of each "{}".
bool Fits(std::string_view sentence, std::string_view text) {
  const size_t hole = sentence.find("{}");
  if (hole == sentence.npos) return sentence == text;
  if (!text.starts_with(sentence.substr(0, hole))) return false;
  for (size_t end = hole; end <= text.size(); ++end)
    if (Fits(sentence.substr(hole + 2), text.substr(end))) return true;
  return false;
}

// The listed sentences about remarks and lines, and which of them were said.
class ListedSentences {
 public:
  ListedSentences() {
    std::ifstream file(HEAPPROF_TESTDATA "/golden/explain_sentences.txt");
    for (std::string line; std::getline(file, line);) {
      const size_t colon = line.find(": ");
      const std::string about = line.substr(0, colon);
      if (line.starts_with('#') || about == "title" || about == "headline")
        continue;
      unsaid_.emplace_back(about, line.substr(colon + 2));
    }
  }
  void Expect(std::string_view about, std::string_view text) {
    if (text.empty()) return;
    // Of a comparison.
    if (text.starts_with("the base: ")) text.remove_prefix(10);
    const auto is_it = [&](const auto& it) {
      return it.first == about && Fits(it.second, text);
    };
    const auto found = std::ranges::find_if(unsaid_, is_it);
    if (found != unsaid_.end()) {
      said_.push_back(*found);
      unsaid_.erase(found);
    }
    EXPECT_TRUE(std::ranges::any_of(said_, is_it))
        << "not listed: " << about << ": " << text;
  }
  void Expect(const Waterfall& waterfall) {
    for (const Remark& remark : waterfall.remarks)
      Expect(NameOf(remark.kind), remark.text);
    for (const WaterfallLine& line : waterfall.lines) {
      Expect(NameOf(line.kind), line.advice);
      Expect(NameOf(line.kind), line.detail);
    }
  }
  const auto& unsaid() const { return unsaid_; }

 private:
  using Sentence = std::pair<std::string, std::string>;
  std::vector<Sentence> unsaid_, said_;
};

struct RemarkRule {
  RemarkKind kind;
  const char* words;     // that the sentence has
  InputChange said;      // from the example to a case that has the sentence,
  InputChange not_said;  // and to one that nearly has it
};

const RemarkRule kRemarkRules[] = {
    {RemarkKind::kOtherMoment, "do not fit",
     [](auto& in) { in.dump->wide_bounds = {600000, 900000}; },
     [](auto& in) { in.dump->wide_bounds = {458416, 458416}; }},
    // Uncounted caches may explain more by the stats, but not less.
    {RemarkKind::kOtherMoment, "do not fit",
     [](auto& in) {
       in.stats.version = "5.2.1";
       in.dump->wide_bounds = {600000, 900000};
     },
     [](auto& in) {
       in.stats.version = "5.2.1";
       in.dump->wide_bounds = {10, 20};
     }},
    {RemarkKind::kOtherRss, "smaps and status do not fit",
     [](auto& in) { in.other_memory = ResidentMemory{.rss = 5 << 20}; },
     [](auto& in) { in.other_memory = ResidentMemory{.rss = 4 << 20}; }},
    // A program may well have memory that it has never touched.
    {RemarkKind::kMoreThanRss, "different processes",
     [](auto& in) {
       in.memory = ResidentMemory{.source = "smaps_rollup", .rss = 100 << 10};
     },
     [](auto& in) {
       in.memory = ResidentMemory{
           .source = "smaps_rollup", .rss = 100 << 10, .swapped = 1 << 20};
     }},
    {RemarkKind::kNoProcessFile, "upper bound",
     [](auto& in) { in.memory.reset(); }, [](auto&) {}},
    {RemarkKind::kNoRegions, "cannot be told apart",
     [](auto& in) { in.memory->regions.reset(); },
     [](auto& in) { in.memory.reset(); }},
    {RemarkKind::kForeignMappings, "cannot be told apart",
     [](auto& in) { RegionsOf(in)[RegionKind::kUnreserved].size += 512 << 10; },
     [](auto& in) { RegionsOf(in)[RegionKind::kUnreserved].size += 64 << 10; }},
    {RemarkKind::kCloseMappings, "slightly different moments",
     [](auto& in) { RegionsOf(in)[RegionKind::kUnreserved].size += 64 << 10; },
     [](auto&) {}},
    {RemarkKind::kManySamples, "adds much",
     [](auto& in) { in.stats.lg_sample = 13; },
     [](auto& in) { in.stats.lg_sample = 17; }},
    {RemarkKind::kManySamples, "some of the dirty pages",
     [](auto& in) { in.stats.lg_sample = 16; },
     [](auto& in) {
       in.stats.lg_sample = 16;
       in.stats.profiling = false;
     }},
    {RemarkKind::kMostlySampled, "are in no slab",
     [](auto& in) { in.stats.lg_sample = 8; },
     [](auto& in) { in.stats.lg_sample = 9; }},
    {RemarkKind::kContradiction, "metadata: 5 said",
     [](auto& in) { in.stats.metadata = 5; },
     [](auto& in) { in.stats.metadata.reset(); }},
    {RemarkKind::kMoreInUse, "objects of 128 B",
     [](auto& in) { in.stats.total->small->front().regions = 6401; },
     [](auto& in) { in.stats.total->small->front().regions = 6400; }},
    {RemarkKind::kHugePages, "huge pages",
     [](auto& in) { in.memory->huge_pages = 2 << 20; },
     [](auto& in) { in.memory->huge_pages = 100 << 10; }},
    {RemarkKind::kSwapped, "swapped out",
     [](auto& in) { in.memory->swapped = 4096; },
     [](auto& in) { in.memory->swapped.reset(); }},
    {RemarkKind::kMuzzy, "muzzy",
     [](auto& in) { in.stats.total->muzzy_pages = 1; },
     [](auto& in) { in.stats.total->muzzy_pages.reset(); }},
    {RemarkKind::kHugePageAllocator, "hpa is on",
     [](auto& in) { in.stats.hpa = true; },
     [](auto& in) { in.stats.hpa.reset(); }},
    {RemarkKind::kUnknownSampled, "includes the extents",
     [](auto& in) { in.dump.reset(); },
     [](auto& in) {
       in.dump.reset();
       in.stats.profiling = false;
     }},
    {RemarkKind::kMiscountedCaches, "does not count all",
     [](auto& in) { in.stats.version = "5.2.1"; },
     [](auto& in) { in.stats.version = "5.0.1"; }},
    {RemarkKind::kMiscountedCaches, "does not count all",
     [](auto& in) { in.stats.total->tcache_bytes.reset(); }, [](auto&) {}},
    {RemarkKind::kNoClasses, "list no size classes",
     [](auto& in) { in.stats.total->small.reset(); }, [](auto&) {}},
    {RemarkKind::kOneDump, "charged to nobody", [](auto&) {},
     [](auto& in) { in.dump.reset(); }},
    {RemarkKind::kOneDump, "charged to nobody", [](auto&) {},
     [](auto& in) { in.stats.total->small->front().regions = 6400; }},
};

// What a second side, and the stacks, add to them.
struct CaseRule {
  RemarkKind kind;
  const char* words;
  std::function<void(HolderCase&)> said;
  std::function<void(HolderCase&)> not_said;
};

void Grow(HolderCase& in) {
  in.base = GrowingBase();
  in.base_sizes.stacks = {{StackId{1}, 128, 10}};
}

const CaseRule kCaseRules[] = {
    {RemarkKind::kDividedAlike, "say less",
     [](auto& in) {
       Grow(in);
       in.base->memory.reset();
     },
     Grow},
    {RemarkKind::kOtherVersions, "of jemalloc 5.2.1 and 5.3.0",
     [](auto& in) {
       Grow(in);
       in.base->stats.version = "5.2.1";
     },
     Grow},
    {RemarkKind::kAddedObjects, "is right only if no other stack", Grow,
     [](auto& in) {
       Grow(in);
       in.log = LogWith({.objects = 256, .freed = 128});
     }},
    {RemarkKind::kAddedObjects, "is right only if no other stack", Grow,
     [](auto& in) {
       Grow(in);
       in.base_sizes.stacks = {{StackId{1}, 128, 32}};
     }},
    {RemarkKind::kAddedObjects, "is right only if no other stack", Grow,
     [](auto& in) {
       Grow(in);
       in.base = in.inputs;
     }},
    {RemarkKind::kMixedSizes, "a stack with 5 sampled objects",
     [](auto& in) {
       in.now.mixed_stacks = 1;
       in.now.mixed_objects = 5;
     },
     [](auto&) {}},
    {RemarkKind::kMixedSizes, "2 stacks with 5 sampled objects have",
     [](auto& in) {
       in.now.mixed_stacks = 2;
       in.now.mixed_objects = 5;
     },
     [](auto& in) {
       in.now.mixed_stacks = 1;
       in.now.mixed_objects = 5;
     }},
    {RemarkKind::kMisfit, "leaves 0% of their regions free, and 50.0% are",
     [](auto& in) { in.log = LogWith({.objects = 1}); },
     [](auto& in) { in.log = LogWith({.objects = 256, .freed = 128}); }},
    {RemarkKind::kMisfit, "no live object", [](auto& in) { in.log.emplace(); },
     [](auto&) {}},
    {RemarkKind::kFewSamples, "few regions for objects of 128 B",
     [](auto& in) { in.log = LogWith({.objects = 126, .freed = 63}); },
     [](auto& in) { in.log = LogWith({.objects = 128, .freed = 64}); }},
    {RemarkKind::kFewSamples, "are live in the log (64)",
     [](auto& in) {
       in.log = LogWith({.objects = 128, .freed = 64, .stacks = 4});
     },
     [](auto& in) { in.log = LogWith({.objects = 256, .freed = 128}); }},
    {RemarkKind::kOlderThanLog, "16 of 32 sampled objects",
     [](auto& in) { in.log = LogWith({.objects = 32, .freed = 16}); },
     [](auto& in) { in.log = LogWith({.objects = 256, .freed = 128}); }},
    // Three times 2^18 bytes are 6144 objects, and these keep 6144 slabs.
    {RemarkKind::kUnsampled, "6144 objects of 128 B",
     [](auto& in) { in.now.sampling_period = 1 << 18; },
     [](auto& in) { in.now.sampling_period = 1 << 17; }},
    {RemarkKind::kUnsampled, "without samples",
     [](auto& in) { in.now.sampling_period = 1 << 18; },
     [](auto& in) {
       in.now.sampling_period = 1 << 18;
       in.log = LogWith({.objects = 256, .freed = 128});
     }},
    // A log that fits says more than who has objects.
    {RemarkKind::kOneDump, "charged to nobody", [](auto&) {},
     [](auto& in) { in.log = LogWith({.objects = 256, .freed = 128}); }},
    {RemarkKind::kOneDump, "charged to nobody", [](auto&) {}, Grow},
};

std::string RemarkIn(const std::function<void(HolderCase&)>& change,
                     const CaseRule& rule) {
  HolderCase example;
  change(example);
  for (const Remark& remark : Explained(example).remarks)
    if (remark.kind == rule.kind) return remark.text;
  return "";
}

TEST(SentencesTest, RemarksOnStacksAndGrowthHaveConditions) {
  for (const CaseRule& rule : kCaseRules) {
    const std::string_view name = NameOf(rule.kind);
    EXPECT_THAT(RemarkIn(rule.said, rule), HasSubstr(rule.words)) << name;
    EXPECT_THAT(RemarkIn(rule.not_said, rule), Not(HasSubstr(rule.words)))
        << name;
  }
}

std::string RemarkIn(const InputChange& change, const RemarkRule& rule) {
  WaterfallInputs inputs = ExampleInputs();
  change(inputs);
  const auto waterfall = MakeWaterfall(inputs);
  if (!waterfall) return waterfall.error().message;
  const auto found =
      std::ranges::find(waterfall->remarks, rule.kind, &Remark::kind);
  return found == waterfall->remarks.end() ? "" : found->text;
}

TEST(SentencesTest, RemarksHaveConditions) {
  for (const RemarkRule& rule : kRemarkRules) {
    const std::string_view name = NameOf(rule.kind);
    EXPECT_THAT(RemarkIn(rule.said, rule), HasSubstr(rule.words)) << name;
    EXPECT_THAT(RemarkIn(rule.not_said, rule), Not(HasSubstr(rule.words)))
        << name;
  }
}

TEST(SentencesTest, TableHasEveryRemark) {
  std::set<RemarkKind> kinds;
  for (const RemarkRule& rule : kRemarkRules) kinds.insert(rule.kind);
  for (const CaseRule& rule : kCaseRules) kinds.insert(rule.kind);
  EXPECT_EQ(kinds.size(), static_cast<size_t>(RemarkKind::kUnsampled) + 1);
}

TEST(SentencesTest, TheExampleHasOneRemark) {
  const auto waterfall = MakeWaterfall(ExampleInputs());
  ASSERT_EQ(waterfall->remarks.size(), 1) << waterfall->remarks[0].text;
  EXPECT_EQ(waterfall->remarks[0].kind, RemarkKind::kOneDump);
}

// Of advice or of a detail.
struct LineRule {
  LineKind kind;
  const char* words;
  InputChange said;
  InputChange not_said;
};

// Makes all that jemalloc has so large that it matters.
WaterfallInputs LargeInputs() {
  WaterfallInputs inputs = ExampleInputs();
  AllocatorStats& stats = inputs.stats;
  constexpr uint64_t kFactor = 100;
  stats.total->small->front().regions *= kFactor;
  stats.total->small->front().slabs *= kFactor;
  stats.total->large->front().extents *= kFactor * 10;
  stats.total->dirty_pages = *stats.total->dirty_pages * kFactor;
  stats.total->internal = *stats.total->internal * kFactor * 4;
  stats.total->tcache_bytes = *stats.total->tcache_bytes * kFactor * 3;
  stats.allocated = *stats.allocated * kFactor * 3;
  stats.active = *stats.active * kFactor * 2;
  stats.resident = *stats.resident * kFactor * 2;
  inputs.memory->rss = 100 << 20;
  inputs.dump->small_objects = 900;
  RegionsOf(inputs)[RegionKind::kGuarded] = {3, 24 << 20, 20 << 20};
  RegionsOf(inputs)[RegionKind::kMallocArena] = {2, 64 << 20, 20 << 20};
  inputs.other_memory = ResidentMemory{.rss = 100 << 20, .threads = 4};
  return inputs;
}

// Makes more of jemalloc's mappings resident than it counts.
void KeepAll(WaterfallInputs& inputs) {
  RegionsOf(inputs)[RegionKind::kUnreserved].resident =
      *inputs.stats.resident + (40 << 20);
}

// Returns an arena with an eighth of the free regions of `total`.
ArenaStats EighthOf(const ArenaStats& total) {
  ArenaStats eighth = total;
  for (SmallClass& small : *eighth.small)
    small.regions = small.capacity() - (small.capacity() - small.regions) / 8;
  return eighth;
}

const LineRule kAdviceRules[] = {
    {LineKind::kFreeRegions, "no decay setting", [](auto&) {},
     [](auto& in) { in.stats.total->small->front().regions = 640000; }},
    {LineKind::kFreeRegions, "2 arenas",
     [](auto& in) {
       in.stats.arenas = {{0, *in.stats.total}, {1, EighthOf(*in.stats.total)}};
     },
     [](auto& in) {
       in.stats.arenas = {{0, *in.stats.total},
                          {1, EighthOf(EighthOf(*in.stats.total))}};
     }},
    {LineKind::kThreadCaches, "tcache_max", [](auto&) {},
     [](auto& in) { in.stats.total->tcache_bytes = 1 << 19; }},
    {LineKind::kSampledExtents, "now 19", [](auto&) {},
     [](auto& in) { in.stats.lg_sample.reset(); }},
    {LineKind::kPads, "cache_oblivious:false", [](auto&) {},
     [](auto& in) { in.stats.version = "5.2.1"; }},
    {LineKind::kPads, "--disable-cache-oblivious",
     [](auto& in) { in.stats.version = "5.2.1"; },
     [](auto& in) { in.stats.cache_oblivious.reset(); }},
    {LineKind::kDirty, "now 10000", [](auto&) {},
     [](auto& in) { in.stats.dirty_decay_ms.reset(); }},
    {LineKind::kDirty, "never given back",
     [](auto& in) { in.stats.dirty_decay_ms = -1; }, [](auto&) {}},
    // The arena that has the pages counts.
    {LineKind::kDirty, "now 5",
     [](auto& in) {
       in.stats.arenas = {{0, *in.stats.total}, {1, *in.stats.total}};
       in.stats.arenas[0].second.dirty_pages = 0;
       in.stats.arenas[0].second.dirty_decay_ms = 7;
       in.stats.arenas[1].second.dirty_decay_ms = 5;
     },
     [](auto&) {}},
    {LineKind::kDirty, "background_thread:true", [](auto&) {},
     [](auto& in) { in.stats.background_threads = 1; }},
    {LineKind::kInternal, "lg_prof_sample", [](auto&) {},
     [](auto& in) { in.stats.profiling = false; }},
    {LineKind::kBase, "narenas, now 8",
     [](auto& in) {
       for (uint64_t i = 0; i < 3; ++i)
         in.stats.arenas.emplace_back(i, *in.stats.total);
     },
     [](auto& in) {
       for (uint64_t i = 0; i < 2; ++i)
         in.stats.arenas.emplace_back(i, *in.stats.total);
     }},
    {LineKind::kGivenBack, "thp:never",
     [](auto& in) {
       KeepAll(in);
       in.memory->huge_pages = 2 << 20;
     },
     KeepAll},
    {LineKind::kGivenBack, "muzzy_decay_ms:0",
     [](auto& in) {
       KeepAll(in);
       in.stats.total->muzzy_pages = 1;
     },
     KeepAll},
    {LineKind::kGuarded, "fewer threads", [](auto&) {},
     [](auto& in) { SetThreads(in, 3); }},
    {LineKind::kGuarded, "fewer threads", [](auto&) {},
     [](auto& in) { in.other_memory.reset(); }},
    {LineKind::kMallocArenas, "MALLOC_ARENA_MAX", [](auto&) {},
     [](auto& in) {
       RegionsOf(in)[RegionKind::kMallocArena].resident = 1 << 19;
     }},
};

// What is said of a line besides its bytes, whether it is large or not.
const LineRule kDetailRules[] = {
    {LineKind::kSampledExtents, "900 sampled objects", [](auto&) {},
     [](auto& in) { in.dump.reset(); }},
    {LineKind::kSampledExtents, "1 sampled object",
     [](auto& in) { in.dump->small_objects = 1; },
     [](auto& in) { in.dump->small_objects = 0; }},
    {LineKind::kUnlisted, "free regions, spare pages",
     [](auto& in) { in.stats.total->small.reset(); },
     [](auto& in) { in.stats.active = *in.stats.active + (4 << 20); }},
    {LineKind::kBase, "with unused dirty pages",
     [](auto& in) { in.stats.total->dirty_pages.reset(); }, [](auto&) {}},
    {LineKind::kUntold, "with files",
     [](auto& in) {
       in.memory->regions.reset();
       in.memory->anonymous.reset();
     },
     [](auto& in) { in.memory->regions.reset(); }},
    {LineKind::kFiles, "with shared memory",
     [](auto& in) { in.memory->regions.reset(); }, [](auto&) {}},
    {LineKind::kGuarded, "3 regions, 4 threads", [](auto&) {},
     [](auto& in) { in.other_memory.reset(); }},
    {LineKind::kGuarded, "3 regions", [](auto& in) { in.other_memory.reset(); },
     [](auto& in) { RegionsOf(in)[RegionKind::kGuarded] = {1, 8, 8}; }},
    {LineKind::kGuarded, "1 region",
     [](auto& in) {
       RegionsOf(in)[RegionKind::kGuarded] = {1, 8, 8};
       in.other_memory.reset();
     },
     [](auto&) {}},
    {LineKind::kGuarded, "1 region, 2 threads",
     [](auto& in) {
       RegionsOf(in)[RegionKind::kGuarded] = {1, 8, 8};
       SetThreads(in, 2);
     },
     [](auto&) {}},
    {LineKind::kGuarded, "1 region, 1 thread",
     [](auto& in) {
       RegionsOf(in)[RegionKind::kGuarded] = {1, 8, 8};
       SetThreads(in, 1);
     },
     [](auto&) {}},
    {LineKind::kGuarded, "3 regions, 1 thread",
     [](auto& in) { SetThreads(in, 1); }, [](auto& in) { SetThreads(in, 2); }},
};

WaterfallLine LineIn(const InputChange& change, LineKind kind) {
  WaterfallInputs inputs = LargeInputs();
  change(inputs);
  const auto waterfall = MakeWaterfall(inputs);
  const auto line =
      std::ranges::find(waterfall->lines, kind, &WaterfallLine::kind);
  return line == waterfall->lines.end() ? WaterfallLine() : *line;
}

TEST(SentencesTest, DetailsHaveConditions) {
  for (const LineRule& rule : kDetailRules) {
    EXPECT_EQ(LineIn(rule.said, rule.kind).detail, rule.words)
        << NameOf(rule.kind);
    EXPECT_NE(LineIn(rule.not_said, rule.kind).detail, rule.words)
        << NameOf(rule.kind);
  }
}
TEST(SentencesTest, AdviceHasConditions) {
  for (const LineRule& rule : kAdviceRules) {
    EXPECT_THAT(LineIn(rule.said, rule.kind).advice, HasSubstr(rule.words))
        << NameOf(rule.kind);
    EXPECT_THAT(LineIn(rule.not_said, rule.kind).advice,
                Not(HasSubstr(rule.words)))
        << NameOf(rule.kind);
  }
}

// All changes alone, and each with each, of the small example and the large.
void ExpectListedOfOneSide(ListedSentences& listed) {
  std::vector<InputChange> changes = {[](auto&) {}};
  for (const RemarkRule& rule : kRemarkRules)
    changes.insert(changes.end(), {rule.said, rule.not_said});
  for (const LineRule& rule : kAdviceRules)
    changes.insert(changes.end(), {rule.said, rule.not_said});
  for (const LineRule& rule : kDetailRules)
    changes.insert(changes.end(), {rule.said, rule.not_said});
  for (const auto& make : {ExampleInputs, LargeInputs})
    for (const InputChange& one : changes)
      for (const InputChange& other : changes) {
        WaterfallInputs inputs = make();
        // A change may need what another one has removed.
        const auto is_whole = [&] {
          return inputs.memory && inputs.memory->regions && inputs.dump &&
                 inputs.stats.total && inputs.stats.total->small;
        };
        one(inputs);
        if (is_whole()) other(inputs);
        listed.Expect(*MakeWaterfall(inputs));
      }
}

void ExpectListedOfTwoSides(ListedSentences& listed) {
  for (const CaseRule& one : kCaseRules)
    for (const CaseRule& other : kCaseRules) {
      HolderCase example;
      one.said(example);
      if (!example.base || example.base->memory) other.said(example);
      listed.Expect(Explained(example));
    }
}

TEST(SentencesTest, OnlyListedSentencesAreSaid) {
  ListedSentences listed;
  ExpectListedOfOneSide(listed);
  ExpectListedOfTwoSides(listed);
  // Those that are said have conditions above, so the others have none.
  for (const auto& [about, sentence] : listed.unsaid())
    ADD_FAILURE() << "never said: " << about << ": " << sentence;
}

TEST(SentencesTest, OtherLinesHaveNoAdvice) {
  std::set<LineKind> advised;
  for (const LineRule& rule : kAdviceRules) advised.insert(rule.kind);
  const auto waterfall = MakeWaterfall(LargeInputs());
  for (const WaterfallLine& line : waterfall->lines)
    EXPECT_TRUE(line.advice.empty() || advised.contains(line.kind))
        << line.advice;
}

}  // namespace
}  // namespace heapprof
