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
//   node.up                    depth of the previous node + 1 - depth of this
//                              one: 0 = its child, 1 = its sibling
//   self.METRIC, base.METRIC   FrameValues::self of the new and the base side
//   bounds.METRIC.*            intervals of the nodes with at least 0.1 %
//   changed.METRIC             1 = a change that sampling does not explain;
//                              absent if the metric has no errors
//   TABLE.METRIC.*             values of the rows of a table
//   TABLE.METRIC.bounds.*      intervals of their self and total
//   functions.label            index + 1 in "labels"; 0 = in "names"
//   lines.label, .file, .line  "LABEL FILE:LINE"; label and file are
//                              index + 1. label 0 = the name is in "names";
//                              file 0 = unknown, "??"
//   files.file, modules.module index + 1 in "files" and "modules"
//   thread.N.METRIC.*          slice of a thread
//   dump.N.METRIC.*            slice of a dump
//   source.N.METRIC.*          values of the lines of "sources"[N], whose
//                              members "label" and "file" are index + 1
//
// Columns of intervals and slices are sparse: "node" or "row" has the distance
// from the previous element that has a value.
//
// The errors of metric "judge" say whether a value of a metric has changed.
#pragma once

#include "heapprof/report/html.h"

namespace heapprof {

void WriteHtmlData(const HtmlReport& report, ByteSink& out);

}  // namespace heapprof
