// SPDX-License-Identifier: Apache-2.0
#include "report/fit_name.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "heapprof/base/base_name.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/profile/inline_mark.h"

namespace heapprof {
namespace {

// Returns `path`, or its end after as few of the outer folders as possible:
// with "…", at most `columns` wide, unless the name of the file is wider.
std::string WithoutOuterFolders(std::string_view path, size_t columns) {
  if (Columns(path) <= columns) return std::string(path);
  std::string_view rest = path;
  for (size_t slash = path.find('/', 1); slash != path.npos;
       slash = path.find('/', slash + 1)) {
    rest = path.substr(slash);
    if (Columns(rest) + 1 <= columns) break;
  }
  return rest.size() == path.size() ? std::string(path)
                                    : "…" + std::string(rest);
}

// Counts the brackets that are open in a name.
class BracketDepth {
 public:
  void Pass(char c) {
    if (std::string_view("<({[").contains(c)) ++depth_;
    if (std::string_view(">)}]").contains(c) && depth_ != 0) --depth_;
  }
  size_t depth() const { return depth_; }

 private:
  size_t depth_ = 0;
};

// Returns where the parts of a qualified name begin that are not the first one:
// after each "::" that is in no brackets. Empty if there are several words.
std::vector<size_t> LaterParts(std::string_view name) {
  std::vector<size_t> starts;
  BracketDepth brackets;
  bool has_blank = false;
  for (size_t i = 0; i < name.size(); ++i) {
    brackets.Pass(name[i]);
    if (brackets.depth() != 0) continue;
    if (name[i] == ' ') has_blank = true;
    if (!name.substr(i).starts_with("::")) continue;
    if (has_blank) return {};
    starts.push_back(i + 2);
    ++i;
  }
  return starts;
}

// A method of a trait in Rust, "<a::Type as b::Trait>::method".
struct TraitMethod {
  std::string_view type;
  std::string_view trait;
  std::string_view method;  // "::method"
};

std::optional<TraitMethod> AsTraitMethod(std::string_view name) {
  constexpr std::string_view kAs = " as ";
  if (!name.starts_with('<')) return std::nullopt;
  BracketDepth brackets;
  size_t as = name.npos;
  for (size_t i = 0; i < name.size(); ++i) {
    brackets.Pass(name[i]);
    if (brackets.depth() == 1 && as == name.npos &&
        name.substr(i).starts_with(kAs))
      as = i;
    if (brackets.depth() != 0) continue;
    if (as == name.npos || !name.substr(i + 1).starts_with("::"))
      return std::nullopt;
    const size_t trait = as + kAs.size();
    return TraitMethod{name.substr(1, as - 1), name.substr(trait, i - trait),
                       name.substr(i + 1)};
  }
  return std::nullopt;
}

// Returns the last part of a qualified name, or nothing if there is no other.
std::string_view LastPart(std::string_view name) {
  const std::vector<size_t> starts = LaterParts(name);
  return starts.empty() ? std::string_view() : name.substr(starts.back());
}

// Returns where the arguments of a function begin, or the end of `name` if
// there are none or several words.
size_t StartOfArguments(std::string_view name) {
  size_t start = name.size();
  BracketDepth brackets;
  for (size_t i = 0; i < name.size(); ++i) {
    const std::string_view before = name.substr(0, i);
    if (brackets.depth() == 0) {
      if (name[i] == ' ' && start == name.size()) return start;
      // They were those of an enclosing function.
      if (name[i] == ':') start = name.size();
      // Not "(anonymous namespace)", and not the name of "operator()".
      if (name[i] == '(' && start == name.size() && i != 0 &&
          before.back() != ':' && !before.ends_with("operator"))
        start = i;
    }
    brackets.Pass(name[i]);
  }
  return start;
}

// Shortens the arguments first. They are left out before parts of the name are.
std::string WithShorterArguments(std::string_view function,
                                 std::string_view arguments, size_t columns) {
  constexpr size_t kLeast = 6;  // "(…Key)"
  const size_t used = Columns(function);
  if (used + kLeast > columns) return FitFunction(function, columns);
  return std::string(function) + Shortened(arguments, columns - used);
}

// Leaves out the modules of the type and the trait first, then the trait.
std::string WithShorterTrait(const TraitMethod& method, size_t columns) {
  constexpr std::string_view kLeftOut = "…::";
  const auto shortened = [&](std::string_view name) {
    const std::string_view last = LastPart(name);
    return last.empty() ? std::string(name)
                        : std::string(kLeftOut) + std::string(last);
  };
  std::string name = "<" + shortened(method.type) + " as " +
                     shortened(method.trait) + ">" + std::string(method.method);
  if (Columns(name) <= columns) return name;
  const std::string_view type = LastPart(method.type);
  return FitFunction("…" + (type.empty() ? "" : "::" + std::string(type)) +
                         std::string(method.method),
                     columns);
}

// Returns how many characters a name may have.
size_t Room(size_t used, size_t width) {
  return std::max(kNarrowestName, width - std::min(used, width));
}

// Returns where the last word of `name` before `end` begins.
size_t StartOfWord(std::string_view name, size_t end) {
  constexpr std::string_view kBetweenWords = " :<>(){}[],.*&";
  const size_t last = name.substr(0, end).find_last_not_of(kBetweenWords);
  if (last == name.npos) return 0;
  return name.substr(0, last).find_last_of(kBetweenWords) + 1;
}

// Returns the length of the longest start that `name`, one of `names`, shares
// with another one: with one of those beside it.
size_t SharedStart(const std::string& name,
                   const std::set<std::string>& names) {
  size_t longest = 0;
  const auto compare = [&](const std::string& other) {
    const auto end = std::ranges::mismatch(name, other).in1;
    longest = std::max(longest, static_cast<size_t>(end - name.begin()));
  };
  const auto it = names.find(name);
  if (it != names.begin()) compare(*std::prev(it));
  if (std::next(it) != names.end()) compare(*std::next(it));
  while (longest < name.size() && IsContinuationByte(name[longest])) --longest;
  return longest;
}

// Returns `name`, at most `columns` wide, with the character at `shown` and the
// words before it that have room.
std::string ShortenedAround(size_t shown, std::string_view name,
                            size_t columns) {
  constexpr std::string_view kLeftOut = "…";
  if (Columns(name) <= columns) return std::string(name);
  const size_t arguments = StartOfArguments(name);
  if (shown >= arguments && arguments != 0 && arguments != name.size()) {
    const std::string end = ShortenedAround(
        shown - arguments, name.substr(arguments), columns * 2 / 3);
    return FitFunction(name.substr(0, arguments), columns - Columns(end)) + end;
  }
  const size_t room = columns - Columns(kLeftOut);
  const auto fits = [&](size_t start) {
    return Columns(name.substr(start)) <= room;
  };
  size_t start = StartOfWord(name, shown);
  // Shortened() keeps a third at the start.
  if (!fits(start) && Columns(name.substr(start, shown - start)) >= room / 3)
    start = shown;
  while (start != 0 && fits(StartOfWord(name, start)))
    start = StartOfWord(name, start);
  if (start == 0) return Shortened(name, columns);
  return std::string(kLeftOut) + Shortened(name.substr(start), room);
}

}  // namespace

std::string FitFunction(std::string_view name, size_t columns) {
  constexpr std::string_view kLeftOut = "…::";
  if (Columns(name) <= columns) return std::string(name);
  if (name.ends_with(kInlineMark)) {
    name.remove_suffix(kInlineMark.size());
    return columns < kNarrowestName + kInlineMark.size()
               ? FitFunction(name, columns)
               : FitFunction(name, columns - kInlineMark.size()) +
                     std::string(kInlineMark);
  }
  if (const auto method = AsTraitMethod(name))
    return WithShorterTrait(*method, columns);
  if (const size_t end = StartOfArguments(name); end != name.size())
    return WithShorterArguments(name.substr(0, end), name.substr(end), columns);
  const std::vector<size_t> starts = LaterParts(name);
  if (starts.empty()) return Shortened(name, columns);
  size_t used = Columns(kLeftOut);
  size_t first = starts.size();  // of the parts that fit
  for (size_t end = name.size(); first != 0; end = starts[--first]) {
    const size_t start = starts[first - 1];
    used += Columns(name.substr(start, end - start));
    if (used > columns) break;
  }
  const std::string_view last = name.substr(starts.back());
  if (first == starts.size()) return Shortened(last, columns);
  std::string after_mark =
      std::string(kLeftOut) + std::string(name.substr(starts[first]));
  if (first + 1 != starts.size()) return after_mark;
  const size_t start = first == 0 ? 0 : starts[first - 1];
  const std::string_view before =
      name.substr(start, starts[first] - Columns("::") - start);
  // "(anonymous namespace)"
  if (before.starts_with('(')) return after_mark;
  const size_t room = columns - Columns(after_mark);
  return std::string(FirstColumns(
             before,
             std::min(room, std::max<size_t>(Columns(before), 1) - 1))) +
         after_mark;
}

std::string FitPath(std::string_view path, size_t columns) {
  const std::string text = Printable(path);
  return columns == 0 ? text : WithoutOuterFolders(text, columns);
}

std::string FitName(std::string_view name, size_t used, size_t width) {
  std::string text = Printable(name);
  if (width == 0) return text;
  return FitFunction(text, Room(used, width));
}

std::string FitNameAndPlace(std::string_view name_and_place, size_t used,
                            size_t width) {
  const std::string text = Printable(name_and_place);
  const size_t end = text.rfind(' ');
  if (width == 0 || end == text.npos || Columns(text) + used <= width)
    return FitName(text, used, width);
  const std::string_view name = std::string_view(text).substr(0, end);
  const std::string_view place = std::string_view(text).substr(end + 1);
  const size_t room = width - std::min(width, used);
  const size_t for_place = room - std::min(room, Columns(name) + 1);
  std::string fitted = WithoutOuterFolders(place, for_place);
  constexpr size_t kNarrowestPlace = 8;  // "x…h:1234"
  // Not even the narrowest name has room beside the name of the file.
  const size_t narrowest = kNarrowestName + 1;
  if (Columns(fitted) + narrowest > room)
    fitted =
        Shortened(BaseName(place),
                  std::max(kNarrowestPlace, room - std::min(room, narrowest)));
  const size_t for_name = room - std::min(room, Columns(fitted) + 1);
  return FitFunction(name, std::max(kNarrowestName, for_name)) + ' ' + fitted;
}

std::vector<std::string> FitNames(std::span<const NameInLine> names,
                                  size_t width, decltype(FitName)* fit) {
  std::vector<std::string> texts;
  for (const auto& [name, used] : names)
    texts.push_back(fit(name, used, width));
  if (width == 0) return texts;
  std::map<std::string, std::set<std::string>> names_by_text;
  for (size_t i = 0; i < names.size(); ++i)
    names_by_text[texts[i]].insert(Printable(names[i].name));
  for (size_t i = 0; i < names.size(); ++i) {
    const std::set<std::string>& alike = names_by_text.at(texts[i]);
    if (alike.size() == 1) continue;
    const std::string name = Printable(names[i].name);
    texts[i] = ShortenedAround(SharedStart(name, alike), name,
                               Room(names[i].used, width));
  }
  return texts;
}

void AppendNames(std::span<const std::string> names, size_t width,
                 std::vector<std::string>& lines) {
  std::vector<NameInLine> in_lines;
  for (size_t i = 0; i < lines.size(); ++i)
    in_lines.push_back({names[i], Columns(lines[i])});
  const std::vector<std::string> texts = FitNames(in_lines, width);
  for (size_t i = 0; i < lines.size(); ++i) lines[i] += texts[i];
}

}  // namespace heapprof
