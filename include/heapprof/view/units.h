// SPDX-License-Identifier: Apache-2.0
//
// Numbers in the form that people read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

// "512 B", "7.1 KiB", "1.4 GiB".
std::string FormatBytes(double bytes);

// What jeprof's reports count in. A megabyte is 2^20 bytes.
enum class Unit : uint8_t { kMegabytes, kBytes, kObjects };

// "7.1" megabytes; bytes and objects are truncated: "7396113".
std::string FormatValue(double value, Unit unit);

// "MB", "B", "objects"
std::string_view UnitName(Unit unit);

// For columns of people's reports, as pprof writes them: "7.1MiB" where
// jeprof's reports count in megabytes, "7396113B", "2056"; "0" of any.
std::string FormatCell(double value, Unit unit);

// "49.2%"
std::string FormatPercent(double percent);

// As pprof writes shares, without a sign, 6 wide: "49.19%", "  100%", " 0.12%".
std::string FormatShare(double percent);

// 0 of a whole of 0.
double Percent(double part, double whole);

}  // namespace heapprof
