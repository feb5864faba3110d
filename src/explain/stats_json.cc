// SPDX-License-Identifier: Apache-2.0
//
// The JSON of a server with hundreds of arenas has tens of MB, most of it about
// mutexes. So it is read as a stream of values, of which few are kept.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "explain/stats_fields.h"
#include "heapprof/base/parse_number.h"

namespace heapprof {
namespace {

// Where in the document a value is.
enum class Place : uint8_t {
  kDocument,
  kJemalloc,
  kBuild,
  kOptions,
  kProfiler,
  kConstants,
  kSmallConstants,  // a list
  kSmallConstant,
  kLargeConstants,  // a list; two of them, one after the other, before 5.0
  kLargeConstant,
  kStats,
  kBackgroundThreads,
  kArenas,
  kArena,
  kSmallList,
  kSmall,
  kLargeList,
  kLarge,
  kElsewhere,
};

struct Step {
  Place from;
  std::string_view key;  // empty: any
  Place to;
};

constexpr Step kSteps[] = {
    {Place::kDocument, "jemalloc", Place::kJemalloc},
    {Place::kJemalloc, "config", Place::kBuild},
    {Place::kJemalloc, "opt", Place::kOptions},
    {Place::kJemalloc, "prof", Place::kProfiler},
    {Place::kJemalloc, "arenas", Place::kConstants},
    {Place::kJemalloc, "stats", Place::kStats},
    {Place::kJemalloc, "stats.arenas", Place::kArenas},
    {Place::kConstants, "bin", Place::kSmallConstants},
    {Place::kSmallConstants, "", Place::kSmallConstant},
    {Place::kConstants, "lextent", Place::kLargeConstants},
    {Place::kConstants, "lrun", Place::kLargeConstants},
    {Place::kConstants, "hchunk", Place::kLargeConstants},
    {Place::kLargeConstants, "", Place::kLargeConstant},
    {Place::kStats, "background_thread", Place::kBackgroundThreads},
    {Place::kArenas, "", Place::kArena},
    {Place::kArena, "bins", Place::kSmallList},
    {Place::kSmallList, "", Place::kSmall},
    {Place::kArena, "lextents", Place::kLargeList},
    {Place::kArena, "lruns", Place::kLargeList},
    {Place::kArena, "hchunks", Place::kLargeList},
    {Place::kLargeList, "", Place::kLarge},
};

Place Enter(Place from, std::string_view key) {
  for (const Step& step : kSteps)
    if (step.from == from && (step.key.empty() || step.key == key))
      return step.to;
  return Place::kElsewhere;
}

class StatsHandler final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool start_object(size_t) override { return Push(); }
  bool start_array(size_t) override { return Push(); }
  bool end_object() override { return Pop(); }
  bool end_array() override { return Pop(); }
  bool key(string_t& key) override {
    key_ = std::move(key);
    return true;
  }
  bool null() override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool boolean(bool value) override {
    if (Here() == Place::kOptions) SetField(kOptionFields, key_, value, stats_);
    if (Here() == Place::kBuild) SetBuildField(key_, value, stats_);
    return true;
  }
  bool string(string_t& value) override {
    if (Here() == Place::kJemalloc && key_ == "version")
      stats_.version = std::move(value);
    return true;
  }
  bool number_integer(number_integer_t value) override {
    SetSigned(value);
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (std::in_range<int64_t>(value)) SetSigned(static_cast<int64_t>(value));
    SetUnsigned(value);
    return true;
  }
  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    error_position_ = position;
    return false;
  }

  bool found() const { return found_; }
  size_t error_position() const { return error_position_; }
  AllocatorStats Finish() &&;

 private:
  static constexpr size_t kDeepest = 32;

  Place Here() const {
    return places_.empty() ? Place::kElsewhere : places_.back();
  }
  bool Push();
  // Adds the element of a list that begins at `place`. Returns false if the
  // list is longer than that of any jemalloc.
  bool AddElement(Place place);
  bool Pop() {
    places_.pop_back();
    return true;
  }
  void BeginArena();
  void SetSigned(int64_t value);
  void SetUnsigned(uint64_t value);
  void SetConstant(uint64_t value);
  void SetCount(uint64_t value);
  ArenaStats& arena() { return arenas_.back().second; }

  AllocatorStats stats_;
  std::vector<Place> places_;
  std::string key_;
  bool found_ = false;
  size_t error_position_ = 0;
  std::vector<SmallClass> small_constants_;
  std::vector<LargeClass> large_constants_;
  // The name is the number of an arena, or "merged" or "destroyed".
  std::vector<std::pair<std::string, ArenaStats>> arenas_;
};

bool StatsHandler::Push() {
  const Place place =
      places_.empty() ? Place::kDocument : Enter(places_.back(), key_);
  if (places_.size() >= kDeepest) return false;
  places_.push_back(place);
  found_ |= place == Place::kJemalloc;
  if (place == Place::kSmallList) arena().small.emplace();
  if (place == Place::kLargeList && !arena().large) arena().large.emplace();
  return AddElement(place);
}

template <typename List, typename... Value>
bool AddUpTo(size_t most, List& list, Value&&... value) {
  if (list.size() >= most) return false;
  list.emplace_back(std::forward<Value>(value)...);
  return true;
}

bool StatsHandler::AddElement(Place place) {
  switch (place) {
    case Place::kArena:
      return AddUpTo(kMostArenas, arenas_, key_, ArenaStats());
    case Place::kSmall:
      return AddUpTo(kMostClasses, *arena().small);
    case Place::kLarge:
      return AddUpTo(kMostClasses, *arena().large);
    case Place::kSmallConstant:
      return AddUpTo(kMostClasses, small_constants_);
    case Place::kLargeConstant:
      return AddUpTo(kMostClasses, large_constants_);
    default:
      return true;
  }
}

void StatsHandler::SetSigned(int64_t value) {
  if (value < -1) return;
  if (Here() == Place::kConstants && key_ == "dirty_decay_ms")
    stats_.dirty_decay_ms = value;
  if (Here() != Place::kArena) return;
  if (key_ == "dirty_decay_ms") arena().dirty_decay_ms = value;
  if (key_ == "muzzy_decay_ms") arena().muzzy_decay_ms = value;
}

void StatsHandler::SetUnsigned(uint64_t value) {
  switch (Here()) {
    case Place::kOptions:
      if (key_ == "narenas") stats_.arena_limit = value;
      if (key_ == "lg_prof_sample" && !stats_.lg_sample)
        stats_.lg_sample = value;
      break;
    case Place::kProfiler:
      if (key_ == "lg_sample") stats_.lg_sample = value;
      break;
    case Place::kConstants:
      if (key_ == "page") stats_.page_size = value;
      break;
    case Place::kSmallConstant:
    case Place::kLargeConstant:
      SetConstant(value);
      break;
    case Place::kStats:
      SetField(kProcessFields, key_, value, stats_);
      break;
    case Place::kBackgroundThreads:
      if (key_ == "num_threads") stats_.background_threads = value;
      break;
    case Place::kArena:
      SetField(kArenaFields, key_, value, arena());
      if (key_ == "pactive") arena().active_pages = value;
      if (key_ == "pdirty") arena().dirty_pages = value;
      if (key_ == "pmuzzy") arena().muzzy_pages = value;
      break;
    case Place::kSmall:
    case Place::kLarge:
      SetCount(value);
      break;
    default:
      break;
  }
}

void StatsHandler::SetConstant(uint64_t value) {
  if (Here() == Place::kLargeConstant) {
    if (key_ == "size") large_constants_.back().size = value;
    return;
  }
  if (key_ == "size") small_constants_.back().size = value;
  if (key_ == "nregs") small_constants_.back().regions_per_slab = value;
}

void StatsHandler::SetCount(uint64_t value) {
  if (Here() == Place::kLarge) {
    if (key_ == "curlextents" || key_ == "curruns" || key_ == "curhchunks")
      arena().large->back().extents = value;
    return;
  }
  SmallClass& bin = arena().small->back();
  if (key_ == "curregs") bin.regions = value;
  if (key_ == "curslabs" || key_ == "curruns") bin.slabs = value;
  if (key_ == "prof_live_count") bin.sampled = value;
}

// Adds the sizes, which are listed only once. Without them, the numbers mean
// nothing.
void AddSizes(const std::vector<SmallClass>& small,
              const std::vector<LargeClass>& large, ArenaStats& arena) {
  if (arena.small && arena.small->size() != small.size()) arena.small.reset();
  if (arena.large && arena.large->size() != large.size()) arena.large.reset();
  for (size_t i = 0; arena.small && i < small.size(); ++i) {
    (*arena.small)[i].size = small[i].size;
    (*arena.small)[i].regions_per_slab = small[i].regions_per_slab;
  }
  for (size_t i = 0; arena.large && i < large.size(); ++i)
    (*arena.large)[i].size = large[i].size;
}

AllocatorStats StatsHandler::Finish() && {
  for (auto& [name, arena] : arenas_) {
    AddSizes(small_constants_, large_constants_, arena);
    if (name == "merged")
      stats_.total = std::move(arena);
    else if (const auto number = ParseNumber<uint64_t>(name))
      stats_.arenas.emplace_back(*number, std::move(arena));
  }
  return std::move(stats_);
}

}  // namespace

Result<AllocatorStats> ParseStatsJson(std::string_view bytes,
                                      const std::string& name) {
  StatsHandler handler;
  if (!nlohmann::json::sax_parse(bytes.begin(), bytes.end(), &handler)) {
    const size_t position = handler.error_position();
    return Fail(
        ErrorKind::kBadFormat,
        position == 0
            ? fmt::format("{}: expected the JSON of malloc_stats_print(), "
                          "found deeper or longer lists than it has",
                          name)
            : fmt::format("{}: byte {}: expected more of the JSON of "
                          "malloc_stats_print(), found {}",
                          name, std::min(position, bytes.size()),
                          position >= bytes.size() ? "the end of the file"
                                                   : "what is no JSON"));
  }
  if (!handler.found())
    return Fail(ErrorKind::kOtherFormat,
                fmt::format("{}: expected the JSON of malloc_stats_print(), "
                            "found JSON without \"jemalloc\"",
                            name));
  return std::move(handler).Finish();
}

}  // namespace heapprof
