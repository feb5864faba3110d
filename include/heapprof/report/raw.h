// SPDX-License-Identifier: Apache-2.0
//
// A profile as a symbolized file, the format of `jeprof --raw`: first the name
// of each address, then a heap dump. jeprof and heapprof can read such a file
// without the binary.
#pragma once

#include "heapprof/base/byte_sink.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Writes all stacks. In a comparison, decreases are written as 0. Returns true
// if values were rounded or threads left out. This may happen if the estimates
// cannot be converted back to the counts of a dump, because several dumps were
// added up or because the input was not a heap dump.
//
// Readers scale the counts in a dump to get estimates. The estimates are
// therefore converted back to counts, for a "heap_v2/" dump. If an estimate is
// not a scaled count, the estimates are written to a "heap profile:" dump,
// which readers do not scale.
//
// In the file, an address has only one name. If two locations have the same
// address, the second gets a made-up address, because its name may differ: it
// is from another process, or a filter has removed some of its inlined calls. A
// frame without an address gets a made-up one, too. "--" separates the names of
// inlined calls. A "--" within a name is therefore written as "- -".
//
// The file has no memory map, which would tell whether threads may share a
// random seed. If they may, kSharedSeedsComment is among the names; jeprof
// skips it.
bool WriteRaw(const Profile& profile, ByteSink& out);

}  // namespace heapprof
