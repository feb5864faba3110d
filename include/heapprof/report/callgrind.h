// SPDX-License-Identifier: Apache-2.0
//
// A file for KCachegrind and callgrind_annotate:
//
//   fl=(1) server.cc    the file of main; later, "(1)" alone stands for it
//   fn=(2) main         the function to which the next costs belong
//   cfi=(1)             the file of ns::parse, which main calls
//   cfn=(3) ns::parse
//   calls=2 17          the call is in two stacks; ns::parse starts in line 17
//   41 4096             the call is in line 41; its stacks hold 4096 bytes
#pragma once

#include <string>

#include "heapprof/view/call_costs.h"

namespace heapprof {

struct CallgrindOptions {
  std::string creator;  // "heapprof 1.0"
  std::string command;  // path of the program that made the dump
  std::string event;    // the metric: "inuse_space"
};

std::string WriteCallgrind(const CallCosts& costs,
                           const CallgrindOptions& options);

}  // namespace heapprof
