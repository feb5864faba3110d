// SPDX-License-Identifier: Apache-2.0
//
// Turns a command line for jeprof into one canonical form, so that the parser
// need not know jeprof's rules. These are the rules of Perl's Getopt::Long in
// its default configuration, which jeprof uses:
//
//   heapprof BIN -TEX --nodec 1_0 --nocu DUMP
//     options      --text --nodecount=10 --no-cum
//     positionals  BIN DUMP
//
// One or two dashes or a plus sign start an option; case does not matter;
// values follow "=" or are the next argument, whatever that looks like; "--"
// ends the options and "-" alone is a positional. Unique prefixes are expanded
// over jeprof's names only: heapprof's own options must be spelled in full
// (with "_" or "-" between words), so that a new one cannot change what an old
// script means.
//
// The one difference is in fractions. Versions of Getopt::Long disagree on
// values such as "5." and "0,5", and some read the latter as 0: here "5." is
// accepted and "0,5" is an error.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/args/option_table.h"

namespace heapprof {

struct NormalizedArgs {
  // "--name", "--no-name" or "--name=value", in the order given, under full
  // names with aliases replaced. Integers are decimal and clamped to int64_t;
  // fractions are in a form that std::from_chars reads to the end. A string
  // value may be empty ("--focus="), which undoes an earlier one.
  std::vector<std::string> options;
  std::vector<std::string> positionals;
  // A message for each option that is in error. Such an option is in neither
  // list and does not affect the others.
  std::vector<std::string> errors;
};

// `args` does not contain the program's name. Options with a `replacement` are
// errors, but switching one off ("--nointeractive") is ignored because it is
// off anyway.
NormalizedArgs NormalizeArgs(std::span<const std::string> args,
                             std::span<const OptionSpec> table);

}  // namespace heapprof
