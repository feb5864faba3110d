// SPDX-License-Identifier: Apache-2.0
//
// Programs that know whose objects keep the slabs with free regions: the oracle
// for what `heapprof explain` says of stacks.
//
//   slab_holders SCENARIO SEED FOLDER
//
// writes the files of snapshot.h as FOLDER/base.* before there are free
// regions, and as FOLDER/r.* after, and prints how many free bytes each site
// keeps in slabs of 224 bytes: an object in a slab with f free and k live
// regions keeps f/k of them.
//
//   old      many objects of Index, which stay; then those of Request, which
//            go, and among them one of 20 of Session, which stay
//   same     the same, but the ones that stay are allocated by Request, too
//   refill   as "old"; then Index fills some of the free regions
//   alone    Request alone; one of 20 objects stays
//   threads  Index in one thread, Request and Session in another at that time
//   churn    Request and Session come and go at random; then all of Request go
//   pairs    as "old", but each object of Index comes between two of Request,
//            which go at once
//   many     24 sites with rates, lifetimes and shares of survivors at random
//   sizes    as "old"; objects of Request and Session have 100 to 399 bytes
//
// Needs MALLOC_CONF=prof:true.
#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "snapshot.h"

using snapshot::Outside;

namespace demo {

constexpr size_t kSize = 224;

void* Touched(void* object) {
  static_cast<volatile char*>(object)[0] = 1;
  return object;
}

[[gnu::noinline]] void* Index(size_t size) { return Touched(malloc(size)); }
[[gnu::noinline]] void* Request(size_t size) { return Touched(malloc(size)); }
[[gnu::noinline]] void* Session(size_t size) { return Touched(malloc(size)); }

template <size_t N>
[[gnu::noinline]] void* Site(size_t size) {
  asm volatile("" : : "i"(N));  // else, all would be one function
  return Touched(malloc(size));
}

}  // namespace demo

namespace {

using Allocate = void* (*)(size_t);

constexpr size_t kSites = 24;

template <size_t... N>
constexpr std::array<Allocate, kSites> MakeSites(std::index_sequence<N...>) {
  return {demo::Site<N>...};
}
constexpr auto kManySites = MakeSites(std::make_index_sequence<kSites>());

// Site 0 is Index, 1 Request, 2 Session; in "many", the sites are Site<0> and
// so on.
constexpr Allocate kThreeSites[] = {demo::Index, demo::Request, demo::Session};
enum SiteNumber : uint8_t { kIndex, kRequest, kSession };

// All objects that were allocated, in a list outside jemalloc's memory.
class Objects {
 public:
  explicit Objects(size_t room) : pointers_(room), sites_(room) {}

  size_t New(uint8_t site, size_t size = demo::kSize) {
    return Add(site, kThreeSites[site](size));
  }
  size_t Add(uint8_t site, void* pointer) {
    if (count_ == pointers_.size()) abort();
    pointers_[count_] = pointer;
    sites_[count_] = site;
    return count_++;
  }
  void Free(size_t i) {
    free(pointers_[i]);
    pointers_[i] = nullptr;
  }
  void* Pointer(size_t i) { return pointers_[i]; }
  bool IsLive(size_t i) { return pointers_[i] != nullptr; }
  uint8_t SiteOf(size_t i) { return sites_[i]; }
  size_t size() const { return count_; }

  void Print(bool has_many_sites) {
    double kept[kSites] = {};
    for (size_t i = 0; i < count_; ++i)
      if (IsLive(i) && malloc_usable_size(pointers_[i]) == demo::kSize)
        kept[sites_[i]] += snapshot::FreeShare(pointers_[i]);
    constexpr const char* kNames[] = {"Index", "Request", "Session"};
    printf("{");
    for (size_t i = 0; i < (has_many_sites ? kSites : 3); ++i)
      if (has_many_sites)
        printf("%s\"demo::Site<%zu>\": %.0f", i == 0 ? "" : ", ", i, kept[i]);
      else
        printf("%s\"demo::%s\": %.0f", i == 0 ? "" : ", ", kNames[i], kept[i]);
    printf("}\n");
  }

 private:
  Outside<void*> pointers_;
  Outside<uint8_t> sites_;
  size_t count_ = 0;
};

using Random = std::mt19937;

constexpr size_t kDense = 200000, kChurned = 400000, kSurvivors = 20;

class Scenarios {
 public:
  Scenarios(Random& random, std::string folder)
      : random_(random), folder_(std::move(folder)) {}

  void Run(const std::string& name) {
    if (name == "old") Old();
    if (name == "same") Same(kDense);
    if (name == "alone") Same(0);
    if (name == "refill") Refill();
    if (name == "threads") Threads();
    if (name == "churn") Churn();
    if (name == "pairs") Pairs();
    if (name == "many") Many();
    if (name == "sizes") Sizes();
    snapshot::Flush();
    snapshot::Take(folder_ + "/r");
    objects_.Print(name == "many");
  }

 private:
  void TakeBase() {
    snapshot::Flush();
    snapshot::Take(folder_ + "/base");
  }
  void Dense(size_t count) {
    for (size_t i = 0; i < count; ++i) objects_.New(kIndex);
  }
  bool Survives() { return random_() % kSurvivors == 0; }

  // Allocates requests and sessions, then frees the requests.
  void Serve(size_t count, size_t least = demo::kSize,
             size_t most = demo::kSize) {
    const size_t first = objects_.size();
    for (size_t i = 0; i < count; ++i) {
      objects_.New(Survives() ? kSession : kRequest,
                   least + random_() % (most - least + 1));
    }
    for (size_t i = first; i < objects_.size(); ++i)
      if (objects_.SiteOf(i) == kRequest) objects_.Free(i);
  }

  void Old() {
    Dense(kDense);
    TakeBase();
    Serve(kChurned);
  }

  void Sizes() {
    Dense(kDense);
    TakeBase();
    constexpr size_t kLeast = 100, kMost = 399;
    Serve(kChurned, kLeast, kMost);
  }

  void Same(size_t dense) {
    Dense(dense);
    TakeBase();
    const size_t first = objects_.size();
    for (size_t i = 0; i < kChurned; ++i) objects_.New(kRequest);
    for (size_t i = first; i < objects_.size(); ++i)
      if (!Survives()) objects_.Free(i);
  }

  void Refill() {
    Old();
    snapshot::Flush();
    Dense(kDense);
  }

  void Threads() {
    TakeBase();
    Objects mine(kDense);
    std::thread dense([&] {
      for (size_t i = 0; i < kDense; ++i)
        mine.Add(kIndex, demo::Index(demo::kSize));
      snapshot::Flush();
    });
    Serve(kChurned);
    dense.join();
    for (size_t i = 0; i < mine.size(); ++i)
      objects_.Add(kIndex, mine.Pointer(i));
  }

  void Churn() {
    TakeBase();
    constexpr size_t kLive = 150000, kSteps = 900000;
    Outside<size_t> live(kLive);
    const auto fresh = [&] {
      return objects_.New(random_() % 3 == 0 ? kSession : kRequest);
    };
    for (size_t i = 0; i < kLive; ++i) live[i] = fresh();
    for (size_t step = 0; step < kSteps; ++step) {
      const size_t i = random_() % kLive;
      objects_.Free(live[i]);
      live[i] = fresh();
    }
    // One of ten sessions stays, and one of 30 requests.
    constexpr uint32_t kSessions = 10, kRequests = 30;
    for (size_t i = 0; i < kLive; ++i)
      if (random_() %
              (objects_.SiteOf(live[i]) == kSession ? kSessions : kRequests) !=
          0)
        objects_.Free(live[i]);
  }

  void Pairs() {
    for (size_t i = 0; i < kDense; ++i) {
      const size_t before = objects_.New(kRequest);
      objects_.New(kIndex);
      objects_.Free(before);
      objects_.Free(objects_.New(kRequest));
    }
    TakeBase();
    Serve(kChurned);
  }

  void Many() {
    TakeBase();
    struct Rates {
      uint32_t weight;
      uint32_t lifetime;   // in steps
      uint32_t survivors;  // of 1000
    };
    Rates rates[kSites];
    uint32_t weights = 0;
    for (Rates& one : rates) {
      one = {static_cast<uint32_t>(1 + random_() % 20),
             static_cast<uint32_t>(1000 + random_() % 100000),
             static_cast<uint32_t>(random_() % 10 < 6 ? 0 : random_() % 120)};
      weights += one.weight;
    }
    constexpr size_t kSteps = 800000;
    // The objects that end at each step, as lists.
    Outside<size_t> first(kSteps), next(kSteps), last(kSteps);
    size_t lasts = 0;
    for (size_t step = 0; step < kSteps; ++step) {
      for (size_t i = first[step]; i != 0; i = next[i - 1])
        objects_.Free(i - 1);
      uint32_t at = random_() % weights;
      uint8_t site = 0;
      while (at >= rates[site].weight) at -= rates[site++].weight;
      const size_t i = objects_.Add(site, kManySites[site](demo::kSize));
      if (random_() % 1000 < rates[site].survivors) continue;
      const size_t end = step + 1 + random_() % (2 * rates[site].lifetime);
      if (end >= kSteps) {
        last[lasts++] = i;
        continue;
      }
      next[i] = first[end];
      first[end] = i + 1;
    }
    for (size_t i = 0; i < lasts; ++i) objects_.Free(last[i]);
  }

  Random& random_;
  std::string folder_;
  Objects objects_{1200000};
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  Random random(static_cast<unsigned>(atoi(arguments[2])));
  Scenarios(random, arguments[3]).Run(arguments[1]);
  fflush(stdout);
  _exit(0);
}
