// SPDX-License-Identifier: Apache-2.0
//
// Numbers in the form that people read.
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

// What jeprof's reports count in. A megabyte is 2^20 bytes.
enum class Unit : uint8_t { kMegabytes, kBytes, kObjects };

// "7.1" megabytes; bytes and objects are truncated: "7396113".
std::string FormatValue(double value, Unit unit);

// "MB", "B", "objects"
std::string_view UnitName(Unit unit);

// For columns of all other reports: "7.1 MiB" where jeprof's count in
// megabytes, "7396113 B", "2056"; "0" of any.
std::string FormatCell(double value, Unit unit);

// The same for sentences: "7.1 MiB", "0 B", "2056 objects".
std::string FormatAmount(double value, Unit unit);

// jeprof's form, one decimal: "49.2%", "0.0%".
std::string FormatPercent(double percent);

// For all other reports and messages, at most 6 wide below 10000 %: "0%",
// "<0.01%", "0.12%", "1.2%", "41.2%", "100%", "-3.4%".
std::string FormatShare(double percent);

// 0 of a whole of 0.
double Percent(double part, double whole);

}  // namespace heapprof
