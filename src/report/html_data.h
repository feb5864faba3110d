// SPDX-License-Identifier: Apache-2.0
//
// The data of an HTML report: what its scripts show. src/report/assets/html/
// reads it.
//
// The block starts with the length of its JSON document, four bytes in little
// endian, then come the document and the columns that it lists, one after the
// other. A column is an array of LEB128 numbers; those of kind "s" are
// zigzag-coded. "columns" has [name, kind, number of values, bytes] of each.
//
// "labels" are the names of functions, "short_names" their short forms; 0 = the
// name is short.
//
//   label.module, label.file   index + 1 in "modules" and "files"; 0 = unknown
//   label.line                 where the function starts; 0 = unknown
//   label.flags                bit 0: the user's own code
//   node.label                 index in "labels"; nodes are in preorder
//   node.up                    by how many levels the node is above a child of
//                              the node in front of it
//   self.METRIC, base.METRIC   FrameValues::self of the new and the base side
//   bounds.METRIC.*            intervals of the nodes with at least 0.1 %
//   change.METRIC              FrameChange, + 4 if the node is new
//   TABLE.METRIC.*             values and intervals of the rows of a table
//   functions.label            index + 1 in "labels"; 0 = in "names"
//   lines.label, .file, .line  "LABEL FILE:LINE", both + 1; 0, 0: "??:0";
//                              label 0 = in "names"
//   files.file, modules.module index + 1 in "files" and "modules"
//   thread.N.METRIC.*          slice of a thread
//   dump.N.METRIC.*            slice of a dump
//   source.N.METRIC.*          values of the lines of "sources"[N], whose
//                              members "label" and "file" are index + 1
//
// Columns of intervals and slices are sparse: "node" or "row" has the distance
// from the previous element that has a value.
#pragma once

#include <string>

#include "heapprof/report/html.h"

namespace heapprof {

std::string HtmlData(const HtmlReport& report);

}  // namespace heapprof
