// SPDX-License-Identifier: Apache-2.0
//
// Makes the portable index of a binary (see portable_index.h).
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/error.h"
#include "heapprof/index/index_file.h"
#include "heapprof/symbolize/module.h"

namespace heapprof {

// Describes the binary of `module`, as its index does.
Result<IndexedBinary> DescribeModule(const Module& module, unsigned jobs);

// Returns the bytes of the index of `module`, which `description` describes.
// `name` is the file name that the binary has where it runs. The names come
// from the debug information or, if there is none, from the symbols. Fails if
// some of the debug information is missing or damaged.
Result<std::string> IndexModule(const Module& module, std::string_view name,
                                const IndexedBinary& description,
                                unsigned jobs);

}  // namespace heapprof
