// SPDX-License-Identifier: Apache-2.0
#include "symbolize/answer_lines.h"

#include <string>
#include <string_view>

#include <fmt/core.h>

#include "heapprof/base/base_name.h"

namespace heapprof {
namespace {

// The names of a function are prefetched kAhead functions before they are used.
constexpr size_t kAhead = 4;

// Returns a name made from an address: that of the function if it is known,
// else of the call. Does not use the return address, so that a dump and the
// pprof profile made from it give the same name.
std::string UnresolvedName(const Profile& profile, const Location& location,
                           uint64_t function_start) {
  if (location.mapping.IsNone())
    return fmt::format("0x{:016x}",
                       CallSiteAddress(location, location.address));
  const std::string_view file =
      profile.String(profile.mappings[location.mapping.index()].filename);
  return fmt::format("{}+0x{:x}", BaseName(file),
                     function_start != 0
                         ? function_start
                         : CallSiteAddress(location, location.module_address));
}

}  // namespace

AnswerLines::AnswerLines(const ModuleLookup& lookup, const LinkageNames& names,
                         size_t first_name, ProfileBuilder& builder)
    : lookup_(lookup),
      names_(names),
      first_name_(first_name),
      builder_(builder),
      latest_(lookup.answers.functions.size()),
      files_(lookup.answers.files.size()) {
  builder.ReserveFunctions(lookup.answers.functions.size());
  lines_.reserve(lookup.answers.frames.size());
  for (const SourceFrame& frame : lookup.answers.frames)
    lines_.push_back({FunctionOf(frame), frame.line, frame.column});
}

// Remembers the latest result for each function. Most frames repeat an earlier
// function, and InternFunction() would compare its long names each time.
FunctionId AnswerLines::FunctionOf(const SourceFrame& frame) {
  Written& latest = latest_[frame.function];
  if (latest.file != frame.file) latest = {frame.file, AddFunction(frame)};
  return latest.id;
}

// In pprof's model, a function has one file, to which the line numbers refer.
// If code comes from another file than the declaration (such as an #included
// body), this adds another Function that has the file of the code.
FunctionId AnswerLines::AddFunction(const SourceFrame& frame) {
  const SourceFunction& source = lookup_.answers.functions[frame.function];
  PrefetchNames(frame.function + kAhead);
  const bool at_home = frame.file == 0 || frame.file == source.file;
  return builder_.InternFunction(
      {.name = InternNameOf(frame.function),
       .system_name = builder_.InternAdopted(source.linkage_name),
       .filename = FileOf(at_home ? source.file : frame.file),
       .start_line = at_home ? source.start_line : 0,
       .start_address = source.start_address});
}

// Prefetches the names of a function that will be needed soon, because
// functions first occur in the order of their numbers. The names are not in
// this processor's cache, because other threads have written them.
void AnswerLines::PrefetchNames(size_t function) const {
  if (function >= lookup_.answers.functions.size()) return;
  const SourceFunction& source = lookup_.answers.functions[function];
  std::string_view demangled = source.demangled_name;
  if (demangled.empty() && names_.IsReady(first_name_ + function))
    demangled = names_.Demangled(first_name_ + function);
  for (const std::string_view name : {demangled, source.linkage_name}) {
    __builtin_prefetch(name.data());
    __builtin_prefetch(name.data() + name.size());
  }
}

// With -gline-tables-only, clang names no functions that it made itself, such
// as the one that returns a thread_local variable.
StringId AnswerLines::InternNameOf(size_t function) const {
  const SourceFunction& source = lookup_.answers.functions[function];
  if (!source.demangled_name.empty())
    return builder_.InternAdopted(source.demangled_name);
  if (source.linkage_name.empty() && source.scoped_name.empty())
    return builder_.InternString("??");
  const std::string_view demangled = names_.Demangled(first_name_ + function);
  return builder_.InternString(source.linkage_name.empty()
                                   ? ReadableName(source.scoped_name, demangled)
                                   : demangled);
}

StringId AnswerLines::FileOf(uint32_t number) {
  StringId& file = files_[number];
  if (file.IsNone())
    file = builder_.InternString(lookup_.answers.files[number]);
  return file;
}

RowRange AddUnresolvedLine(const Location& location, uint64_t function_start,
                           ProfileBuilder& builder) {
  const std::string name =
      UnresolvedName(builder.profile(), location, function_start);
  const Line line = {
      .function = builder.InternFunction(
          {.name = builder.InternString(name), .unresolved = true})};
  return builder.AddLines({&line, 1});
}

}  // namespace heapprof
