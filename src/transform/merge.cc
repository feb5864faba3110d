// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/merge.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "heapprof/base/return_free_memory.h"
#include "heapprof/base/sides.h"
#include "heapprof/profile/sample_rows.h"
#include "transform/merger.h"

namespace heapprof {
namespace {

// Frees the memory of the stacks.
void DropStacks(Profile& profile) {
  Profile empty;
  profile.locations = std::move(empty.locations);
  profile.lines = std::move(empty.lines);
  profile.frames = std::move(empty.frames);
  profile.stacks = std::move(empty.stacks);
}

Sample SumOf(const std::vector<Sample>& samples) {
  Sample sum;
  for (const Sample& sample : samples) sum.values += sample.values;
  return sum;
}

}  // namespace

class InputMerger::Impl {
 public:
  void TakeStacks(MergeInput& input) {
    merger_.AddStacks(input);
    Profile& profile = input.profile;
    for (std::vector<Sample>* samples :
         {&profile.samples, &profile.thread_samples})
      for (Sample& sample : *samples) merger_.MoveSample(sample);
    DropStacks(profile);
    input.is_taken = true;
  }

  void TakeAll(MergeInput& input) {
    merger_.AddStacks(input);
    Profile& profile = input.profile;
    for (const Sample& sample : profile.samples) AddUp(sample);
    if (!profile.samples.empty())
      profile.samples = std::vector{SumOf(profile.samples)};
    profile.thread_samples = std::vector<Sample>();
    DropStacks(profile);
    input.is_taken = true;
    takes_samples_ = true;
  }

  Profile Finish(std::vector<MergeInput> inputs) && {
    for (const MergeInput& input : inputs)
      if (input.profile.is_symbolized) merger_.LearnNames(input.profile);
    merger_.Reserve(inputs);
    Sides<size_t> runs = {};
    for (MergeInput& input : inputs) {
      const size_t run = runs[input.side]++;
      if (!input.is_taken)
        merger_.Add(input);
      else if (!takes_samples_)
        AddSamples(input, run);
      input.profile = {};  // large profiles need not be in memory twice
      if (input.is_taken) ReturnFreeMemory();
    }
    return std::move(merger_).Finish();
  }

 private:
  void AddSamples(const MergeInput& input, size_t run) {
    const auto add = [&](const std::vector<Sample>& from,
                         std::vector<Sample>& to) {
      for (Sample sample : from) {
        SetInput(input.side, run, sample);
        to.push_back(sample);
      }
    };
    add(input.profile.samples, merger_.profile().samples);
    add(input.profile.thread_samples, merger_.profile().thread_samples);
  }

  // Adds a sample to the sum of its stack. While there are few samples, they
  // stay apart, so that sums are those of other outputs to the last bit.
  void AddUp(Sample sample) {
    constexpr size_t kFew = size_t{1} << 16;
    merger_.MoveSample(sample);
    std::vector<Sample>& samples = merger_.profile().samples;
    if (!are_summed_ && samples.size() == kFew) {
      are_summed_ = true;
      for (const Sample& kept : std::exchange(samples, {})) AddToSum(kept);
    }
    if (are_summed_)
      AddToSum(sample);
    else
      samples.push_back(sample);
  }

  void AddToSum(const Sample& sample) {
    std::vector<Sample>& sums = merger_.profile().samples;
    const uint32_t row =
        rows_.FindOrAdd(sample.stack, sample.thread, sums.size());
    if (row == sums.size())
      sums.push_back(sample);
    else
      sums[row].values += sample.values;
  }

  Merger merger_;
  bool takes_samples_ = false;
  bool are_summed_ = false;  // the samples that AddUp() has added
  SampleRows rows_;          // of the sums
};

InputMerger::InputMerger() = default;
InputMerger::InputMerger(InputMerger&& other) noexcept = default;
InputMerger& InputMerger::operator=(InputMerger&& other) noexcept = default;
InputMerger::~InputMerger() = default;

void InputMerger::TakeStacks(MergeInput& input) {
  if (impl_ == nullptr) impl_ = std::make_unique<Impl>();
  impl_->TakeStacks(input);
}

void InputMerger::TakeAll(MergeInput& input) {
  if (impl_ == nullptr) impl_ = std::make_unique<Impl>();
  impl_->TakeAll(input);
}

Profile InputMerger::Finish(std::vector<MergeInput> inputs) && {
  if (inputs.size() == 1 && inputs[0].side == Side::kNew &&
      !inputs[0].is_taken && !inputs[0].profile.is_symbolized)
    return std::move(inputs[0].profile);
  const std::unique_ptr<Impl> impl =
      impl_ == nullptr ? std::make_unique<Impl>() : std::move(impl_);
  return std::move(*impl).Finish(std::move(inputs));
}

Profile Merge(std::vector<MergeInput> inputs) {
  return InputMerger().Finish(std::move(inputs));
}

}  // namespace heapprof
