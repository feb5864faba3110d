// SPDX-License-Identifier: Apache-2.0
#include "transform/rust_names.h"

#include <algorithm>
#include <array>

#include "heapprof/base/char_class.h"
#include "heapprof/demangle/rust_mangling.h"

namespace heapprof {
namespace {

// Returns `type` from its path on. Removes what may precede the path: operators
// for references, pointers, slices and tuples, and words such as "mut".
std::string_view WithoutTypeOperators(std::string_view type) {
  constexpr std::array<std::string_view, 5> kWords = {"mut ", "const ", "dyn ",
                                                      "impl ", "unsafe "};
  for (size_t before = type.size() + 1; type.size() < before;) {
    before = type.size();
    type.remove_prefix(std::min(type.find_first_not_of("<&*[( "), before));
    for (const std::string_view word : kWords)
      if (type.starts_with(word)) type.remove_prefix(word.size());
  }
  return type;
}

// Returns the first component of a path: "app" for "app::Row<u8>" and
// "app[1f]::Row".
std::string_view FirstComponent(std::string_view path) {
  const auto end = std::ranges::find_if_not(path, IsWord);
  const size_t size = static_cast<size_t>(end - path.begin());
  std::string_view rest = path.substr(size);
  if (rest.starts_with('[')) rest.remove_prefix(rest.find(']') + 1);
  return rest.starts_with("::") ? path.substr(0, size) : std::string_view();
}

// Returns the position of the '>' that closes the '<' at the start of `name`,
// or npos.
size_t ClosingAngle(std::string_view name) {
  size_t open = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++open;
    if (name[i] == '>' && name[i - 1] != '-' && --open == 0) return i;
  }
  return name.npos;
}

// Returns the position of the " as " inside the angle brackets at the start of
// `type`, but outside any inner pair; npos if there is none.
size_t FindAs(std::string_view type) {
  size_t open = 0;
  for (size_t i = 0; i < type.size(); ++i) {
    if (type[i] == '<') ++open;
    if (type[i] == '>' && i > 0 && type[i - 1] != '-' && open > 0) --open;
    if (open == 1 && type.substr(i).starts_with(" as ")) return i;
  }
  return type.npos;
}

}  // namespace

bool IsRustFunction(const Profile& profile, const Function& function) {
  if (MayBeRust(profile.String(function.system_name)) ||
      profile.String(function.filename).ends_with(".rs"))
    return true;
  const std::string_view name = profile.String(function.name);
  if (!function.system_name.IsNone() || name.ends_with(')')) return false;
  const std::string_view crate = CratesOf(name).type;
  return crate == "core" || crate == "alloc";
}

RustCrates CratesOf(std::string_view name) {
  if (!name.starts_with('<'))
    return {.type = FirstComponent(name), .trait = {}};
  const std::string_view type = name.substr(0, ClosingAngle(name));
  const size_t as = FindAs(type);
  RustCrates crates = {
      .type = FirstComponent(WithoutTypeOperators(type.substr(0, as))),
      .trait = {}};
  if (as != type.npos)
    crates.trait = FirstComponent(WithoutTypeOperators(type.substr(as + 4)));
  return crates;
}

bool IsStandardCrate(std::string_view crate) {
  constexpr std::array<std::string_view, 18> kCrates = {"core",
                                                        "alloc",
                                                        "std",
                                                        "proc_macro",
                                                        "test",
                                                        "hashbrown",
                                                        "std_detect",
                                                        "panic_unwind",
                                                        "panic_abort",
                                                        "unwind",
                                                        "gimli",
                                                        "addr2line",
                                                        "object",
                                                        "miniz_oxide",
                                                        "rustc_demangle",
                                                        "compiler_builtins",
                                                        "backtrace_rs",
                                                        "__rustc"};
  return std::ranges::find(kCrates, crate) != kCrates.end();
}

}  // namespace heapprof
