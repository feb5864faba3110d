// SPDX-License-Identifier: Apache-2.0
//
// The report of --overview, which a terminal gets where no output is named.
#pragma once

#include <string>
#include <string_view>

#include "cli/args/options.h"
#include "cli/system/terminal.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

// `dump` is the path of the profile, as the user named it.
std::string OverviewReport(const Profile& profile, std::string_view dump,
                           const Look& look, const LabelOptions& labels,
                           const Options& options);

}  // namespace heapprof
