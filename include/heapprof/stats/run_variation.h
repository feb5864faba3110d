// SPDX-License-Identifier: Apache-2.0
//
// How the runs of a comparison vary beyond their sampling errors, and what that
// adds to the variances of entries, such as functions, and of the total.
//
// A run of an entry that holds S bytes with a sampling error of variance V has
// the variance
//
//   T = sampling*V + relative*S^2,  divided by a variable X/d0,
//
// where X has the chi-squared distribution with d0 degrees of freedom. The
// first term is that of objects that come in clusters, such as the objects of a
// connection; the second one is that of a load that differs from run to run.
// The divisor is there because entries do not vary alike: a buffer that doubles
// when it is full has 1 MiB in one run and 2 MiB in the next, while others are
// the same in each run. The more entries differ, the smaller d0 is.
//
// With three runs, an entry hardly shows how much it varies. So its variance is
// a mean, weighted by degrees of freedom, of T and of the variance between its
// own runs, and its tests use Student's t with the sum of both degrees
// ("moderated t-test": Smyth 2004). In simulated checks that allowed no growth,
// of 60 functions that each varied by 10 or 20 %, 4 to 5 % failed wrongly: 300
// each of 3 new runs with 3 of the base, 5 with 5, and 1 with 5. With 3 and 5
// new runs, 99 to 100 % found a leak of 10 % of the heap.
//
// If every allocation was counted, V is 0, and only the second term is left.
// Many entries are then equal in all runs. They are left out of the variation
// of the others, and are as certain as such entries usually are; see `varying`
// below. The same simulated checks fail wrongly in 4 to 6 %, but in 13 % if the
// base has one run: that may lack objects that others have.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/stats/growth.h"
#include "heapprof/stats/unbias.h"

namespace heapprof {

// The default is that of runs that vary only by their sampling errors.
struct RunVariation {
  double sampling = 1;
  double relative = 0;
  // The share of entries of which this holds; the others never vary. It is only
  // below 1 if runs count every allocation.
  double varying = 1;
  // The probability that all runs of a side are equal for an entry that varies,
  // such as one that is a single buffer.
  double equal = 1;
  // d0 above; infinity: all entries vary alike.
  double prior_degrees = std::numeric_limits<double>::infinity();
  // Of the numbers above: the degrees of freedom of all runs that they come
  // from.
  double degrees = std::numeric_limits<double>::infinity();
};

// The estimates of an entry in each run of each side, divided by the number of
// runs on that side: they add up to its mean.
using RunEstimates = Sides<std::vector<Estimate>>;

// True if the variance between the runs of a side with this many is computed.
bool CanVary(size_t runs);

// Returns how the runs of one entry vary, from its own runs alone: `sampling`
// is the variance between the runs, divided by that of their sampling errors
// (quasi-Poisson: McCullagh and Nelder 1989, section 4.5), pooled over all
// sides with three or more runs. Sides without sampling errors have `relative`
// instead: the variance between the runs, divided by the square of their mean.
//
// This is for the total, because a cause that makes a whole run larger hardly
// shows in a single entry.
RunVariation VariationOf(const RunEstimates& entry);

// Returns how these entries vary: the most likely numbers (maximum a
// posteriori), where the logarithm of d0 to base 2 is expected to be 4 with a
// standard deviation of 2. That only matters if there are few entries. Those
// with fewer than about three samples in each run do not tell.
RunVariation CommonVariation(std::span<const RunEstimates> entries);

// Returns the degrees of freedom of the variance of a run of any entry.
double DegreesOf(const RunVariation& variation);

// Sets the variance of `side` between runs, from how entries like it vary, on
// average over those that vary and those that do not. `runs` is the number of
// runs that it is the mean of.
void AddVariation(const RunVariation& variation, size_t runs,
                  MeasuredSide& side);

// Moderates the variances in `growth`, which AddVariation() has set, by those
// between the runs of the entry itself. A side without the entry only gets
// another `missed`: if every allocation was counted, but some runs of the other
// side lack the entry, too, then its runs may lack it by chance.
void ModerateByOwnRuns(const RunEstimates& runs, const RunVariation& variation,
                       Growth& growth);

// If the runs of an entry vary more than `variation` says, and with less than
// the probability `level` by chance, returns what the variance of the sampling
// error of its mean lacks on each side: with it, AddVariation() has the
// variance between its own runs, wide enough for tests at the level 0.05.
std::optional<Sides<double>> MissingVariance(const RunEstimates& runs,
                                             const RunVariation& variation,
                                             double level);

}  // namespace heapprof
