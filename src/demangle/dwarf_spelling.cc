// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "demangle/operator_symbol.h"
#include "demangle/replacement.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/parse_number.h"
#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

constexpr std::array<Replacement, 15> kDwarfSpellings = {{
    {"long long unsigned int", "unsigned long long"},
    {"long long int", "long long"},
    {"long unsigned int", "unsigned long"},
    {"long int", "long"},
    {"short unsigned int", "unsigned short"},
    {"short int", "short"},
    {"__int128 unsigned", "unsigned __int128"},
    {"std::nullptr_t", "decltype(nullptr)"},
    {"<unnamed>", "(anonymous namespace)"},
    {"<unnamed class>", "{unnamed type}"},
    {"<unnamed enum>", "{unnamed type}"},
    {"<unnamed struct>", "{unnamed type}"},
    {"<unnamed union>", "{unnamed type}"},
    {" *", "*"},
    {" &", "&"},
}};

// A character literal at the start of a text, such as "'a'" or "'\012'".
struct CharLiteral {
  size_t size = 0;  // 0: there is none
  unsigned value = 0;
};

CharLiteral CharLiteralAt(std::string_view text) {
  if (text.size() < 3 || text[0] != '\'') return {};
  if (text[1] != '\\')
    return text[2] == '\'' ? CharLiteral{3, static_cast<uint8_t>(text[1])}
                           : CharLiteral{};
  const size_t end = text.find('\'', 3);
  if (end == text.npos) return {};
  const std::string_view code = text.substr(2, end - 2);
  if (const auto value = ParseNumber<unsigned>(code, 8))
    return {end + 1, *value};
  return code.size() == 1 ? CharLiteral{end + 1, static_cast<uint8_t>(code[0])}
                          : CharLiteral{};
}

// Rewrites a name from left to right.
class Respeller {
 public:
  explicit Respeller(std::string_view name) : name_(name) {
    out_.reserve(name.size() + name.size() / 8);
  }

  std::string Run() {
    while (next_ < name_.size()) {
      TakeRestOfWord();
      if (next_ == name_.size()) break;
      if (TakeOperator() || TakeConst() || TakeChar() || TakeMain() ||
          TakeSpelling())
        continue;
      const char c = name_[next_++];
      if (EndsType(c)) {
        AddConst();
        if (c == ' ' && Rest().starts_with('>')) continue;
      }
      if (c == '(' && StartsParameters()) out_ += ' ';
      if (c == '[' && out_.ends_with(')')) out_ += ' ';
      AddChar(c);
    }
    AddConst();
    return std::move(out_);
  }

 private:
  struct Bracket {
    char closing = '>';
    bool is_lambda = false;
    bool has_const = false;  // "const" follows the type that is being read
  };

  std::string_view Rest() const { return name_.substr(next_); }

  // Takes what is left of a word that has been begun: nothing else starts
  // there.
  void TakeRestOfWord() {
    if (out_.empty() || !IsWord(out_.back())) return;
    const size_t first = next_;
    while (next_ < name_.size() && IsWord(name_[next_])) ++next_;
    out_ += name_.substr(first, next_ - first);
  }

  // Also changes "<lambda(int)>" to "{lambda(int)}".
  void AddChar(char c) {
    if (c == '<') {
      const bool is_lambda = Rest().starts_with("lambda(");
      open_.push_back({.closing = '>', .is_lambda = is_lambda});
      out_ += is_lambda ? '{' : c;
    } else if (!open_.empty() && c == open_.back().closing) {
      out_ += open_.back().is_lambda ? '}' : c;
      open_.pop_back();
    } else {
      if (c == '(') open_.push_back({.closing = ')'});
      out_ += c;
    }
  }

  // True if the next character starts a type: an argument in brackets, or the
  // type of a conversion operator.
  bool AtType() const {
    return out_.ends_with('<') || out_.ends_with('(') || out_.ends_with(", ") ||
           out_.ends_with("operator ");
  }

  bool TakeOperator() {
    if (!IsOperatorAt(out_, Rest())) return false;
    const size_t size =
        kOperator.size() +
        BracketOperatorAt(Rest().substr(kOperator.size())).size();
    out_ += Rest().substr(0, size);
    next_ += size;
    return true;
  }

  // Takes the "const" of "const T", which AddConst() writes after T.
  bool TakeConst() {
    constexpr std::string_view kConst = "const ";
    if (open_.empty() || !AtType() || !Rest().starts_with(kConst)) return false;
    open_.back().has_const = true;
    next_ += kConst.size();
    return true;
  }

  bool TakeChar() {
    if (!AtType()) return false;
    const CharLiteral literal = CharLiteralAt(Rest());
    if (literal.size == 0) return false;
    out_ += "(char)" + std::to_string(literal.value);
    next_ += literal.size;
    return true;
  }

  // Changes "main()::" to "main::": main is not mangled, so that its parameters
  // are not known.
  bool TakeMain() {
    constexpr std::string_view kMain = "main";
    if (!AtType() || !Rest().starts_with("main(")) return false;
    const size_t colons = Rest().find(")::");
    if (colons == std::string_view::npos) return false;
    out_ += kMain;
    next_ += colons + 1;
    return true;
  }

  bool TakeSpelling() {
    const Replacement* spelling = ReplacementAt(kDwarfSpellings, out_, Rest());
    if (spelling == nullptr) return false;
    if (spelling->text.front() == ' ') AddConst();
    out_ += spelling->replacement;
    next_ += spelling->text.size();
    return true;
  }

  // True if `c`, the character before `next_`, is the first one after a type
  // without its pointers, references and bounds.
  bool EndsType(char c) const {
    if (open_.empty() || !open_.back().has_const) return false;
    if (c == ' ')
      return !Rest().empty() &&
             std::string_view("([>").contains(Rest().front());
    return c == '*' || c == '&' || c == ',' || c == '[' ||
           c == open_.back().closing || (c == '(' && StartsParameters());
  }

  void AddConst() {
    if (open_.empty() || !open_.back().has_const) return;
    open_.back().has_const = false;
    out_ += " const";
  }

  // True if the '(' before `next_` starts the parameters of a function's type,
  // or the "(*)" of a pointer to it, and the name has no blank before it. After
  // the parameters of a function's name, "::" follows.
  bool StartsParameters() const {
    if (open_.empty() || open_.back().closing != '>' || out_.empty())
      return false;
    const char last = out_.back();
    if (!IsWord(last) && last != '>' && last != '*' && last != '&')
      return false;
    for (const std::string_view word : {"decltype", "{lambda"})
      if (out_.ends_with(word)) return false;
    size_t depth = 1;
    size_t end = next_;
    for (; end < name_.size() && depth > 0; ++end) {
      if (name_[end] == '(') ++depth;
      if (name_[end] == ')') --depth;
    }
    std::string_view after = name_.substr(end);
    constexpr std::string_view kConst = " const";
    if (after.starts_with(kConst)) after.remove_prefix(kConst.size());
    return !after.starts_with("::");
  }

  std::string_view name_;
  size_t next_ = 0;
  std::string out_;
  std::vector<Bracket> open_;
};

}  // namespace

std::string DemanglerSpelling(std::string_view dwarf_name) {
  return Respeller(dwarf_name).Run();
}

}  // namespace heapprof
