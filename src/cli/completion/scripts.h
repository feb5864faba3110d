// SPDX-License-Identifier: Apache-2.0
//
// The scripts that complete heapprof's arguments in shells, made from the
// tables of commands and options.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

struct CompletionScript {
  std::string_view shell;
  std::string_view file;  // the name under which the shell looks for it
  std::string (*make)();
};

std::string BashCompletion();
std::string ZshCompletion();
std::string FishCompletion();

inline constexpr CompletionScript kCompletionScripts[] = {
    {"bash", "heapprof", BashCompletion},
    {"zsh", "_heapprof", ZshCompletion},
    {"fish", "heapprof.fish", FishCompletion},
};

}  // namespace heapprof
