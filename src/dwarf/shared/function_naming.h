// SPDX-License-Identifier: Apache-2.0
//
// Chooses the name of a function. Both DWARF engines (units/ and libdw/) use
// these rules; the first one that applies counts:
// 1. The linkage name. If several DIEs on the function's chain of abstract
//    origins and specifications have a linkage name, the last one counts,
//    because it belongs to the declaration, which all clones share. (For a
//    constructor, this is the unified C4 name.) Names that cannot be demangled
//    do not count (see mangled_constraints.h).
// 2. If DWARF has no linkage name, as for static functions and lambdas: the
//    name of the ELF symbol at the entry PC of the out-of-line copy.
//    Does not apply to instances of templates ("f<int>"), because gcc often
//    inlines all their copies, and then there is no symbol: they would have one
//    name in some builds and another one in others. It does apply to instances
//    without scopes whose symbol has some: with -g1, DWARF has no scopes.
// 3. The plain name, qualified by the scopes around the declaration. The name
//    of a function among these scopes is its linkage name, if DWARF has it, and
//    the scopes around that function are left out:
//    "_ZN3app3RunEi::{lambda}::operator()".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// Returns false if `language` (DW_LANG_*) is known not to mangle names, so that
// the symbol of each function is its plain name, as in C; in Ada, this name has
// the scopes in it. Needed only for functions that have no linkage name in
// DWARF.
bool MayMangleNames(int language);

// True if `symbol` can be the symbol of the function that DWARF calls `name`
// ("f", "f<int>", "operator()"). A symbol at the function's address may belong
// to another function, because a linker that folds identical functions puts
// their symbols at one address.
bool CanBeSymbolOf(std::string_view symbol, std::string_view name);

// The attributes that determine a function's name. They are collected along its
// chain of abstract origins and specifications.
struct NameAttributes {
  std::string_view linkage_name = {};  // the last on the chain
  std::string_view name = {};  // the first; unused if there is a linkage name
  bool external = false;
  int language = -1;  // DW_LANG_*, of the unit that has the name; -1 if unknown
  uint64_t entry_pc = 0;  // of the out-of-line copy; 0 if there is none
};

// True if the name of the symbol at the entry PC may be better than the names
// in `attributes`. Only then is the entry PC needed. `has_scopes` returns
// whether the declaration is inside a scope; it is called only if that matters.
bool NeedsSymbol(const NameAttributes& attributes,
                 const std::function<bool()>& has_scopes);

// Limit how many links to other DIEs are followed, and how many scopes are
// named. In a damaged file, links may form a circle.
inline constexpr size_t kMaxOriginHops = 16;
inline constexpr size_t kMaxScopes = 64;

// A function has either a linkage name or a scoped name (see SourceFunction).
// The other one is empty.
struct FunctionName {
  std::string_view linkage_name;  // points into the attributes or the symbols
  std::string scoped_name;
};

// The name of a scope in a scoped name.
struct ScopeName {
  std::string_view text;
  bool is_qualified = false;  // the name includes the scopes around this one
};

// True if a scope with this linkage name, which may continue after a NUL, is
// named with it.
bool IsMangledScope(std::string_view linkage_name);

// Chooses the name of a scope. `linkage_name` is empty or an IsMangledScope()
// without its NUL; `name` is its DW_AT_name, or empty. `is_lambda` returns
// whether the scope is the class of a lambda; it is called only if the scope
// has neither name.
ScopeName NameScope(std::string_view linkage_name, std::string_view name,
                    bool is_namespace, const std::function<bool()>& is_lambda);

// Returns the names of the scopes around a declaration, outermost first, each
// followed by "::". `names` are innermost first, and at most kMaxScopes.
std::string JoinScopes(std::span<const std::string_view> names);

// True if DIEs with this tag (DW_TAG_*) are classes.
bool IsClass(unsigned tag);

// True if a class without a name is that of a lambda, because it has a member
// with this name. gcc gives the class a deleted constructor "<lambda>", a
// destructor "~<lambda>" or only the operator, which may be a template.
bool IsLambdaMember(std::string_view name);

// Chooses the name of a function by the rules above. `scope_prefix` returns the
// names of the scopes around the declaration, each followed by "::". It is
// called only if the scopes are needed.
FunctionName NameFunction(const NameAttributes& attributes,
                          const SymbolTable& symbols,
                          const std::function<std::string()>& scope_prefix);

}  // namespace heapprof
