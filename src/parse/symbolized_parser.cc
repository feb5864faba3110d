// SPDX-License-Identifier: Apache-2.0
#include "parse/symbolized_parser.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/hash.h"
#include "heapprof/io/line_cursor.h"
#include "heapprof/profile/baseline_labels.h"
#include "heapprof/profile/profile_builder.h"
#include "parse/address_names.h"
#include "parse/flat_parser.h"
#include "parse/heap_v2_parser.h"
#include "parse/preamble.h"
#include "parse/shared_seeds_note.h"
#include "parse/text_scanner.h"

namespace heapprof {
namespace {

constexpr std::string_view kSectionMark = "---";
constexpr std::string_view kChainSeparator = "--";

struct SymbolSection {
  // From an address to its chain.
  std::unordered_map<uint64_t, std::string_view, RandomHash> names;
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
  section.names.insert_or_assign(*address, in.Rest());
}

// Splits a chain of inlined calls, such as "outer()--inlined()", at each "--"
// and returns the names, outermost first. Does not split at the "--" in the
// name of a decrement operator, such as "A::operator--(int)".
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

// Splits "main<0000000000401080>" into the name and the address of its symbol.
// Returns the address 0 if the name has no such suffix.
std::pair<std::string_view, uint64_t> SplitTag(std::string_view name) {
  constexpr size_t kTagLength = 18;  // sixteen digits in brackets
  if (name.size() <= kTagLength || !name.ends_with('>')) return {name, 0};
  TextScanner tag(name.substr(name.size() - kTagLength));
  if (!tag.Eat('<')) return {name, 0};
  const auto address = tag.Hex();
  if (!address || tag.Rest() != ">") return {name, 0};
  return {name.substr(0, name.size() - kTagLength), *address};
}

// Turns "operator- -" into "operator--". heapprof's --raw writes the blank
// because "--" separates the names of a chain.
std::string JoinDashes(std::string_view name) {
  std::string joined;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool between_dashes = name[i] == ' ' && joined.ends_with('-') &&
                                name.substr(i + 1).starts_with('-');
    if (!between_dashes) joined += name[i];
  }
  return joined;
}

// Returns the functions in a chain of inlined calls, innermost call first.
// Where no memory map names the file, as in what --raw writes, "lib.so+0x1234"
// is no name.
std::vector<Line> LinesOf(std::string_view chain, bool has_file,
                          ProfileBuilder& builder) {
  std::vector<Line> lines;
  for (std::string_view part : SplitChain(chain) | std::views::reverse) {
    const auto [name, start] = SplitTag(part);
    if (name.empty()) continue;
    lines.push_back({.function = builder.InternFunction(
                         {.name = builder.InternString(JoinDashes(name)),
                          .start_address = start,
                          .unresolved = !has_file && StandsForAddress(name)})});
  }
  return lines;
}

bool IsHexNumber(std::string_view text) {
  return text.starts_with("0x") && IsAllHex(text.substr(2));
}

// True for an address in `file`, such as "libc.so.6+0x271d0". heapprof's --raw
// writes it instead of a name.
bool IsAddressIn(std::string_view file, std::string_view name) {
  const size_t plus = name.rfind('+');
  return plus != name.npos && name.substr(0, plus) == file &&
         IsHexNumber(name.substr(plus + 1));
}

// Returns the functions of a location. Services write "??" or the address if
// they have no name; then there are none, or, without a file in which to look
// for them, one that stands for the address.
std::vector<Line> LinesAt(const Location& location, std::string_view chain,
                          ProfileBuilder& builder) {
  const Profile& profile = builder.profile();
  const std::string_view file = BaseName(
      profile.String(profile.mappings[location.mapping.index()].filename));
  std::vector<Line> lines;
  if (chain != "??" && !IsHexNumber(chain) && !IsAddressIn(file, chain))
    lines = LinesOf(chain, !location.mapping.IsNone(), builder);
  if (!lines.empty() || !location.mapping.IsNone()) return lines;
  const std::string name = fmt::format("0x{:016x}", location.address);
  return {{.function = builder.InternFunction(
               {.name = builder.InternString(name), .unresolved = true})}};
}

void NameLocations(SymbolSection section, ProfileBuilder& builder) {
  Profile& profile = builder.profile();
  for (size_t i = 1; i < profile.locations.size(); ++i) {
    const Location& location = profile.locations[i];
    std::string_view chain;
    if (const auto it = section.names.find(location.address);
        it != section.names.end()) {
      chain = it->second;
      section.names.erase(it);
    }
    const std::vector<Line> lines = LinesAt(location, chain, builder);
    profile.locations[i].lines = builder.AddLines(lines);
  }
  const std::map<uint64_t, std::string_view> spare(section.names.begin(),
                                                   section.names.end());
  for (const auto& [address, chain] : spare) {
    Location location = {.address = address,
                         .module_address = address,
                         .is_return_address = false};
    location.lines = builder.AddLines(LinesAt(location, chain, builder));
    builder.AddLocation(location);
  }
}

// Finds the dump that follows the list of symbols in `file`. `text` is the part
// of the file after the list. The list has `lines` lines.
DumpSource FindDump(std::string_view text, size_t lines, const DumpSource& file,
                    Diagnostics& diagnostics) {
  for (;;) {
    const Preamble preamble = SkipPreamble(text, file.name, &diagnostics);
    text.remove_prefix(preamble.bytes);
    lines += preamble.lines;
    if (!text.starts_with(kSectionMark) && !text.starts_with('\n') &&
        !text.starts_with("\r\n"))
      break;
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    ++lines;
  }
  return {.text = text,
          .name = file.name,
          .first_line = file.first_line + lines,
          .addresses = FrameAddresses::kSymbolizedKeys,
          .options = file.options};
}

Result<Profile> ParseDump(const DumpSource& dump, Diagnostics& diagnostics) {
  if (dump.text.starts_with(kHeapV2Start))
    return ParseHeapV2(dump, diagnostics);
  if (dump.text.starts_with(kFlatStart)) return ParseFlat(dump, diagnostics);
  return Fail(ErrorKind::kBadFormat,
              fmt::format("{}:{}: expected a heap dump ('heap_v2/…' or 'heap "
                          "profile:') after the symbols, found '{:.40}'",
                          dump.name, dump.first_line,
                          dump.text.substr(0, dump.text.find('\n'))));
}

}  // namespace

Result<Profile> ParseSymbolized(const DumpSource& source,
                                Diagnostics& diagnostics) {
  LineCursor cursor(source.text);
  cursor.Next();  // "--- symbol", which the caller has checked
  SymbolSection section;
  bool closed = false;
  while (!closed) {
    const auto line = cursor.Next();
    if (!line) {
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}: the symbol section has no closing '---' and "
                              "no dump after it",
                              source.name));
    }
    closed = line->starts_with(kSectionMark);
    if (*line == kSharedSeedsComment)
      NoteSharedSeeds(source.name, diagnostics);
    else if (!closed)
      ReadSymbolLine(*line, section);
  }
  auto profile = ParseDump(
      FindDump(cursor.rest(), cursor.line_number(), source, diagnostics),
      diagnostics);
  if (!profile) return profile;
  ProfileBuilder builder(std::move(*profile));
  builder.profile().is_symbolized = true;
  if (builder.profile().main_binary.IsNone())
    builder.profile().main_binary = builder.InternString(section.binary);
  NameLocations(std::move(section), builder);
  return std::move(builder).Finish();
}

}  // namespace heapprof
