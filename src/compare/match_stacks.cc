// SPDX-License-Identifier: Apache-2.0
#include "compare/match_stacks.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heapprof/base/hash.h"
#include "heapprof/base/id_table.h"
#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

// Numbers what identifies the frames of a location: its call site if both sides
// ran the same build of the module, otherwise the names of its functions and
// that of the module.
class FrameIdentities {
 public:
  FrameIdentities(const Profile& profile, const std::vector<SideSet>& sides)
      : profile_(profile),
        one_build_(SharedMappings(profile, sides)),
        modules_(ModuleNumbers(profile, sides)),
        name_numbers_(profile.functions.size()) {
    ranges_.reserve(profile.locations.size());
    hashes_.reserve(profile.locations.size());
    for (uint32_t i = 0; i < profile.locations.size(); ++i) {
      const auto first = static_cast<uint32_t>(numbers_.size());
      AddNumbers(LocationId{i});
      ranges_.push_back(
          {first, static_cast<uint32_t>(numbers_.size()) - first});
      hashes_.push_back(HashOf(Of(LocationId{i})));
    }
  }

  // True if names identify the location, although it has an address.
  bool HasAddressOfABuild(LocationId id) const {
    const Location& location = profile_.locations[id.index()];
    return !one_build_[location.mapping.index()] &&
           location.module_address != 0;
  }

  // True if the locations are one call, or have no address but the same names.
  // A file may have another path in each run.
  bool AreOneCall(LocationId a, LocationId b) const {
    const auto [mapping_a, address_a] = SiteOf(a);
    const auto [mapping_b, address_b] = SiteOf(b);
    return address_a == address_b &&
           modules_[mapping_a.index()] == modules_[mapping_b.index()] &&
           std::ranges::equal(Of(a), Of(b));
  }

  std::span<const uint32_t> Of(LocationId id) const {
    const RowRange range = ranges_[id.index()];
    return std::span(numbers_).subspan(range.first, range.count);
  }

  // Returns a hash of the numbers of a stack. It does not depend on which of
  // them belong to one location.
  uint64_t HashOfStack(std::span<const LocationId> frames) const {
    uint64_t hash = 0;
    for (const LocationId frame : frames) {
      const PartialHash& part = hashes_[frame.index()];
      hash = hash * part.factor + part.sum;
    }
    return hash;
  }

 private:
  // What the numbers of a location do to the hash of those before: the hash of
  // a sequence is a polynomial of its numbers.
  struct PartialHash {
    uint64_t factor = 1;
    uint64_t sum = 0;
  };
  static PartialHash HashOf(std::span<const uint32_t> numbers) {
    PartialHash hash;
    for (const uint32_t number : numbers) {
      hash.factor *= kHashMultiplier;
      hash.sum = hash.sum * kHashMultiplier + number + 1;
    }
    return hash;
  }

  // Call sites have even numbers, names have odd ones.
  void AddNumbers(LocationId id) {
    const Location& location = profile_.locations[id.index()];
    if (one_build_[location.mapping.index()] && location.module_address != 0) {
      // The addresses of the calls are compared, because one side may have
      // return addresses and the other side addresses of calls. Names are not:
      // they may differ if the sides were symbolized separately.
      numbers_.push_back(2 * FirstAtCallSite(id).value);
      return;
    }
    for (const Line& line : profile_.LocationLines(location))
      numbers_.push_back(2 * CallNumber(modules_[location.mapping.index()],
                                        NameNumber(line.function)) +
                         1);
  }

  uint32_t CallNumber(uint32_t module, uint32_t name) {
    return calls_
        .try_emplace(uint64_t{module} << 32 | name,
                     static_cast<uint32_t>(calls_.size()))
        .first->second;
  }

  std::pair<MappingId, uint64_t> SiteOf(LocationId id) const {
    const Location& location = profile_.locations[id.index()];
    return {location.mapping,
            CallSiteAddress(location, location.module_address)};
  }

  LocationId FirstAtCallSite(LocationId id) {
    const std::pair<MappingId, uint64_t> wanted = SiteOf(id);
    const uint64_t hash = HashOfPair(wanted.first.value, wanted.second);
    return {sites_.FindOrAdd(hash, id.value, [&](uint32_t number) {
      return SiteOf(LocationId{number}) == wanted;
    })};
  }

  uint32_t NameNumber(FunctionId id) {
    uint32_t& number = name_numbers_[id.index()];
    if (number == 0)
      number = names_
                   .Intern(NormalizeName(
                       profile_.String(profile_.functions[id.index()].name)))
                   .value;
    return number;
  }

  const Profile& profile_;
  const std::vector<bool> one_build_;    // by mapping
  const std::vector<uint32_t> modules_;  // by mapping
  std::vector<uint32_t> numbers_;        // of one location after the other
  std::vector<RowRange> ranges_;         // by location: its part of `numbers_`
  std::vector<PartialHash> hashes_;      // by location
  IdTable sites_;                        // the first location at each call site
  std::unordered_map<uint64_t, uint32_t, RandomHash>
      calls_;  // by module and name
  StringTable names_;
  // By function: id of its normalized name in names_; 0: not computed yet.
  std::vector<uint32_t> name_numbers_;
};

// Finds the first of the stacks that are equal. Stacks of different builds are
// equal if their names are. In one build, several stacks may have the same
// names but call from different lines; a stack of another build equals the one
// of them whose lines are nearest.
class FirstStacks {
 public:
  FirstStacks(const Profile& profile, const std::vector<SideSet>& sides)
      : profile_(profile),
        identities_(profile, sides),
        first_(profile.stacks.size()),
        next_(profile.stacks.size()) {
    index_.Reserve(profile.stacks.size());
  }

  StackId Of(StackId stack) {
    StackId& first = first_[stack.index()];
    if (first.IsNone()) first = Find(stack);
    return first;
  }

 private:
  StackId Find(StackId stack) {
    const auto frames = profile_.StackFrames(stack);
    const StackId first = {index_.FindOrAdd(
        identities_.HashOfStack(frames), stack.value, [&](uint32_t other) {
          return AreEqual(frames, profile_.StackFrames(StackId{other}));
        })};
    return first == stack ? stack : FindAmong(first, stack);
  }

  // Returns the first stack that equals `stack`, of those with its names, which
  // begin with `alike`.
  StackId FindAmong(StackId alike, StackId stack) {
    const auto frames = profile_.StackFrames(stack);
    const MappingId build = BuildOf(frames);
    if (build.IsNone()) return alike;
    std::vector<StackId> of_other_builds;
    StackId last;
    size_t count = 0;
    for (StackId known = alike; !known.IsNone(); known = next_[known.index()]) {
      const auto other = profile_.StackFrames(known);
      if (BuildOf(other) != build)
        of_other_builds.push_back(known);
      else if (AreSameCalls(frames, other))
        return known;
      last = known;
      ++count;
    }
    if (!of_other_builds.empty()) return Nearest(of_other_builds, stack);
    // In a dump made to be slow, millions of stacks have the same names.
    constexpr size_t kMostAlike = 64;
    if (count < kMostAlike) next_[last.index()] = stack;
    return stack;
  }

  // Returns the mapping of the first frame that only its names identify; none
  // if there is no such frame.
  MappingId BuildOf(std::span<const LocationId> frames) const {
    for (const LocationId frame : frames)
      if (identities_.HasAddressOfABuild(frame))
        return profile_.locations[frame.index()].mapping;
    return {};
  }

  bool AreSameCalls(std::span<const LocationId> a,
                    std::span<const LocationId> b) const {
    return std::ranges::equal(a, b, [this](LocationId x, LocationId y) {
      return x == y || identities_.AreOneCall(x, y);
    });
  }

  StackId Nearest(std::span<const StackId> stacks, StackId wanted) const {
    if (stacks.size() == 1) return stacks.front();
    const std::vector<int64_t> lines = LinesOf(wanted);
    return *std::ranges::min_element(stacks, {}, [&](StackId stack) {
      const std::vector<int64_t> others = LinesOf(stack);
      int64_t distance = 0;
      for (size_t i = 0; i < std::min(lines.size(), others.size()); ++i)
        distance += std::abs(lines[i] - others[i]);
      return distance;
    });
  }

  // Returns the lines of all calls that only names identify, counted from the
  // start of their functions, because the code above often changes.
  std::vector<int64_t> LinesOf(StackId stack) const {
    std::vector<int64_t> lines;
    for (const LocationId frame : profile_.StackFrames(stack))
      if (identities_.HasAddressOfABuild(frame))
        for (const Line& line :
             profile_.LocationLines(profile_.locations[frame.index()]))
          lines.push_back(int64_t{line.line} -
                          profile_.functions[line.function.index()].start_line);
    return lines;
  }

  // True if the frames have the same numbers. A location of one stack may have
  // those of several locations of the other, which inlined less.
  bool AreEqual(std::span<const LocationId> a,
                std::span<const LocationId> b) const {
    if (std::ranges::equal(a, b)) return true;  // usual within one build
    std::span<const uint32_t> left_a, left_b;   // of the current locations
    size_t next_a = 0, next_b = 0;
    while (true) {
      while (left_a.empty() && next_a < a.size())
        left_a = identities_.Of(a[next_a++]);
      while (left_b.empty() && next_b < b.size())
        left_b = identities_.Of(b[next_b++]);
      const size_t count = std::min(left_a.size(), left_b.size());
      if (count == 0) return left_a.empty() && left_b.empty();
      if (!std::ranges::equal(left_a.first(count), left_b.first(count)))
        return false;
      left_a = left_a.subspan(count);
      left_b = left_b.subspan(count);
    }
  }

  const Profile& profile_;
  const FrameIdentities identities_;
  std::vector<StackId> first_;  // by stack; none: not looked for yet
  std::vector<StackId> next_;   // by stack: the next one with the same names
  IdTable index_;               // the first of the stacks with the same names
};

// The mean sizes of the live objects of a sample and of all its objects; 0 if
// there are none.
std::pair<float, float> MeanSizes(const Sample& sample) {
  const auto mean = [&values = sample.values](Metric bytes, Metric objects) {
    const double count = values[objects].value;
    return count == 0 ? 0 : static_cast<float>(values[bytes].value / count);
  };
  return {mean(Metric::kInuseSpace, Metric::kInuseObjects),
          mean(Metric::kAllocSpace, Metric::kAllocObjects)};
}

// Adds up samples of one run, stack, thread and mean size. Of different sizes,
// the sum would no longer tell how many objects were sampled, nor their sizes.
// They stay in the order of the first of them. Needs no second list: that of a
// large dump takes much memory.
void Unite(FirstStacks& first_stacks, std::vector<Sample>& samples) {
  size_t count = 0;
  IdTable index;  // of the united samples
  index.Reserve(samples.size());
  for (Sample sample : samples) {
    sample.stack = first_stacks.Of(sample.stack);
    sample.lifetime = Lifetime::kUnknown;
    const std::pair<float, float> sizes = MeanSizes(sample);
    const auto is_same = [&](uint32_t known) {
      const Sample& other = samples[known];
      return other.stack == sample.stack && other.thread == sample.thread &&
             other.side == sample.side && other.run == sample.run &&
             other.one_size == sample.one_size && MeanSizes(other) == sizes;
    };
    uint64_t hash = AddToHash(
        HashOfPair(sample.stack.value, sample.thread.value),
        uint64_t{sample.run} << 1 | static_cast<uint64_t>(sample.side));
    hash =
        AddToHash(hash, uint64_t{std::bit_cast<uint32_t>(sizes.first)} << 32 |
                            std::bit_cast<uint32_t>(sizes.second));
    const uint32_t i = index.FindOrAddIndex(hash, count, is_same);
    if (i < count)
      samples[i].values += sample.values;
    else
      samples[count++] = sample;
  }
  samples.resize(count);
}

}  // namespace

void MatchStacks(const std::vector<SideSet>& sides, Profile& profile) {
  FirstStacks first_stacks(profile, sides);
  Unite(first_stacks, profile.samples);
  Unite(first_stacks, profile.thread_samples);
}

}  // namespace heapprof
