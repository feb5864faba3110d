// SPDX-License-Identifier: Apache-2.0
//
// Formats numbers for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heapprof/stats/interval.h"

namespace heapprof {

// Uses the unit that suits the size: "512 B", "7.1 KiB", "312.6 MiB", "1.43
// GiB".
std::string FormatBytes(double bytes);

// A value and its error, both in the unit that suits `bytes`: "312.6 ± 1.2
// MiB", "5 ± <1 B".
std::string FormatWithError(double bytes, double error);

// Formats a change with the larger of its two errors, in one unit: "+17.5 ± 1.7
// MiB". If 0 is outside of the bounds, but would be inside of this symmetric
// interval, gives the bounds instead: "-6.0 (-13.1 to -0.7) MiB". If both
// bounds equal the change, gives no error: "+4.0 MiB".
std::string FormatChange(double bytes, double lower, double upper);

// Like FormatBytes(), without decimals that are zero: "512 KiB", "97.7 KiB".
std::string FormatSize(uint64_t bytes);

// The units of jeprof's reports. A megabyte is 2^20 bytes.
enum class Unit : uint8_t { kMegabytes, kBytes, kObjects };

// The number without its unit: "7.1" for megabytes; bytes and objects are
// truncated to integers, "7396113".
std::string FormatValue(double value, Unit unit);

// "MB", "B", "objects"
std::string_view UnitName(Unit unit);

// For the columns of reports that do not have jeprof's layout. For
// Unit::kMegabytes in a suitable unit: "7.1 MiB"; for bytes "7396113 B", for
// objects "2056". Zero is "0" in any unit.
std::string FormatCell(double value, Unit unit);

// For sentences: "7.1 MiB", "0 B", "2056 objects".
std::string FormatAmount(double value, Unit unit);

// For sentences: "312.6 ± 1.2 MiB", or with both bounds if they are far from
// symmetrical: "1.0 MiB (0.1 MiB to 5.6 MiB)". If the bounds equal the value:
// "1.0 MiB".
std::string FormatWithInterval(double value, const Interval& interval,
                               Unit unit);

// For a column beside FormatValue(): "±1.2", "±<0.1", or "0.1..5.6" if the
// bounds are far from symmetrical.
std::string FormatError(double value, const Interval& interval, Unit unit);

// jeprof's form, one decimal: "49.2%", "0.0%".
std::string FormatPercent(double percent);

// In the form of all other reports and messages: "0%", "<0.01%", "0.12%",
// "1.2%", "41.2%", "100%", "-3.4%". Has at most 6 characters for percentages
// from -100 to 10000.
std::string FormatShare(double percent);

// Returns 0 if `whole` is 0.
double Percent(double part, double whole);

}  // namespace heapprof
