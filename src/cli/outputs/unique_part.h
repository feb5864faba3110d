// SPDX-License-Identifier: Apache-2.0
//
// Shortens the names of functions in suggested commands, which must work when
// they are copied.
#pragma once

#include <functional>
#include <string_view>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Returns `name`, which stands for a function, or, if it does not fit, its end
// without as few of the outer scopes as possible, "Session::Run" of
// "app::Session::Run". The end is part of the name of no function that `name`
// is not part of; if there is no such end that fits, returns `name`.
std::string_view UniquePart(
    std::string_view name, const Profile& profile,
    const std::function<bool(std::string_view part)>& fits);

}  // namespace heapprof
