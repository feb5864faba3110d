// SPDX-License-Identifier: Apache-2.0
//
// Turns a command line for jeprof into one canonical form, so that the parser
// need not know jeprof's rules. jeprof parses options with Perl's Getopt::Long
// in its default configuration. An example:
//
//   heapprof BIN -TEX --nodec 1_0 --nocu DUMP
//     options      --text --nodecount=10 --no-cum
//     positionals  BIN DUMP
//
// One or two dashes or a plus sign start an option; case does not matter;
// values follow "=" or are the next argument, whatever that looks like; "--"
// ends the options and "-" alone is a positional. Only jeprof's options can be
// abbreviated to a unique prefix. heapprof's own options must be spelled in
// full (with "_" or "-" between words), so that a new one cannot change the
// meaning of an abbreviation in an old script.
//
// Only the rule for fractions differs from Getopt::Long, because its versions
// disagree on values such as "5." and "0,5", and some read "0,5" as 0. Here
// "5." is accepted and "0,5" is an error.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/option_spec.h"

namespace heapprof {

struct NormalizedArgs {
  // "--name", "--no-name" or "--name=value", in the order given, under full
  // names with aliases replaced. Integers are decimal and clamped to int64_t;
  // fractions are in a form that std::from_chars reads to the end. A string
  // value may be empty ("--focus="), which undoes an earlier value of the
  // option.
  std::vector<std::string> options;
  std::vector<std::string> positionals;
  // For each positional, the name of the last option before it. Empty if there
  // is no such option, if the option takes no value, or after "--".
  std::vector<std::string_view> follows;
  // One message for each invalid option. Invalid options are not in `options`;
  // all others are read as if they were absent.
  std::vector<std::string> errors;
};

// Brings `args`, which do not contain the program's name, into the canonical
// form. An option of jeprof that heapprof does not support (one with an
// OptionSpec::replacement) is an error. But switching it off
// ("--nointeractive") is allowed and has no effect, because it is off anyway.
// With `ends_at_positional`, no option is read after the first positional.
NormalizedArgs NormalizeArgs(std::span<const std::string> args,
                             std::span<const OptionSpec> table,
                             bool ends_at_positional = false);

}  // namespace heapprof
