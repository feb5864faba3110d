// SPDX-License-Identifier: Apache-2.0
#include "view/compared_entries.h"

#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "heapprof/base/base_name.h"
#include "heapprof/base/hash.h"
#include "heapprof/base/no_index.h"
#include "heapprof/demangle/names.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/profile/thread_name.h"
#include "heapprof/view/stack_table.h"
#include "view/label_sums.h"

namespace heapprof {
namespace {

Granularity GranularityOf(CompareBy by) {
  if (by == CompareBy::kFile) return Granularity::kFiles;
  if (by == CompareBy::kModule) return Granularity::kModules;
  if (by == CompareBy::kGroup) return Granularity::kGroups;
  return Granularity::kFunctions;
}

class EntryFinder {
 public:
  EntryFinder(const Profile& profile, const ComparisonOptions& options)
      : profile_(profile),
        options_(options),
        samples_(ComparedSamples(profile, options.by)),
        labels_(profile, {.granularity = GranularityOf(options.by),
                          .names = NameForm::kPlain,
                          .own_lines = options.own_lines}),
        entry_of_label_(labels_.size(), kNoIndex) {}

  ComparedEntries Find() && {
    SampleEntries& found = found_.samples;
    found.are_of_threads = options_.by == CompareBy::kThread;
    found.ranges.resize(found.are_of_threads ? profile_.threads.size()
                                             : profile_.stacks.size());
    for (const Sample& sample : samples_) {
      RowRange& range = found.ranges[found.RowOf(sample)];
      if (range.count != 0 || sample.values[options_.metric].value == 0)
        continue;
      range.first = static_cast<uint32_t>(found.entries.size());
      AddEntriesOf(sample);
      range.count = static_cast<uint32_t>(found.entries.size() - range.first);
    }
    if (options_.by == CompareBy::kModule ||
        (options_.by == CompareBy::kFunction &&
         options_.names == NameForm::kShort))
      ShortenNames();
    return std::move(found_);
  }

 private:
  void AddEntriesOf(const Sample& sample) {
    switch (options_.by) {
      case CompareBy::kStack:
        return Add(Intern(StackKey(sample.stack)));
      case CompareBy::kThread:
        return Add(Intern(ThreadKey(sample.thread)));
      default:
        return options_.calls.empty() ? AddFrames(sample.stack)
                                      : AddCall(sample);
    }
  }

  void Add(uint32_t entry) { found_.samples.entries.push_back(entry); }

  void AddFrames(StackId stack) {
    for (const LocationId id : profile_.StackFrames(stack)) {
      const auto lines = profile_.LocationLines(profile_.locations[id.index()]);
      const auto labels = labels_.Of(id);
      for (size_t i = 0; i < labels.size(); ++i)
        Add(EntryOf(labels[i], lines[i].function));
    }
  }

  void AddCall(const Sample& sample) {
    const auto& call = options_.calls[sample.stack.index()];
    if (!call) return Add(Intern(std::string(kOutsideOwnCode)));
    Add(EntryOf(LabelOf(profile_, sample, *call, labels_),
                profile_.lines[call->line].function));
  }

  // Returns the entry of `label`, which is added if it is new. If functions are
  // compared, `function` is the function with this label.
  uint32_t EntryOf(uint32_t label, FunctionId function) {
    uint32_t& entry = entry_of_label_[label];
    if (entry != kNoIndex) return entry;
    entry = Intern(labels_.Text(label));
    ComparisonEntry& made = found_.entries[entry];
    made.is_own |= labels_.IsOwn(label);
    if (options_.by == CompareBy::kFile && !made.key.starts_with('['))
      made.file = made.key;
    if (options_.by == CompareBy::kFunction && made.file.empty()) {
      const Function& of = profile_.functions[function.index()];
      made.file = profile_.String(of.filename);
      made.line = of.start_line;
      if (of.unresolved) unresolved_.push_back(entry);
    }
    return entry;
  }

  // Returns the keys of all frames, root first and joined by ";", as in a
  // collapsed report.
  std::string StackKey(StackId stack) {
    std::string key;
    const auto labels = labels_.OfStack(profile_.StackFrames(stack));
    for (const uint32_t label : labels | std::views::reverse) {
      if (!key.empty()) key += ';';
      key += FrameKey(label);
    }
    return key;
  }

  // Returns the key of a frame for StackKey().
  const std::string& FrameKey(uint32_t label) {
    frame_keys_.resize(labels_.size());
    std::string& key = frame_keys_[label];
    if (key.empty()) key = FrameText(labels_.Text(label));
    return key;
  }

  std::string ThreadKey(ThreadId id) const {
    const Thread& thread = profile_.threads[ShownThread(profile_, id).index()];
    return ThreadName(thread.uid, profile_.String(thread.name));
  }

  uint32_t Intern(std::string key) {
    const auto [it, added] = index_.try_emplace(
        std::move(key), static_cast<uint32_t>(found_.entries.size()));
    if (added) found_.entries.push_back({.key = it->first, .name = it->first});
    return it->second;
  }

  // Gives entries the shortest of their names that no other entry has.
  void ShortenNames() {
    std::vector<bool> is_name(found_.entries.size(), true);
    for (const uint32_t i : unresolved_) is_name[i] = false;
    std::vector<ComparisonEntry*> left;
    for (size_t i = 0; i < is_name.size(); ++i)
      if (is_name[i] && found_.entries[i].key != kOutsideOwnCode)
        left.push_back(&found_.entries[i]);
    const bool are_modules = options_.by == CompareBy::kModule;
    for (const auto shortened :
         {are_modules ? FileName : ShortName,
          are_modules ? FullName : TemplateName, FullName}) {
      std::unordered_map<std::string, size_t> uses;
      for (ComparisonEntry* entry : left)
        ++uses[entry->name = shortened(entry->key)];
      std::erase_if(left, [&uses](const ComparisonEntry* entry) {
        return uses[entry->name] == 1;
      });
    }
  }

  static std::string FileName(std::string_view path) {
    return std::string(BaseName(path));
  }
  static std::string FullName(std::string_view key) { return std::string(key); }

  const Profile& profile_;
  const ComparisonOptions& options_;
  const std::vector<Sample>& samples_;
  const FrameLabels labels_;
  ComparedEntries found_;
  std::unordered_map<std::string, uint32_t, RandomHash> index_;  // by key
  std::vector<uint32_t> entry_of_label_;
  std::vector<std::string> frame_keys_;  // by label
  std::vector<uint32_t> unresolved_;     // entries of addresses without a name
};

}  // namespace

ComparedEntries FindEntries(const Profile& profile,
                            const ComparisonOptions& options) {
  return EntryFinder(profile, options).Find();
}

const std::vector<Sample>& ComparedSamples(const Profile& profile,
                                           CompareBy by) {
  return by == CompareBy::kThread ? profile.thread_samples : profile.samples;
}

EntriesOfSample EntriesIn(const SampleEntries& entries) {
  return [&entries](const Sample& sample, std::vector<uint32_t>& of) {
    const auto found = entries.Of(sample);
    of.insert(of.end(), found.begin(), found.end());
  };
}

}  // namespace heapprof
