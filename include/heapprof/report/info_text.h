// SPDX-License-Identifier: Apache-2.0
//
// The output of `heapprof info` that people read: the contents of the dump, the
// modules that matter, and what to do about missing names.
//
//   app.1.0.f.heap
//     program           /srv/app
//     sampling          one sample per 512 KiB on average
//     live              7.1 MiB (5.2 MiB to 9.4 MiB with 95 % confidence)
//     named             97.9% of the live bytes, 80.3% with source lines
//
//   Modules by their share of the live bytes
//     share  no names  status    module
//     80.3%            ok        /srv/app
//      2.1%      2.1%  no names  /usr/lib/libfoo.so.1
//     31 more modules with 0.41%: 31 ok
//
//   No debug information: libfoo.so.1
//     ...
#pragma once

#include <cstddef>
#include <string>

#include "heapprof/view/info.h"

namespace heapprof {

struct InfoTextOptions {
  // The width of lines in characters. 0: paths are never shortened, and
  // sentences are wrapped at 80 characters.
  size_t width = 0;
  // Of the terminal. If the text has more, it names only the first remedy for
  // what is missing and, if that is not enough, fewer modules. 0: no limit.
  size_t rows = 0;
  size_t modules = 10;   // the table has at most this many rows; 0 = all
  bool details = false;  // also list all details of each module
};

std::string WriteInfoText(const Info& info, const InfoTextOptions& options);

}  // namespace heapprof
