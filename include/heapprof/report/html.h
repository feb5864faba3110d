// SPDX-License-Identifier: Apache-2.0
//
// One HTML file that answers questions about a profile, without a server, the
// network or anything else. Its head, overview and table of functions are plain
// HTML, for readers who block scripts. The scripts show everything else, from
// the data that html_data.h describes.
#pragma once

#include "heapprof/report/html_data.h"

namespace heapprof {

// Compresses the data on a thread of its own if `may_start_thread`. The page is
// the same either way.
void WriteHtml(const HtmlReport& report, bool may_start_thread, ByteSink& out);

}  // namespace heapprof
