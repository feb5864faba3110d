// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/function_naming.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <dwarf.h>
#include <fmt/core.h>

#include "dwarf/shared/mangled_constraints.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/clone_suffix.h"

namespace heapprof {
namespace {

bool IsIdentifier(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return IsWord(c) || c == '$';
  });
}

// True if `name` is a class in std:: that has a two-letter code in mangled
// names, and `symbol` contains this code. The symbol of the class's constructor
// contains the code instead of the name.
bool HasStandardCode(std::string_view symbol, std::string_view name) {
  constexpr std::array<std::array<std::string_view, 2>, 6> kCodes = {{
      {"allocator", "Sa"},
      {"basic_string", "Sb"},
      {"basic_string", "Ss"},
      {"basic_istream", "Si"},
      {"basic_ostream", "So"},
      {"basic_iostream", "Sd"},
  }};
  return std::ranges::any_of(kCodes, [&](const auto& code) {
    return code[0] == name && symbol.find(code[1]) != symbol.npos;
  });
}

// True for "f<int>" and "operator<< <int>", but not for "operator<<".
bool IsTemplateInstance(std::string_view name) {
  constexpr std::string_view kOperator = "operator";
  if (!name.ends_with('>')) return false;
  if (name.starts_with(kOperator)) name.remove_prefix(kOperator.size());
  return std::ranges::any_of(name,
                             [](char c) { return IsIdentifier({&c, 1}); });
}

// True for names in Rust's own mangling ("v0").
bool IsRust(std::string_view symbol) { return symbol.starts_with("_R"); }

// True if a mangled name begins with a nested name (N), a function around it
// (Z) or std:: (S), or is Rust's, which always has a crate.
bool HasScopes(std::string_view symbol) {
  return symbol.starts_with("_ZN") || symbol.starts_with("_ZZ") ||
         symbol.starts_with("_ZS") || IsRust(symbol);
}

// Returns `identifier` as mangled names contain it. Rust separates the length
// from an underscore.
std::string Mangled(std::string_view identifier, std::string_view symbol) {
  const bool is_separated = IsRust(symbol) && identifier.starts_with('_');
  return fmt::format("{}{}{}", identifier.size(), is_separated ? "_" : "",
                     identifier);
}

}  // namespace

bool MayMangleNames(int language) {
  switch (language) {
    case DW_LANG_C:
    case DW_LANG_C89:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case DW_LANG_Ada83:
    case DW_LANG_Ada95:
    case DW_LANG_Mips_Assembler:
    case DW_LANG_Go:
      return false;
    default:
      return true;
  }
}

bool CanBeSymbolOf(std::string_view symbol, std::string_view name) {
  if (symbol == name || name.empty()) return true;
  if (!symbol.starts_with("_Z") && !IsRust(symbol)) return false;
  const std::string_view base = name.substr(0, name.find('<'));
  // In mangled names, operators and destructors have short codes instead of
  // their names. Only the code of operator(), "cl", is checked, because every
  // lambda has this operator. The code is followed by the end of the name (E),
  // template arguments (I) or an ABI tag (B).
  if (base == "operator()")
    return symbol.find("clE") != symbol.npos ||
           symbol.find("clI") != symbol.npos ||
           symbol.find("clB") != symbol.npos;
  if (!IsIdentifier(base)) return true;
  return symbol.find(Mangled(base, symbol)) != symbol.npos ||
         HasStandardCode(symbol, base);
}

bool NeedsSymbol(const NameAttributes& attributes,
                 const std::function<bool()>& has_scopes) {
  if (!attributes.linkage_name.empty()) return false;
  if (attributes.name.empty()) return true;
  return MayMangleNames(attributes.language) &&
         (!IsTemplateInstance(attributes.name) || !has_scopes());
}

bool IsMangledScope(std::string_view linkage_name) {
  return linkage_name.starts_with("_Z") && !HasConstraints(linkage_name);
}

ScopeName NameScope(std::string_view linkage_name, std::string_view name,
                    bool is_namespace, const std::function<bool()>& is_lambda) {
  if (!linkage_name.empty())
    return {CutCloneSuffix(linkage_name), /*is_qualified=*/true};
  if (!name.empty()) return {name};
  if (is_namespace) return {"(anonymous namespace)"};
  return {is_lambda() ? "{lambda}" : "{unnamed type}"};
}

std::string JoinScopes(std::span<const std::string_view> names) {
  // In a small file, many functions may share scopes with long names.
  constexpr size_t kMaxSize = 64 * 1024;
  std::string prefix;
  for (auto name = names.rbegin();
       name != names.rend() && prefix.size() < kMaxSize; ++name)
    prefix.append(*name).append("::");
  return prefix;
}

bool IsClass(unsigned tag) {
  return tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
         tag == DW_TAG_union_type;
}

bool IsLambdaMember(std::string_view name) {
  return name == "<lambda>" || name == "~<lambda>" ||
         name.starts_with("operator()");
}

FunctionName NameFunction(const NameAttributes& attributes,
                          const SymbolTable& symbols,
                          const std::function<std::string()>& scope_prefix) {
  if (!attributes.linkage_name.empty())
    return {CutCloneSuffix(attributes.linkage_name), {}};
  if (!attributes.name.empty() && !MayMangleNames(attributes.language))
    return {CutCloneSuffix(attributes.name), {}};
  std::optional<std::string> found_scopes;
  const auto scopes_of = [&]() -> std::string& {
    if (!found_scopes) found_scopes = scope_prefix();
    return *found_scopes;
  };
  if (attributes.entry_pc != 0 &&
      NeedsSymbol(attributes, [&] { return !scopes_of().empty(); })) {
    const auto symbol = symbols.FindStart(attributes.entry_pc);
    if (symbol &&
        CanBeSymbolOf(CutCloneSuffix(symbol->name), attributes.name) &&
        (attributes.name.empty() || !HasConstraints(symbol->name)) &&
        (!IsTemplateInstance(attributes.name) || HasScopes(symbol->name)))
      return {CutCloneSuffix(symbol->name), {}};
  }
  std::string& scopes = scopes_of();
  // main, or an extern "C" function: an external function without scopes and
  // without a linkage name has its plain name as its symbol.
  if (scopes.empty() && attributes.external) return {attributes.name, {}};
  return {{}, std::move(scopes.append(attributes.name))};
}

}  // namespace heapprof
