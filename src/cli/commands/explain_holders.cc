// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/explain_holders.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/inputs/profile_loader.h"
#include "heapprof/explain/slab_holders.h"
#include "heapprof/io/input_file.h"
#include "heapprof/transform/prepare_profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {
namespace {

// A profile whose stacks have names.
class NamedProfile {
 public:
  // Each profile is named by a symbolizer of its own.
  static Result<NamedProfile> Make(Profile profile, const LoadedInputs& inputs,
                                   const Options& options, Session& session) {
    Session own(false);
    own.symbolizer.emplace(session.symbolizer->Sibling(JobCount(options)));
    auto named = FindBinariesOf(options, inputs, profile, own);
    if (named) named = NameFrames(profile, own);
    session.diagnostics.Merge(own.diagnostics);
    if (!named) return std::unexpected(named.error());
    PrepareProfile(profile, StackFilters(),
                   {.keep_allocator_frames = options.keep_allocator_frames,
                    .names = options.names});
    return NamedProfile(std::make_unique<const Profile>(std::move(profile)),
                        options);
  }

  StackNamer Namer() const {
    return [this](StackId stack) {
      std::vector<std::string> names;
      for (const uint32_t label : labels_.OfStack(profile_->StackFrames(stack)))
        names.push_back(labels_.Text(label));
      return names;
    };
  }

 private:
  NamedProfile(std::unique_ptr<const Profile> profile, const Options& options)
      : profile_(std::move(profile)), labels_(*profile_, LabelsFor(options)) {}

  static LabelOptions LabelsFor(const Options& options) {
    LabelOptions labels = LabelsOf(options);
    labels.marks_inlined = false;
    return labels;
  }

  std::unique_ptr<const Profile> profile_;  // that the labels refer to
  FrameLabels labels_;
};

Result<RecentLog> ReadLog(const std::string& path, const std::string& dump,
                          const Options& options, Diagnostics& diagnostics) {
  const auto file = InputFile::Open(path);
  if (!file) return std::unexpected(file.error());
  if (!file->inflate_problem().empty())
    return Fail(ErrorKind::kBadFormat, file->inflate_problem());
  Diagnostics ignored;
  const auto maps =
      LoadMaps(options.maps.empty() ? dump : options.maps, ignored);
  return ParseRecentLog(file->bytes(), path, maps ? &*maps : nullptr,
                        diagnostics);
}

// A dump of the command line.
struct NamedSide {
  SampledObjectSizes sizes = {};
  std::optional<NamedProfile> profile = {};

  HolderSide Holders() { return {std::move(sizes), profile->Namer()}; }
};

}  // namespace

Result<void> AddNamedHolders(const Options& options,
                             std::span<const SmallClass> classes,
                             LoadedInputs dumps, Session& session,
                             Waterfall& waterfall) {
  if (auto made = MakeSymbolizer(options, dumps, session); !made) return made;
  session.progress.Enter("naming the stacks");
  Sides<NamedSide> sides;
  for (MergeInput& dump : dumps.profiles) {
    NamedSide& side = sides[dump.side];
    side.sizes = FindSizes(dump.profile, classes);
    auto named =
        NamedProfile::Make(std::move(dump.profile), dumps, options, session);
    if (!named) return std::unexpected(named.error());
    side.profile = *std::move(named);
  }
  RecentLog log;
  std::optional<NamedProfile> log_names;
  if (!options.explain.recent.empty()) {
    auto read = ReadLog(options.explain.recent, dumps.first_dump, options,
                        session.diagnostics);
    if (!read) return std::unexpected(read.error());
    log.allocations = std::move(read->allocations);
    auto named =
        NamedProfile::Make(std::move(read->profile), dumps, options, session);
    if (!named) return std::unexpected(named.error());
    log_names = *std::move(named);
  }
  const HolderSide now = sides.now.Holders();
  std::optional<HolderSide> base;
  if (sides.base.profile) base = sides.base.Holders();
  HolderLog recent;
  if (log_names) recent = {log.allocations, log_names->Namer()};
  AddHolders(now, base ? &*base : nullptr, log_names ? &recent : nullptr,
             waterfall);
  return {};
}

}  // namespace heapprof
