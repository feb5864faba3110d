// SPDX-License-Identifier: Apache-2.0
#include "support/compare_answers.h"

#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heapprof/index/index_file.h"

namespace heapprof {
namespace {

constexpr unsigned kSeveral = 3;  // threads

// The answers of one way to resolve addresses.
struct Said {
  ResolvedAddresses answers;
  std::vector<std::string> problems;
};

// True if DescribeAnswer() is equal for both, but faster.
bool AreEqual(const ResolvedAddresses& a, const ResolvedAddresses& b,
              size_t address) {
  const FrameRun& run = a.runs.at(address);
  const FrameRun& other = b.runs.at(address);
  if (run.count != other.count) return false;
  for (uint32_t i = 0; i < run.count; ++i) {
    const SourceFrame& x = a.frames.at(run.first + i);
    const SourceFrame& y = b.frames.at(other.first + i);
    const SourceFunction& f = a.functions.at(x.function);
    const SourceFunction& g = b.functions.at(y.function);
    if (x.line != y.line || x.column != y.column ||
        a.files.at(x.file) != b.files.at(y.file) ||
        f.linkage_name != g.linkage_name || f.scoped_name != g.scoped_name ||
        f.start_line != g.start_line || f.start_address != g.start_address ||
        a.files.at(f.file) != b.files.at(g.file))
      return false;
  }
  return true;
}

class Comparison {
 public:
  Comparison(const ElfImage& image, const SymbolTable& symbols,
             const SplitSearch& split, std::span<const uint64_t> addresses)
      : image_(image),
        symbols_(symbols),
        split_(split),
        addresses_(addresses) {}

  ComparedAnswers Run() {
    const std::optional<Said> alone = Ask(1, addresses_);
    Compare("one thread and several", alone, Ask(kSeveral, addresses_));
    std::optional<std::string> index_at_once;
    Compare("one thread and several while inflating", alone,
            AskAtOnce(index_at_once));
    if (!alone) return {disagreement_};
    const std::optional<std::string> index = MakeIndex(1);
    if (index != MakeIndex(kSeveral)) Note("indexes of one thread and several");
    if (index != index_at_once) Note("indexes made with and without a window");
    if (index) CompareIndex(*alone, *index);
    return {disagreement_, index.has_value()};
  }

 private:
  void Note(std::string disagreement) {
    if (disagreement_.empty()) disagreement_ = std::move(disagreement);
  }

  std::unique_ptr<AddressResolver> Open(unsigned jobs) const {
    auto resolver = OpenDwarfResolver(image_, image_, symbols_, jobs, split_);
    return resolver ? *std::move(resolver) : nullptr;
  }

  std::optional<Said> Ask(unsigned jobs,
                          std::span<const uint64_t> addresses) const {
    const auto resolver = Open(jobs);
    if (resolver == nullptr) return std::nullopt;
    ResolvedAddresses answers = resolver->Resolve(addresses);
    return Said{std::move(answers), resolver->problems()};
  }

  // Reads the units while they are inflated, if they are compressed. Sets
  // `index` to the index made afterwards, for which they are inflated again.
  std::optional<Said> AskAtOnce(std::optional<std::string>& index) const {
    auto first = OpenAndResolveDwarf(
        image_, image_, [this]() -> const SymbolTable& { return symbols_; },
        addresses_,
        {.jobs = kSeveral,
         .split = split_,
         .streaming = {.min_size = 1, .step = 1 << 10}});
    if (!first) return std::nullopt;
    Said said = {std::move(first->answers), first->resolver->problems()};
    index = IndexOf(*first->resolver, kSeveral);
    return said;
  }

  std::optional<std::string> MakeIndex(unsigned jobs) const {
    const auto resolver = Open(jobs);
    return resolver == nullptr ? std::nullopt : IndexOf(*resolver, jobs);
  }

  // Nothing if the file has no index.
  static std::optional<std::string> IndexOf(AddressResolver& resolver,
                                            unsigned jobs) {
    if (!resolver.IdentifySplitFiles()) return std::nullopt;
    const std::optional<CodeMap> map = resolver.MapCode(jobs);
    if (!map) return std::nullopt;
    auto bytes = EncodeIndex(IndexKey{}, &*map);
    return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
  }

  void Compare(std::string_view ways, const std::optional<Said>& a,
               const std::optional<Said>& b) {
    if (a.has_value() != b.has_value()) Note(std::string(ways));
    if (!a || !b) return;
    if (a->problems != b->problems)
      Note(fmt::format("{}: problems {} and {}", ways, a->problems,
                       b->problems));
    CompareAll(ways, a->answers, b->answers);
  }

  void CompareAll(std::string_view ways, const ResolvedAddresses& a,
                  const ResolvedAddresses& b) {
    for (size_t i = 0; i < addresses_.size(); ++i)
      if (!AreEqual(a, b, i))
        return Note(fmt::format("{}: {:#x}:\n{}and\n{}", ways, addresses_[i],
                                DescribeAnswer(a, i), DescribeAnswer(b, i)));
  }

  void CompareIndex(const Said& alone, const std::string& bytes) {
    if (!alone.problems.empty())
      Note(fmt::format("an index in spite of {}", alone.problems));
    const auto index = IndexFile::Open(
        {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
    if (!index) return Note(index.error().message);
    if (!index->has_map()) return;
    for (const unsigned jobs : {1U, kSeveral}) {
      const auto found = index->Resolve(addresses_, jobs);
      if (!found) return Note("the index is damaged");
      CompareAll("no index and index", alone.answers, *found);
    }
  }

  const ElfImage& image_;
  const SymbolTable& symbols_;
  const SplitSearch& split_;
  std::span<const uint64_t> addresses_;
  std::string disagreement_;
};

}  // namespace

std::string DescribeAnswer(const ResolvedAddresses& answer, size_t address) {
  std::string text;
  const FrameRun& run = answer.runs.at(address);
  for (uint32_t i = run.first; i < run.first + run.count; ++i) {
    const SourceFrame& frame = answer.frames.at(i);
    const SourceFunction& function = answer.functions.at(frame.function);
    fmt::format_to(std::back_inserter(text), "{}|{}|{}:{}|{:#x} {}:{}:{}\n",
                   function.linkage_name, function.scoped_name,
                   answer.files.at(function.file), function.start_line,
                   function.start_address, answer.files.at(frame.file),
                   frame.line, frame.column);
  }
  return text;
}

ComparedAnswers CompareAnswers(const ElfImage& image,
                               const SymbolTable& symbols,
                               const SplitSearch& split,
                               std::span<const uint64_t> addresses) {
  return Comparison(image, symbols, split, addresses).Run();
}

}  // namespace heapprof
