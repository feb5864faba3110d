// SPDX-License-Identifier: Apache-2.0
//
// Which option the user probably meant by one that is unknown.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/args/option_spec.h"

namespace heapprof {

// `name` is in lower case and without dashes; `value` is what follows its "=".
// Returns an option of `table` without dashes, such as "base" for pprof's
// "diff_base" or "jobs=4" for "j4". Looks at the meaning before the spelling.
std::optional<std::string> SuggestedOption(
    std::string_view name, std::optional<std::string_view> value,
    std::span<const OptionSpec> table);

// Returns the option that does what a command of other tools does, such as
// "base" for "diff" and "tree" for "tree".
std::optional<std::string> OptionForCommand(std::string_view word,
                                            std::span<const OptionSpec> table);

}  // namespace heapprof
