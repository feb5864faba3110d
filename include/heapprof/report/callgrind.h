// SPDX-License-Identifier: Apache-2.0
//
// A file for KCachegrind and callgrind_annotate:
//
//   fl=(1) server.cc
//   fn=(2) main
//   cfi=(1)
//   cfn=(3) ns::parse
//   calls=2 17          in two stacks, the function starts in line 17
//   41 4096             line 41 holds 4096 through the call
#pragma once

#include <string>

#include "heapprof/view/call_costs.h"

namespace heapprof {

struct CallgrindOptions {
  std::string creator;  // "heapprof 1.0"
  std::string command;  // the program
  std::string event;    // the metric: "inuse_space"
};

std::string WriteCallgrind(const CallCosts& costs,
                           const CallgrindOptions& options);

}  // namespace heapprof
