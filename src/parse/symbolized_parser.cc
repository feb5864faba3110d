// SPDX-License-Identifier: Apache-2.0
#include "parse/symbolized_parser.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heapprof/io/line_cursor.h"
#include "heapprof/profile/profile_builder.h"
#include "parse/heap_v2_parser.h"
#include "parse/text_scanner.h"

namespace heapprof {
namespace {

constexpr std::string_view kSectionMark = "---";
constexpr std::string_view kChainSeparator = "--";

struct SymbolSection {
  std::unordered_map<uint64_t, std::string_view> names;  // address to chain
  std::string_view binary;
};

void ReadSymbolLine(std::string_view line, SymbolSection& section) {
  constexpr std::string_view kBinary = "binary=";
  if (line.starts_with(kBinary)) {
    section.binary = line.substr(kBinary.size());
    return;
  }
  TextScanner in(line);
  const auto address = in.Eat("0x") ? in.Hex() : std::nullopt;
  if (!address || (in.Peek() != ' ' && in.Peek() != '\t')) return;
  in.SkipBlanks();
  section.names.emplace(*address, in.Rest());
}

// Splits a chain at "--", outermost name first. The decrement operator
// contains the separator: "A::operator--(int)" stays whole.
std::vector<std::string_view> SplitChain(std::string_view chain) {
  std::vector<std::string_view> names;
  constexpr std::string_view kOperator = "operator";
  size_t begin = 0;
  for (size_t at = 0; (at = chain.find(kChainSeparator, at)) != chain.npos;) {
    const bool is_decrement =
        chain.substr(begin, at - begin).ends_with(kOperator);
    if (!is_decrement) {
      names.push_back(chain.substr(begin, at - begin));
      begin = at + kChainSeparator.size();
    }
    at += kChainSeparator.size();
  }
  names.push_back(chain.substr(begin));
  return names;
}

// "main<0000000000401080>": a name and where its symbol starts.
std::pair<std::string_view, uint64_t> SplitTag(std::string_view name) {
  constexpr size_t kTagLength = 18;  // sixteen digits in brackets
  if (name.size() <= kTagLength || !name.ends_with('>')) return {name, 0};
  TextScanner tag(name.substr(name.size() - kTagLength));
  if (!tag.Eat('<')) return {name, 0};
  const auto address = tag.Hex();
  if (!address || tag.Rest() != ">") return {name, 0};
  return {name.substr(0, name.size() - kTagLength), *address};
}

void NameLocations(const SymbolSection& section, ProfileBuilder& builder) {
  Profile& profile = builder.profile();
  std::vector<Line> lines;
  for (size_t i = 1; i < profile.locations.size(); ++i) {
    const uint64_t address = profile.locations[i].address;
    const auto it = section.names.find(address);
    lines.clear();
    const auto add = [&lines, &builder](const Function& function) {
      lines.push_back({builder.InternFunction(function), 0, 0});
    };
    if (it != section.names.end()) {
      for (std::string_view part :
           SplitChain(it->second) | std::views::reverse) {
        const auto [name, start] = SplitTag(part);
        if (!name.empty())
          add({.name = builder.InternString(name), .start_address = start});
      }
    }
    if (lines.empty()) {
      const std::string name = fmt::format("0x{:016x}", address);
      add({.name = builder.InternString(name), .unresolved = true});
    }
    profile.locations[i].lines = builder.AddLines(lines);
  }
}

}  // namespace

Result<Profile> ParseSymbolized(std::string_view text, const std::string& name,
                                size_t first_line, Diagnostics& diagnostics) {
  LineCursor cursor(text);
  cursor.Next();  // "--- symbol", which the caller has seen
  SymbolSection section;
  bool closed = false;
  while (!closed) {
    const auto line = cursor.Next();
    if (!line) {
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}: the symbol section has no closing '---' "
                              "and no dump behind it",
                              name));
    }
    closed = line->starts_with(kSectionMark);
    if (!closed) ReadSymbolLine(*line, section);
  }
  std::string_view dump = cursor.rest();
  size_t dump_line = first_line + cursor.line_number();
  while (dump.starts_with(kSectionMark) || dump.starts_with('\n') ||
         dump.starts_with("\r\n")) {
    cursor.Next();
    dump = cursor.rest();
    ++dump_line;
  }
  if (!dump.starts_with("heap_v2/")) {
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}:{}: expected a 'heap_v2/' dump behind the "
                            "symbols, found '{:.40}'",
                            name, dump_line, dump.substr(0, dump.find('\n'))));
  }
  auto profile = ParseHeapV2(dump, name, dump_line,
                             FrameAddresses::kSymbolizedKeys, diagnostics);
  if (!profile) return profile;
  ProfileBuilder builder(std::move(*profile));
  builder.profile().is_symbolized = true;
  if (!section.binary.empty())
    builder.profile().main_binary = builder.InternString(section.binary);
  NameLocations(section, builder);
  return std::move(builder).Finish();
}

}  // namespace heapprof
