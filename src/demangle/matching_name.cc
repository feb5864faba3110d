// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "demangle/reference_qualifiers.h"
#include "demangle/replacement.h"
#include "heapprof/base/char_class.h"
#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

constexpr std::string_view kGoMethod =
    ".(*";  // as in "net/http.(*Server).Serve"

constexpr std::string_view kLambda = "{lambda}";

// Other names of a lambda in the symbols and debug information of gcc and
// clang, as they are after names are normalized and argument lists removed. If
// one is a prefix of another, the longer one comes first.
constexpr std::array<std::string_view, 4> kLambdas = {
    "{unnamed type}", "{unnamed}", "'lambda'", "$_"};

// `rest` starts with a parenthesis, and `before` is the text before it. Returns
// true if the parenthesis starts an argument list rather than a tuple or the
// type of a function.
bool StartsArguments(std::string_view before, std::string_view rest) {
  if (before.empty() || rest.starts_with("(anonymous namespace)")) return false;
  if (before.ends_with("operator") && rest.starts_with("()")) return false;
  if (before.ends_with("operator()")) return true;
  const char last = before.back();
  return last == '}' || last == '>' || IsWord(last);
}

// Returns the size of the parenthesized text at the start of `text`, including
// a "const" that follows it.
size_t ArgumentsSize(std::string_view text) {
  size_t depth = 0;
  size_t i = 0;
  do {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    ++i;
  } while (depth > 0 && i < text.size());
  constexpr std::string_view kConst = " const";
  return text.substr(i).starts_with(kConst) ? i + kConst.size() : i;
}

// `before` and `rest` are the parts of a name before and after a position.
// Returns the size of the suffix of a number that starts at this position; 0 if
// there is none. An example is the "ul" in "f<0ul>", which only some compilers
// write.
size_t NumberSuffixSize(std::string_view before, std::string_view rest) {
  const size_t end = rest.find_first_not_of("ul");
  if (end == 0 || end == rest.npos || !(rest[end] == '>' || rest[end] == ','))
    return 0;
  const size_t number = before.find_last_not_of("0123456789");
  if (number == before.npos || number + 1 == before.size()) return 0;
  return std::string_view("<, -").contains(before[number]) ? end : 0;
}

// Spellings that differ between gcc's and clang's debug information,
// demanglers, standard libraries and the manglings of Rust, and that
// DemanglerSpelling() keeps.
constexpr std::array<Replacement, 12> kSpellings = {{
    {"const ", ""},
    {" const", ""},
    {"__cxx11::", ""},
    {"__1::", ""},
    {", (", ", ("},
    {" (", "("},
    {") [", ")["},
    {", ,", ","},
    {"{{closure}}", "{closure}"},
    {"{{vtable.shim}}", "::{shim:vtable}"},
    {"{lambda}::operator()::", "{lambda}::"},
    {"{lambda}::_FUN", "{lambda}::__invoke"},
}};

// Template arguments that gcc leaves out of DW_AT_name if they are the default,
// and that programs rarely choose.
constexpr std::array<std::string_view, 6> kDefaultArguments = {
    ", std::allocator<", ", std::char_traits<", ", std::default_delete<",
    ", std::equal_to<",  ", std::hash<",        ", std::less<"};

// Returns the size of the text from the start of `text` to the '>' that closes
// its first '<'.
size_t ArgumentSize(std::string_view text) {
  size_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && text[i - 1] != '-' && --depth == 0) return i + 1;
  }
  return text.size();
}

// Returns the size of the default argument at the start of `rest`; 0 if there
// is none.
size_t DefaultArgumentSize(std::string_view rest) {
  for (const std::string_view argument : kDefaultArguments) {
    if (!rest.starts_with(argument)) continue;
    const size_t size = ArgumentSize(rest);
    const std::string_view next = rest.substr(size);
    return next.starts_with('>') || next.starts_with(',') ? size : 0;
  }
  return 0;
}

// Returns the size of a cast at the start of `rest`, such as the "(short)" in
// "f<(short)4>", which debug information leaves out; 0 if there is none.
size_t CastSize(std::string_view before, std::string_view rest) {
  constexpr std::array<std::string_view, 10> kTypes = {
      "(char)",           "(signed char)", "(unsigned char)", "(short)",
      "(unsigned short)", "(wchar_t)",     "(char8_t)",       "(char16_t)",
      "(char32_t)",       "(long)"};
  if (!before.ends_with('<') && !before.ends_with(", ")) return 0;
  for (const std::string_view type : kTypes)
    if (rest.starts_with(type)) return type.size();
  return 0;
}

std::string WithOneSpelling(std::string_view name) {
  std::string out;
  for (std::string_view rest = name; !rest.empty();) {
    if (const Replacement* spelling = ReplacementAt(kSpellings, out, rest)) {
      out += spelling->replacement;
      rest.remove_prefix(spelling->text.size());
    } else if (const size_t size =
                   std::max(DefaultArgumentSize(rest), CastSize(out, rest));
               size > 0) {
      rest.remove_prefix(size);
    } else {
      out += rest.front();
      rest.remove_prefix(1);
    }
  }
  return out;
}

std::string_view LambdaAt(std::string_view text) {
  for (const std::string_view lambda : kLambdas)
    if (text.starts_with(lambda)) return lambda;
  return {};
}

}  // namespace

std::string MatchingName(std::string_view demangled) {
  std::string name = NormalizeName(demangled);
  if (name.contains(kGoMethod)) return name;
  name = DemanglerSpelling(
      WithoutReferenceQualifiers(TemplateName(WithoutReturnType(name))));
  std::string out;
  for (std::string_view rest = name; !rest.empty();) {
    size_t size = 0;  // of what is left out
    if (const std::string_view lambda = LambdaAt(rest); !lambda.empty()) {
      out += kLambda;
      size = lambda.size();
    } else if (rest.front() == '(' && StartsArguments(out, rest)) {
      size = ArgumentsSize(rest);
    } else {
      size = std::max(NumberSuffixSize(out, rest), CastSize(out, rest));
    }
    if (size == 0) {
      out += rest.front();
      size = 1;
    }
    rest.remove_prefix(size);
  }
  return WithOneSpelling(out);
}

std::string LooseMatchingName(std::string_view matching_name) {
  constexpr std::string_view kOfFile = "_GLOBAL__sub_I_";
  if (matching_name.starts_with(kOfFile)) return std::string(kOfFile);
  for (const std::string_view initializer :
       {"__static_initialization_and_destruction_", "__cxx_global_var_init"})
    if (matching_name.starts_with(initializer)) return "__cxx_global_var_init";
  return ShortName(matching_name);
}

}  // namespace heapprof
