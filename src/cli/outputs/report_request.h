// SPDX-License-Identifier: Apache-2.0
//
// The input of an OutputWriter.
#pragma once

#include <span>
#include <string_view>

#include "cli/args/options.h"
#include "cli/args/output_table.h"
#include "cli/inputs/load.h"
#include "cli/outputs/messages.h"
#include "cli/system/terminal.h"
#include "heapprof/base/byte_sink.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/symbolizer.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/transform/own_code.h"
#include "heapprof/view/module_table.h"
#include "heapprof/view/units.h"

namespace heapprof {

struct ReportRequest {
  const Profile& profile;        // filtered, as the report shows it
  const LoadedInputs& inputs;    // `profile` was made from these
  const Symbolizer& symbolizer;  // named the frames of `profile`
  const Output& output;
  const Options& options;
  Diagnostics& diagnostics;  // takes notes on what the report leaves out
  std::span<const FilterEffect> filters = {};
  // What is the user's own code; null unless the output shows it.
  const OwnCode* own_code = nullptr;
  // The modules of `profile`; null for outputs that read no profile.
  const ModuleTable* modules = nullptr;
  // The message that follows the report; may be empty.
  std::string_view last_message = {};

  // Returns the style of the output. In a file and for scripts, it is always
  // plain.
  TerminalStyle Style() const {
    return output.IsStandardOutput() && output.format != OutputNamed("json")
               ? StyleWithMessages(options, diagnostics, last_message)
               : TerminalStyle();
  }

  // Returns the unit of rows that all have the same one. On a terminal, it
  // suits `total`; elsewhere, it is jeprof's.
  Unit RowUnit(double total) const {
    const Unit unit = UnitOf(options);
    return Style().is_terminal && unit == Unit::kMegabytes ? TableUnit(total)
                                                           : unit;
  }
};

}  // namespace heapprof
