// SPDX-License-Identifier: Apache-2.0
//
// Formats numbers for people. Estimates are first rounded as the files for
// programs have them, values with WholeValue() and bounds with
// RoundedOutwards(), so that all outputs show the same digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "heapprof/stats/interval.h"

namespace heapprof {

// Formats `bytes` in the unit that suits the size: "512 B", "7.1 KiB", "312.6
// MiB", "1.43 GiB".
std::string FormatBytes(double bytes);

// Formats a value and its error, both in the unit that suits `bytes`: "312.6 ±
// 1.2 MiB". Omits an error that would be shown as 0: "312.6 MiB".
std::string FormatWithError(double bytes, double error);

// Formats a change and its error in one unit: "+17.5 ± 1.7 MiB". The error is
// the distance to the farther bound of the interval. If the interval excludes 0
// but "±" and this error would suggest that it includes 0, the result has the
// bounds instead: "-6.0 (-13.1 to -0.7) MiB". If the bounds are equal, the
// result has no error: "+4.0 MiB".
std::string FormatChange(double bytes, const Interval& interval);

// Formats `bytes` like FormatBytes(), but omits the decimals if they are zero:
// "512 KiB", "97.7 KiB".
std::string FormatSize(uint64_t bytes);
// "a sample per 512 KiB", or "every allocation sampled".
std::string FormatSampling(uint64_t period);

// The units of jeprof's reports, of which a megabyte is 2^20 bytes, and those
// of a table on a terminal.
enum class Unit : uint8_t {
  kMegabytes,
  kBytes,
  kObjects,
  kKibibytes,
  kMebibytes,
  kGibibytes
};

// Returns the unit for a table of parts of `total` bytes that all have the same
// unit: KiB, MiB or GiB.
Unit TableUnit(double total);

// Formats a number with 0 to 2 decimals, and without a sign if these are zero:
// "7.10", "-3.4", "0.0".
std::string FormatFixed(double value, int decimals);

// Formats a number without its unit: "7.1" for megabytes, "7.12" for GiB. Bytes
// and objects are truncated to integers: "7396113".
std::string FormatValue(double value, Unit unit);

// Returns "MB", "B", "objects", "KiB", "MiB" or "GiB".
std::string_view UnitName(Unit unit);

// Formats a value for a column of a report that does not have jeprof's layout.
// Unit::kMegabytes chooses the unit that suits the size: "7.1 MiB". Other units
// give "7396113 B", "7222.8 KiB" or, for objects, "2056". Zero is "0" in any
// unit.
std::string FormatCell(double value, Unit unit);

// Returns what FormatCell() and FormatAmount() of a change lack: "+" for an
// increase that they do not show as 0; else nothing.
std::string_view PlusOf(double change);

// Formats a value for a sentence: "7.1 MiB", "0 B", "2056 objects".
std::string FormatAmount(double value, Unit unit);

// Formats a value and its error for a sentence: "312.6 ± 1.2 MiB". If the
// bounds are far from symmetrical, gives both: "1.0 MiB (0.1 MiB to 5.6 MiB)".
// If the bounds are equal, gives only the value: "1.0 MiB".
std::string FormatWithInterval(double value, const Interval& interval,
                               Unit unit);
// The same; without an interval, gives only the value.
inline std::string FormatWithInterval(double value,
                                      const std::optional<Interval>& interval,
                                      Unit unit) {
  return FormatWithInterval(value, interval.value_or(Interval{value, value}),
                            unit);
}

// Formats the error of a value for the column next to that of FormatValue():
// "±1.2", "±<0.1", or "0.1..5.6" if the bounds are far from symmetrical.
std::string FormatError(double value, const Interval& interval, Unit unit);

// Formats a percentage as jeprof does, with one decimal: "49.2%", "0.0%".
std::string FormatPercent(double percent);

// Formats a percentage for reports without jeprof's layout and for messages:
// "0%", "<0.01%", "0.12%", "1.2%", "41.2%", "100%", "-3.4%". The result has at
// most 6 characters for percentages from -100 to 10000.
std::string FormatShare(double percent);

// Returns `part` as a percentage of `whole`, or 0 if `whole` is 0.
double Percent(double part, double whole);

}  // namespace heapprof
