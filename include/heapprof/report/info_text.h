// SPDX-License-Identifier: Apache-2.0
//
// `heapprof info` for people: one fact per line, for 80 columns.
//
//   app.1.0.f.heap
//     format            jemalloc heap dump
//     sampling period   524288 bytes
//     inuse_space       7.1 MiB (5.2 MiB to 9.4 MiB with 95 % confidence)
//
//   Modules: 1 of 4 unresolved (2.1 % of inuse_space)
//
//   /usr/lib/libfoo.so.1
//     share             2.1 % of inuse_space
//     …
#pragma once

#include <string>

#include "heapprof/view/info.h"

namespace heapprof {

std::string WriteInfoText(const Info& info);

}  // namespace heapprof
