// SPDX-License-Identifier: Apache-2.0
//
// The names of processes whose dumps `heapprof trend` shows.
#pragma once

#include <vector>

#include "heapprof/report/trend.h"

namespace heapprof {

// Says of processes of several programs which one each is, unless its name
// does. Makes equal names different: puts the folders of the dumps before them,
// and numbers restarts after them. `all` is in the order of time.
void TellSeriesApart(std::vector<TrendSeries>& all);

}  // namespace heapprof
