// SPDX-License-Identifier: Apache-2.0
//
// How much of a table a report shows, and the notes on what it leaves out.
#pragma once

#include <cstddef>

#include "cli/outputs/report_request.h"
#include "heapprof/report/rows_options.h"

namespace heapprof {

// Returns how many rows to print if each row has several lines; 0 = all.
size_t RowLimit(const ReportRequest& request);

// Returns how many rows to print if each row is one line; 0 = all. On a
// terminal, the rows fit on the screen together with the total, the heading,
// three messages and the prompt.
size_t LineLimit(const ReportRequest& request);

// Tells the user that only `limit` of `rows` rows are printed, unless --top was
// given.
void NoteMoreRows(size_t rows, size_t limit, const ReportRequest& request);

// Returns the options of a table with `rows` rows, each one line, and notes how
// many of them are not printed.
RowsOptions OptionsOfRows(size_t rows, const ReportRequest& request);

// Tells the user that the report leaves out decreases. `shrunk` is their sum;
// if it is 0, there is no message.
void NoteShrunk(double shrunk, const ReportRequest& request);

}  // namespace heapprof
