// SPDX-License-Identifier: Apache-2.0
#include "heapprof/demangle/names.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "demangle/find_special.h"
#include "demangle/name_suffixes.h"
#include "demangle/operator_symbol.h"
#include "demangle/reference_qualifiers.h"
#include "heapprof/base/char_class.h"

namespace heapprof {
namespace {

// IsBlank() and IsWord() accept the same bytes as \s and \w in the regular
// expressions of jeprof, which is written in Perl.
bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// A stack of the open brackets of a name, as positions in the output. A '<' may
// also be an operator, which no bracket closes.
class OpenBrackets {
 public:
  void Push(size_t position) { positions_.push_back(position); }

  // Removes the `opening` bracket that matches a closing bracket at the end of
  // `text`, the output so far. Returns its position, or npos if there is none.
  size_t Pop(std::string_view text, char opening) {
    if (opening != '<') {
      while (!positions_.empty() && text[positions_.back()] == '<')
        positions_.pop_back();
    }
    if (positions_.empty() || text[positions_.back()] != opening)
      return text.npos;
    const size_t position = positions_.back();
    positions_.pop_back();
    return position;
  }

 private:
  std::vector<size_t> positions_;
};

// The characters that Normalizer must examine; it copies all others unchanged.
constexpr CharSet kMattersToNormalizer = SetOf("[{<]}>0123456789");

// Rewrites the parts of a name that differ between builds. Each decision
// depends only on the output so far and the next character. Therefore
// normalizing the result again changes nothing.
class Normalizer {
 public:
  std::string Run(std::string_view name) {
    out_.reserve(name.size());
    for (size_t next = 0; next < name.size();) {
      const size_t end = FindAny(kMattersToNormalizer, name, next);
      out_.append(name, next, end - next);
      next = end;
      if (next < name.size()) Add(name[next++]);
    }
    return std::move(out_);
  }

 private:
  void Add(char c) {
    if (c == '[' || c == '{' || c == '<') open_.Push(out_.size());
    if (c == ']')
      AddSquare();
    else if (c == '}')
      AddBrace();
    else if (c == '>')
      AddAngle();
    else if (!IsDigit(c) || !EndsWithUnnamed())
      out_ += c;
  }

  // Adds ']', but cuts ABI tags such as "[abi:cxx11]", and the hash of a Rust
  // crate as in "alloc[4f2a7c9d0e1b2233]". A hash has at least 12 digits; the
  // number in clang's "char[16]" is shorter.
  void AddSquare() {
    const size_t start = open_.Pop(out_, '[');
    if (start != out_.npos) {
      const std::string_view inner = std::string_view(out_).substr(start + 1);
      const bool is_hash = inner.size() >= 12 && inner.size() <= 16 &&
                           IsAllHex(inner) && start > 0 &&
                           IsWord(out_[start - 1]);
      if (is_hash || inner.starts_with("abi:")) {
        out_.resize(start);
        return;
      }
    }
    out_ += ']';
  }

  // Adds '}', but cuts the numbers in "{lambda(int)#2}", "{closure#0}",
  // "{impl#3}" and "{unnamed type#1}". The numbers of parameters ("{parm#1}")
  // are significant and stay.
  void AddBrace() {
    const size_t start = open_.Pop(out_, '{');
    if (start != out_.npos) {
      const std::string_view inner = std::string_view(out_).substr(start + 1);
      if (!inner.starts_with("parm#") && !inner.starts_with("default arg#"))
        CutNumbers();
    }
    out_ += '}';
  }

  void CutNumbers() {
    while (IsDigit(out_.back())) {
      const size_t hash = out_.find_last_not_of("0123456789");
      if (out_[hash] != '#') return;
      out_.resize(hash);
    }
  }

  // Adds '>', and makes spellings equal. Changes "<lambda(int)>" in gcc's debug
  // information to "{lambda(int)}", because demanglers write "{lambda(int)#1}".
  // Changes the "> >" of demanglers to the ">>" of clang's debug information.
  void AddAngle() {
    const size_t start = open_.Pop(out_, '<');
    if (start != out_.npos && out_.ends_with(')') &&
        std::string_view(out_).substr(start + 1).starts_with("lambda(")) {
      out_[start] = '{';
      out_ += '}';
      return;
    }
    // Drop the blank of "> >". The first '>' may have become a '}' in an
    // earlier call of this function.
    if (out_.ends_with("} ") ||
        (out_.ends_with("> ") && !out_.ends_with("-> ") &&
         !out_.ends_with("operator> ")))
      out_.pop_back();
    out_ += '>';
  }

  // True if the output ends with the "$_" of a name such as "$_0", which clang
  // gives to a lambda or an unnamed type.
  bool EndsWithUnnamed() const {
    return out_ == "$_" || out_.ends_with(":$_") || out_.ends_with("<$_");
  }

  std::string out_;
  OpenBrackets open_;
};

// If a name begins with the path of a type in brackets, as in
// "<alloc::vec::Vec<u8>>::push", returns the position of the '>' that closes
// the type. Otherwise returns npos, for example for "<A as B>::f" and
// "<[u8]>::repeat".
size_t EndOfBracketedPath(std::string_view name) {
  if (!name.starts_with('<') || name.starts_with("<<")) return name.npos;
  size_t open = 0;
  for (size_t i = 1; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<') {
      ++open;
    } else if (c == '>' && name[i - 1] != '-') {
      if (open-- > 0) continue;
      const std::string_view path = name.substr(1, i - 1);
      return path.contains("::") && name.substr(i + 1).starts_with("::")
                 ? i
                 : name.npos;
    } else if (open == 0 && !IsWord(c) && (c != ':' || i == 1)) {
      return name.npos;
    }
  }
  return name.npos;
}

// Changes "<alloc::vec::Vec<u8>>::push" to "alloc::vec::Vec<u8>::push", the
// spelling of Rust's legacy mangling.
void DropTypeBrackets(std::string& name) {
  const size_t end = EndOfBracketedPath(name);
  if (end == name.npos) return;
  name.erase(end, 1);
  name.erase(0, 1);
}

// When argument lists are cut, brackets and blanks that are part of the name
// itself, as in "operator()", must stay. Until the cutting is done,
// kPlaceholders[i] replaces kKept[i] in such places. Placeholders count as word
// characters. They are control bytes, which no compiler puts into a name.
constexpr std::string_view kKept = "()<> ";
constexpr std::string_view kPlaceholders = "\1\2\3\4\5";

char Keep(char c) {
  const size_t i = kKept.find(c);
  return i == kKept.npos ? c : kPlaceholders[i];
}

// The placeholder for a whole list of template arguments that is kept.
constexpr char kArguments = '\6';

bool IsWordOrKept(char c) { return IsWord(c) || (c >= '\1' && c <= '\6'); }

size_t SkipConst(std::string_view text, size_t i) {
  size_t start = i;
  while (start < text.size() && IsBlank(text[start])) ++start;
  constexpr std::string_view kConst = "const";
  return text.substr(start).starts_with(kConst) ? start + kConst.size() : i;
}

// Copies a name, with placeholders for the brackets and blanks that ShortName()
// keeps.
class KeptMarker {
 public:
  explicit KeptMarker(std::string_view name) : name_(name) {}

  std::string Run() {
    out_.reserve(name_.size());
    CopyAll();
    return std::move(out_);
  }

  // Like Run(), but leaves out what CutGroups() would cut from the result: most
  // of a name with template arguments. Returns nothing if brackets do not pair
  // as CutGroups() pairs them.
  std::optional<std::string> RunAndCut() {
    cuts_ = true;
    CopyAll();
    if (cut_level_ != 0 || !pairs_) return std::nullopt;
    return std::move(out_);
  }

 private:
  void CopyAll() {
    while (pairs_) {
      CopyPlain();
      if (next_ == name_.size()) return;
      const char c = name_[next_];
      if (c == 'o')
        AddOperator();
      else if (c == '-' && Rest().starts_with("->"))
        AddKept(2);
      else if (c == '(' && Rest().starts_with(kAnonymous))
        AddKept(kAnonymous.size());
      else
        Add(name_[next_++]);
    }
  }

  enum class Use { kCut, kKeep, kDrop };
  struct Bracket {
    char opening;
    Use use;
  };

  static constexpr std::string_view kAnonymous = "(anonymous namespace)";

  std::string_view Rest() const { return name_.substr(next_); }

  bool IsCutting() const { return cut_level_ != 0; }

  void CopyPlain() {
    const size_t start = next_;
    for (;;) {
      next_ = FindSpecial(name_, next_, /*and_blanks=*/!IsCutting());
      const bool is_plain = next_ < name_.size() && name_[next_] == 'o' &&
                            !IsOperatorAt(name_.substr(0, next_), Rest());
      if (!is_plain) break;
      ++next_;
    }
    if (!IsCutting()) out_.append(name_, start, next_ - start);
  }

  void AddKept(size_t size) {
    if (IsCutting()) {
      next_ += size;
      return;
    }
    for (const char c : name_.substr(next_, size)) out_ += Keep(c);
    next_ += size;
  }

  void AddOperator() {
    AddKept(kOperator.size());
    const std::string_view symbol = BracketOperatorAt(Rest());
    if (!symbol.empty()) {
      AddKept(symbol.size());
      // Drop the blank of "operator< <int>".
      if (Rest().starts_with(" <")) ++next_;
    } else if (Rest().starts_with(' ')) {
      is_conversion_ = true;
    }
  }

  void Add(char c) {
    switch (c) {
      case '(':
        return AddOpening(c, IsCutting() ? Use::kCut : ParenthesisUse());
      case '<':
        return AddOpening(c, IsCutting() ? Use::kCut : AngleUse());
      case ')':
        return AddClosing(c, '(');
      case '>':
        return AddClosing(c, '<');
      case ' ':
        out_ += is_conversion_ || InKept() ? Keep(c) : c;
        return;
      default:
        if (!IsCutting()) out_ += c;
    }
  }

  void AddOpening(char c, Use use) {
    if (c == '(') is_conversion_ = false;
    open_.push_back({c, use});
    if (IsCutting()) return;
    if (cuts_ && use == Use::kCut) {
      cut_level_ = open_.size();
      // What follows the brackets is judged by what comes before it.
      pairs_ = !out_.empty() && !out_.ends_with("::");
    } else if (use == Use::kDrop) {
      ++next_;  // together with the '*' or '&'
    } else {
      out_ += use == Use::kKeep ? Keep(c) : c;
    }
  }

  void AddClosing(char c, char opening) {
    if (IsCutting()) return CloseCut(opening);
    if (opening == '(') {
      while (!open_.empty() && open_.back().opening == '<') open_.pop_back();
    }
    Use use = Use::kCut;
    if (!open_.empty() && open_.back().opening == opening) {
      use = open_.back().use;
      open_.pop_back();
    }
    if (use != Use::kDrop) out_ += use == Use::kKeep ? Keep(c) : c;
  }

  void CloseCut(char opening) {
    if (opening == '(')
      while (open_.size() > cut_level_ && open_.back().opening == '<')
        open_.pop_back();
    if (open_.back().opening != opening) {
      if (opening == '(') pairs_ = false;  // it would end what is being cut
      return;
    }
    open_.pop_back();
    if (open_.size() >= cut_level_) return;
    cut_level_ = 0;
    if (opening == '(' && !is_conversion_ && !InKept())
      next_ = SkipConst(name_, next_);
  }

  bool InKept() const {
    return !open_.empty() && open_.back().use == Use::kKeep;
  }

  // True if the next bracket is inside a kept bracket and starts a type there,
  // rather than the arguments after a name.
  bool AtTypeInKept() const {
    constexpr std::string_view kBefore = "\1\3\5&*,[";
    return InKept() && kBefore.contains(out_.back());
  }

  // Keeps the tuple in Rust's "<(A, B) as Trait>::f". Drops the parentheses and
  // the '*' or '&' around the function's name in "int (*f(int))(char)". Cuts
  // other parentheses, with their content.
  Use ParenthesisUse() const {
    if (AtTypeInKept()) return Use::kKeep;
    const std::string_view rest = Rest();
    const bool is_declarator =
        open_.empty() && rest.size() > 1 &&
        (rest[0] == '*' || rest[0] == '&') &&
        (IsWord(rest[1]) || rest.substr(1).starts_with(kAnonymous));
    return is_declarator ? Use::kDrop : Use::kCut;
  }

  // Keeps the brackets of Rust's "<T as Trait>::f" and "a::<impl T for X>::f",
  // and of gcc's "f()::<lambda(int)>". Cuts other brackets; if they follow
  // "::", as in Rust's "a::<T>", cuts the colons, too.
  Use AngleUse() {
    if (out_.empty() || AtTypeInKept()) return Use::kKeep;
    if (!out_.ends_with("::")) return Use::kCut;
    if (Rest().starts_with("impl ") || Rest().starts_with("lambda("))
      return Use::kKeep;
    out_.resize(out_.size() - 2);
    return Use::kCut;
  }

  std::string_view name_;
  size_t next_ = 0;
  std::string out_;
  std::vector<Bracket> open_;
  bool is_conversion_ = false;  // inside the type of "operator T()"
  bool cuts_ = false;
  size_t cut_level_ = 0;  // open_.size() in what is being cut; 0: nothing is
  bool pairs_ = true;     // see RunAndCut()
};

// Removes each `opening` bracket, its content and its `closing` bracket. If
// they are parentheses, also removes a "const" after them.
void CutGroups(std::string& text, char opening, char closing) {
  const size_t first = text.find(opening);
  if (first == text.npos) return;
  std::vector<size_t> open;
  size_t size = first;  // of the kept part, at the start of `text`
  for (size_t i = first; i < text.size(); ++i) {
    const char c = text[i];
    if (c == closing && !open.empty()) {
      size = open.back();
      open.pop_back();
      if (closing == ')') i = SkipConst(text, i + 1) - 1;
      continue;
    }
    if (c == opening) open.push_back(size);
    text[size++] = c;
  }
  text.resize(size);
}

// Returns the start of the last "word::" that follows a blank; 0 if there is
// none.
size_t FindQualifiedName(std::string_view text) {
  for (size_t colons = text.rfind("::"); colons != text.npos && colons > 0;
       colons = text.rfind("::", colons - 1)) {
    size_t start = colons;
    while (start > 0 && IsWordOrKept(text[start - 1])) --start;
    if (start > 0 && start < colons && IsBlank(text[start - 1])) return start;
  }
  return 0;
}

// Replaces each template argument list outside parentheses in `text` by
// kArguments, and returns the lists. A list inside another list stays part of
// the outer one.
std::vector<std::string> TakeTemplateArguments(std::string& text) {
  static constexpr CharSet kBrackets = SetOf("()<>");
  std::vector<std::string> lists;
  std::string out;
  size_t taken = 0;  // of `text`
  size_t parentheses = 0;
  size_t angles = 0;
  for (size_t i = FindAny(kBrackets, text, 0); i < text.size();
       i = FindAny(kBrackets, text, i + 1)) {
    const char c = text[i];
    if (angles == 0 && c == '(') ++parentheses;
    if (angles == 0 && c == ')' && parentheses > 0) --parentheses;
    if (parentheses == 0 && c == '<' && angles++ == 0) {
      out.append(text, taken, i - taken);
      taken = i;
    }
    if (c != '>' || angles == 0 || --angles > 0) continue;
    lists.push_back(text.substr(taken, i + 1 - taken));
    out += kArguments;
    taken = i + 1;
  }
  out.append(text, taken);
  text = std::move(out);
  return lists;
}

// Replaces each kArguments in `text` by the next list of `lists`, beginning
// with lists[next]. Earlier lists belong to a part of the name that is no
// longer in `text`.
std::string WithTemplateArguments(std::string_view text,
                                  const std::vector<std::string>& lists,
                                  size_t next) {
  std::string out;
  for (; next < lists.size(); ++next) {
    const size_t at = text.find(kArguments);
    if (at == text.npos) break;
    out += text.substr(0, at);
    out += lists[next];
    text.remove_prefix(at + 1);
  }
  out += text;
  return out;
}

// All characters that tell ShortName() what to cut or keep, and placeholders.
constexpr CharSet kMattersToShortName = SetOf("()<>- \t\n\v\f\r\1\2\3\4\5\6");

// True if `arguments`, which begins with '(', is one list of arguments, perhaps
// with " const" after it.
bool IsArgumentList(std::string_view arguments) {
  constexpr std::string_view kConst = " const";
  if (arguments.ends_with(kConst)) arguments.remove_suffix(kConst.size());
  if (!arguments.ends_with(')')) return false;
  size_t open = 0;
  for (const char c : arguments.substr(0, arguments.size() - 1)) {
    if (c == '(') ++open;
    if (c == ')' && --open == 0) return false;
  }
  return open == 1;
}

// Returns the size of the short name at the beginning of a name such as
// "ns::f(int)", which has neither template arguments nor anything else before
// its arguments. Returns npos for other names.
size_t SizeOfPlainName(std::string_view name) {
  const size_t end = FindAny(kMattersToShortName, name, 0);
  if (end == name.size()) return end;
  const std::string_view rest = name.substr(end);
  if (rest.starts_with('(') && !rest.starts_with("(*") &&
      !rest.starts_with("(&") && !rest.starts_with("(anonymous ") &&
      !name.substr(0, end).ends_with("operator") && IsArgumentList(rest))
    return end;
  return name.npos;
}

// Turns placeholders back into brackets and blanks.
std::string RestoreKept(std::string name) {
  for (char& c : name)
    if (c >= kPlaceholders.front() && c <= kPlaceholders.back())
      c = kKept[static_cast<size_t>(c - kPlaceholders.front())];
  return name;
}

}  // namespace

std::string NormalizeName(std::string_view demangled) {
  std::string name = Normalizer().Run(demangled);
  DropTypeBrackets(name);
  name.resize(SizeWithoutSuffixes(name));
  return name;
}

std::string ShortName(std::string_view demangled) {
  if (const size_t size = SizeOfPlainName(demangled); size != demangled.npos)
    return std::string(demangled.substr(0, size));
  std::optional<std::string> cut = KeptMarker(demangled).RunAndCut();
  std::string name = cut ? *std::move(cut) : KeptMarker(demangled).Run();
  CutGroups(name, '(', ')');
  CutGroups(name, '<', '>');
  name.erase(0, FindQualifiedName(name));
  name = RestoreKept(std::move(name));
  DropTypeBrackets(name);
  return name;
}

std::string TemplateName(std::string_view demangled) {
  std::string name = KeptMarker(demangled).Run();
  const std::vector<std::string> lists = TakeTemplateArguments(name);
  CutGroups(name, '(', ')');
  const size_t start = FindQualifiedName(name);
  const auto dropped =
      std::ranges::count(std::string_view(name).substr(0, start), kArguments);
  name =
      RestoreKept(WithTemplateArguments(std::string_view(name).substr(start),
                                        lists, static_cast<size_t>(dropped)));
  DropTypeBrackets(name);
  return name;
}

std::string StyledName(std::string_view demangled, NameStyle style) {
  std::string name = NormalizeName(demangled);
  switch (style) {
    case NameStyle::kFull:
      return name;
    case NameStyle::kTemplate:
      return WithoutReferenceQualifiers(TemplateName(WithoutReturnType(name)));
    case NameStyle::kShort:
      return WithoutReferenceQualifiers(ShortName(WithoutReturnType(name)));
  }
  return name;
}

}  // namespace heapprof
