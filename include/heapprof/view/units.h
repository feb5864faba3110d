// SPDX-License-Identifier: Apache-2.0
//
// Formats numbers for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

// "512 B", "7.1 KiB", "312.6 MiB", "1.43 GiB".
std::string FormatBytes(double bytes);

// Both in the unit of `bytes`: "312.6 ± 1.2 MiB", "5 ± <1 B".
std::string FormatWithError(double bytes, double error);

// Like FormatBytes(), without decimals that are zero: "512 KiB", "97.7 KiB".
std::string FormatSize(uint64_t bytes);

// The units of jeprof's reports. A megabyte is 2^20 bytes.
enum class Unit : uint8_t { kMegabytes, kBytes, kObjects };

// "7.1" megabytes; bytes and objects are truncated: "7396113".
std::string FormatValue(double value, Unit unit);

// "MB", "B", "objects"
std::string_view UnitName(Unit unit);

// For the columns of other reports: "7.1 MiB" if jeprof's unit is megabytes,
// "7396113 B", "2056"; "0" in any unit.
std::string FormatCell(double value, Unit unit);

// For sentences: "7.1 MiB", "0 B", "2056 objects".
std::string FormatAmount(double value, Unit unit);

// jeprof's form, one decimal: "49.2%", "0.0%".
std::string FormatPercent(double percent);

// For all other reports and messages; at most 6 characters for percentages from
// -100 to 10000: "0%", "<0.01%", "0.12%", "1.2%", "41.2%", "100%", "-3.4%".
std::string FormatShare(double percent);

// Returns 0 if `whole` is 0.
double Percent(double part, double whole);

}  // namespace heapprof
