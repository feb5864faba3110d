// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/mangled_constraints.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "heapprof/base/char_class.h"

namespace heapprof {
namespace {

// The longest name that is examined. Those of real programs are shorter.
constexpr size_t kMaxSize = 16 * 1024;

// True if a constraint or declaration starts with `c`, outside identifiers.
bool StartsConstraint(char c, char next) {
  return c == 'Q' || (c == 'T' && std::string_view("kntpyL").contains(next));
}

// Walks over a mangled name, from one code to the next. Does not parse: it only
// skips what may contain any character, such as identifiers.
class Codes {
 public:
  explicit Codes(std::string_view name) : name_(name) {}

  bool FindConstraint() {
    while (next_ < name_.size()) {
      if (StartsConstraint(Peek(0), Peek(1))) return true;
      if (IsDigit(Peek(0)))
        SkipNumberOrIdentifier();
      else if (Peek(0) == 'L')
        SkipLiteral();
      else if (Peek(0) == 'S' || Peek(0) == 'T')
        SkipReference();
      else
        ++next_;
    }
    return false;
  }

 private:
  char Peek(size_t ahead) const {
    return next_ + ahead < name_.size() ? name_[next_ + ahead] : '\0';
  }

  size_t EndOfDigits(size_t at) const {
    return std::min(name_.find_first_not_of("0123456789", at), name_.size());
  }

  // Skips an identifier with its size, or the bound of an array ("A4_c"), or
  // the value of an enumerator ("LN2ns4ModeE120E").
  void SkipNumberOrIdentifier() {
    const char before = next_ > 0 ? name_[next_ - 1] : '\0';
    const size_t end = EndOfDigits(next_);
    size_t size = 0;
    for (const char c : name_.substr(next_, end - next_))
      size = std::min(size * 10 + static_cast<size_t>(c - '0'), kMaxSize);
    next_ = end;
    const bool is_number =
        (before == 'A' && Peek(0) == '_') || (before == 'E' && Peek(0) == 'E');
    if (!is_number) next_ += size;
  }

  // Skips a literal of a builtin type: "Lb1E", "Lin5E".
  void SkipLiteral() {
    ++next_;
    const size_t digits = next_ + (Peek(1) == 'n' ? 2 : 1);
    const size_t end = EndOfDigits(digits);
    if (end > digits && end < name_.size() && name_[end] == 'E')
      next_ = end + 1;
  }

  // Skips "S_", "S1A_", "T_" and "T12_".
  void SkipReference() {
    const size_t end = name_.find_first_not_of(
        Peek(0) == 'S' ? "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" : "0123456789",
        next_ + 1);
    next_ = end < name_.size() && name_[end] == '_' ? end + 1 : next_ + 2;
  }

  std::string_view name_;
  size_t next_ = 0;
};

// False for most names, which need no closer look.
bool MayHaveConstraint(std::string_view name) {
  if (name.contains('Q')) return true;
  for (size_t at = name.find('T'); at < name.size();
       at = name.find('T', at + 1))
    if (at + 1 < name.size() && StartsConstraint('T', name[at + 1]))
      return true;
  return false;
}

}  // namespace

bool HasConstraints(std::string_view text) {
  constexpr std::string_view kMangled = "_Z";
  if (!text.starts_with(kMangled)) return false;
  const std::string_view name =
      text.substr(0, strnlen(text.data(), std::min(text.size(), kMaxSize)))
          .substr(kMangled.size());
  return MayHaveConstraint(name) && Codes(name).FindConstraint();
}

}  // namespace heapprof
