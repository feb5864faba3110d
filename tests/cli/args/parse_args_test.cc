// SPDX-License-Identifier: Apache-2.0
#include "cli/args/parse_args.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/args/option_table.h"
#include "cli/args/parsed_args.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Options that only a table or a comparison can obey rule out the overview.
TEST(ParseArgsTest, KnowsWhetherAnOutputIsRequested) {
  for (const Args& args : {Args{"--alloc_space"},
                           {"--focus=x"},
                           {"--names=full"},
                           {"--groups=@all"},
                           {"--thread=1"}})
    EXPECT_TRUE(Parsed(args).is_default_output) << args.front();
  for (const Args& args : {Args{"--text"},
                           {"--overview"},
                           {"-o", "mem.txt"},
                           {"-o", "-"},
                           {"--base=x"},
                           {"--cum"},
                           {"--top=5"},
                           {"--show_bytes"},
                           {"--lines"},
                           {"--thread=*"}})
    EXPECT_FALSE(Parsed(args).is_default_output) << args.front();
}

TEST(ParseArgsTest, KeepsTheArgumentsAsTheyWereGiven) {
  EXPECT_THAT(Parsed({"-foc=a b", "bin", "app.heap"}).args,
              ElementsAre("-foc=a b", "bin", "app.heap"));
  EXPECT_THAT(Parsed({"info", "app.heap"}).args, ElementsAre("app.heap"));
}

TEST(ParseArgsTest, HasTheDefaultsOfTheHelpText) {
  const Options options = Parsed({"app.heap"});
  EXPECT_EQ(options.command, Command::kReport);
  EXPECT_THAT(options.files, ElementsAre("app.heap"));
  EXPECT_THAT(options.bases, IsEmpty());
  EXPECT_THAT(options.locator.binaries, IsEmpty());
  EXPECT_THAT(options.locator.symbol_path, IsEmpty());
  EXPECT_THAT(options.locator.debug.path_map, IsEmpty());
  EXPECT_THAT(options.locator.debug.dirs, IsEmpty());
  EXPECT_THAT(options.locator.debug.sysroots, IsEmpty());
  EXPECT_FALSE(options.locator.force);
  EXPECT_EQ(options.jobs, 0u);
  EXPECT_FALSE(options.keep_allocator_frames);
  EXPECT_FALSE(options.drop_negative);
  EXPECT_THAT(options.outputs, ElementsAre(Output{}));
  EXPECT_TRUE(options.is_default_output);
  EXPECT_EQ(options.metric, Metric::kInuseSpace);
  EXPECT_EQ(options.granularity, Granularity::kFunctions);
  EXPECT_EQ(options.names, std::nullopt);
  EXPECT_FALSE(options.sort_by_cumulative);
  EXPECT_FALSE(options.show_bytes);
  EXPECT_FALSE(options.two_columns);
  EXPECT_EQ(options.top, std::nullopt);
  EXPECT_FALSE(options.quiet);
  EXPECT_FALSE(options.verbose);
  EXPECT_FALSE(options.show_help);
  EXPECT_FALSE(options.show_version);
}

TEST(ParseArgsTest, TakesOptionsAndFilesInAnyOrder) {
  const Options options = Parsed(
      {"app", "--cum", "1.heap", "-show_bytes", "2.heap", "--", "--odd.heap"});
  EXPECT_THAT(options.files,
              ElementsAre("app", "1.heap", "2.heap", "--odd.heap"));
  EXPECT_TRUE(options.sort_by_cumulative);
  EXPECT_TRUE(options.show_bytes);
}

TEST(ParseArgsTest, ReadsEveryOption) {
  const Options options = Parsed({"--base",
                                  "a.heap",
                                  "--maps",
                                  "/proc/1/maps",
                                  "--base=b.heap",
                                  "--add_lib=/opt/code.so",
                                  "--symbol-path",
                                  "/s",
                                  "--symbol-path=/t:/u:",
                                  "--lib_prefix",
                                  "/v,/w",
                                  "--path-map",
                                  "/app=/srv/a=b",
                                  "--path-map=/lib=",
                                  "--sysroot",
                                  "/proc/1/root",
                                  "--sysroot=/r",
                                  "--debug-dir",
                                  "/d",
                                  "--force",
                                  "--jobs",
                                  "3",
                                  "--collapsed",
                                  "--two-column",
                                  "--drop_negative",
                                  "--allocator-frames",
                                  "--top",
                                  "12",
                                  "--output",
                                  "x.txt",
                                  "--quiet",
                                  "--verbose",
                                  "--help",
                                  "--version",
                                  "--functions",
                                  "new.heap"});
  EXPECT_THAT(options.bases, ElementsAre("a.heap", "b.heap"));
  EXPECT_EQ(options.maps, "/proc/1/maps");
  EXPECT_EQ(options.added_library, "/opt/code.so");
  EXPECT_THAT(options.locator.symbol_path,
              ElementsAre("/s", "/t", "/u", "/v", "/w"));
  ASSERT_EQ(options.locator.debug.path_map.size(), 2u);
  EXPECT_EQ(options.locator.debug.path_map[0].from, "/app");
  EXPECT_EQ(options.locator.debug.path_map[0].to, "/srv/a=b");
  EXPECT_EQ(options.locator.debug.path_map[1].to, "");
  EXPECT_THAT(options.locator.debug.sysroots,
              ElementsAre("/proc/1/root", "/r"));
  EXPECT_THAT(options.locator.debug.dirs, ElementsAre("/d"));
  EXPECT_TRUE(options.locator.force);
  EXPECT_EQ(options.jobs, 3u);
  EXPECT_TRUE(options.two_columns);
  EXPECT_TRUE(options.drop_negative);
  EXPECT_TRUE(options.keep_allocator_frames);
  EXPECT_EQ(options.top, 12u);
  EXPECT_THAT(options.outputs,
              ElementsAre(Output{OutputNamed("collapsed"), "x.txt"}));
  EXPECT_TRUE(options.quiet);
  EXPECT_TRUE(options.verbose);
  EXPECT_TRUE(options.show_help);
  EXPECT_TRUE(options.show_version);
  EXPECT_THAT(options.files, ElementsAre("new.heap"));
}

TEST(ParseArgsTest, RefusesAPathMapWithoutTwoSides) {
  EXPECT_EQ(ErrorIn({"--path-map", "/app", "x"}),
            "--path-map: expected FROM=TO, found '/app'");
  EXPECT_EQ(ErrorIn({"--path-map==/srv", "x"}),
            "--path-map: expected FROM=TO, found '=/srv'");
}

TEST(ParseArgsTest, DoesNotTakeAListsValueForAFile) {
  EXPECT_THAT(Parsed({"--base", "old.heap", "new.heap"}).files,
              ElementsAre("new.heap"));
}

TEST(ParseArgsTest, ReadsTheMetric) {
  EXPECT_EQ(Parsed({"--inuse_objects"}).metric, Metric::kInuseObjects);
  EXPECT_EQ(Parsed({"--inuse_space"}).metric, Metric::kInuseSpace);
  EXPECT_EQ(Parsed({"--alloc_objects"}).metric, Metric::kAllocObjects);
  EXPECT_EQ(Parsed({"--alloc_space"}).metric, Metric::kAllocSpace);
  EXPECT_EQ(Parsed({"--metric=alloc_objects"}).metric, Metric::kAllocObjects);
  EXPECT_THAT(ErrorIn({"--metric=x"}),
              HasSubstr("--metric: expected inuse_objects, inuse_space"));
  EXPECT_EQ(Parsed({"--alloc_space", "--no-alloc_space"}).metric,
            Metric::kInuseSpace);
}

TEST(ParseArgsTest, ReadsTheFilters) {
  EXPECT_EQ(Parsed({"x.heap"}).filters.options(), FilterOptions());
  EXPECT_EQ(Parsed({"--focus", "a", "--ig=b", "-re", "c", "--ex", "d",
                    "--module=e", "--show-from=f", "--prune_from", "g",
                    "--own=h", "--hide=i", "--hide=@std", "--no-inlines"})
                .filters.options(),
            (FilterOptions{.retain = "c",
                           .exclude = "d",
                           .focus = "a",
                           .ignore = "b",
                           .module = "e",
                           .hide = {"i", "@std"},
                           .show_from = "f",
                           .prune_from = "g",
                           .own = "h",
                           .no_inlines = true}));
  EXPECT_EQ(Parsed({"--focus=a", "--focus", "b"}).filters.options().focus, "b");
  EXPECT_EQ(Parsed({"--focus=a", "--focus", ""}).filters.options().focus, "");
  EXPECT_TRUE(Parsed({"-noinlines"}).filters.options().no_inlines);
  EXPECT_FALSE(
      Parsed({"--no-inlines", "--inlines"}).filters.options().no_inlines);
}

TEST(ParseArgsTest, CompilesPatterns) {
  EXPECT_THAT(ErrorIn({"--focus=(", "d"}), HasSubstr("--focus=(: "));
  EXPECT_THAT(ErrorIn({"--callers", "(", "d"}), HasSubstr("--callers=(: "));
  EXPECT_FALSE(Parsed({"--text", "d"}).pattern);
}

TEST(ParseArgsTest, ReadsTheGranularity) {
  EXPECT_EQ(Parsed({"--functions"}).granularity, Granularity::kFunctions);
  EXPECT_EQ(Parsed({"--lin"}).granularity, Granularity::kLines);
  EXPECT_EQ(Parsed({"--fi"}).granularity, Granularity::kFiles);
  EXPECT_EQ(Parsed({"-ADDR"}).granularity, Granularity::kAddresses);
  EXPECT_EQ(Parsed({"--modules"}).granularity, Granularity::kModules);
  EXPECT_EQ(Parsed({"--lines", "--nolines"}).granularity,
            Granularity::kFunctions);
}

TEST(OptionsTest, ReadsWhereTheCacheIsAndHowLargeItMayBe) {
  EXPECT_TRUE(Parsed({"d"}).use_cache);
  EXPECT_FALSE(Parsed({"--no-cache", "d"}).use_cache);
  EXPECT_EQ(Parsed({"d"}).cache_size, uint64_t{4} << 30);
  EXPECT_EQ(Parsed({"--cache-size=1000", "d"}).cache_size, 1000u);
  EXPECT_EQ(Parsed({"--cache-size=3MiB", "d"}).cache_size, 3u << 20);
  EXPECT_EQ(Parsed({"--cache-size=2TiB", "d"}).cache_size, uint64_t{2} << 40);
  for (const char* size : {"", "MiB", "-1", "99999999TiB", "1x"})
    EXPECT_THAT(ErrorIn({"d", "--cache-size", size}),
                testing::StartsWith("--cache-size: expected a size such as "
                                    "512MiB or 4GiB, found"))
        << size;
}

TEST(ParseArgsTest, ReadsWhatPicturesShow) {
  const Options options =
      Parsed({"--dot", "--nodecount=9", "--nodefrac", ".25", "--edgefraction=0",
              "--maxdegree=3", "--scale=2", "--heapcheck", "d"});
  EXPECT_EQ(options.graph.node_count, 9u);
  EXPECT_EQ(options.graph.node_fraction, 0.25);
  EXPECT_EQ(options.graph.edge_fraction, 0);
  EXPECT_EQ(options.graph.degree, 3u);
  EXPECT_TRUE(options.mark_leaks);
  EXPECT_THAT(options.files, ElementsAre("d"));
}

TEST(ParseArgsTest, ReadsHowFlameGraphsAreDrawn) {
  Options options =
      Parsed({"--flamegraph", "--title=Old heap", "--width=800",
              "--min-width=0.1", "--icicle", "--reverse", "--palette=hot"});
  EXPECT_EQ(options.flame.title, "Old heap");
  EXPECT_EQ(options.flame.width, 800u);
  EXPECT_EQ(options.flame.min_width, 0.1);
  EXPECT_TRUE(options.flame.inverted);
  EXPECT_TRUE(options.flame.reverse);
  EXPECT_EQ(options.flame.palette, FlamePalette::kHot);
  options = Parsed({"-o", "a.flame.svg", "--inverted", "-o", "a.txt"});
  EXPECT_TRUE(options.flame.inverted);
  EXPECT_FALSE(options.flame.reverse || options.flame.width ||
               options.flame.min_width || options.flame.palette);
}

TEST(ParseArgsTest, RefusesOptionsOfFlameGraphsForOtherOutputs) {
  for (const Args& args : {Args{"--title", "x"},
                           {"--width", "800"},
                           {"--min-width", "1"},
                           {"--inverted"},
                           {"--reverse"},
                           {"--palette", "mem"}})
    EXPECT_EQ(ErrorIn(args), args.front() + " works only with --flamegraph");
}

TEST(ParseArgsTest, ReadsWhichCallTreesAreAskedFor) {
  Options options = Parsed({"--callers=ns::f", "d"});
  EXPECT_EQ(options.outputs.front().format, OutputNamed("callers"));
  EXPECT_EQ(options.pattern->pattern(), "ns::f");
  EXPECT_EQ(options.least_fraction, 0.01);
  options = Parsed({"d", "--callees", "g", "--nodefraction=0"});
  EXPECT_EQ(options.outputs.front().format, OutputNamed("callees"));
  EXPECT_EQ(options.pattern->pattern(), "g");
  EXPECT_EQ(options.least_fraction, 0);
}

TEST(ParseArgsTest, ReadsTheStyleOfNames) {
  EXPECT_EQ(Parsed({"--names=full", "d"}).names, NameStyle::kFull);
  EXPECT_EQ(Parsed({"--names", "template", "d"}).names, NameStyle::kTemplate);
  EXPECT_EQ(Parsed({"--names=full", "--names=short", "d"}).names,
            NameStyle::kShort);
  EXPECT_EQ(ErrorIn({"--names=long", "d"}),
            "--names: expected full, template or short, found 'long'");
}

TEST(ParseArgsTest, ChoosesTheOutputByOption) {
  struct Case {
    Args args;
    const OutputFormat* format;
  };
  for (const auto& [args, format] :
       {Case{{"--text"}, OutputNamed("text")},
        Case{{"--collapse"}, OutputNamed("collapsed")},
        Case{{"--proto"}, OutputNamed("proto")},
        Case{{"--pprof"}, OutputNamed("proto")},
        Case{{"--raw"}, OutputNamed("raw")},
        Case{{"--proto", "--noproto"}, OutputNamed("text")},
        Case{{"-o", "x.pb.gz"}, OutputNamed("proto")},
        Case{{"-o", "x.pb.gz", "--text"}, OutputNamed("text")}})
    EXPECT_EQ(Parsed(args).outputs.front().format, format)
        << ::testing::PrintToString(args);
}

TEST(ParseArgsTest, TakesTheLastOfRepeatedValues) {
  EXPECT_EQ(Parsed({"--top", "3", "--top", "5"}).top, 5u);
  EXPECT_EQ(Parsed({"--cum", "--nocum"}).sort_by_cumulative, false);
}

TEST(ParseArgsTest, DistinguishesTopZeroFromNoTop) {
  EXPECT_EQ(Parsed({"--top", "0"}).top, 0u);
}

TEST(ParseArgsTest, IgnoresOptionsOfJeprofThatChangeNothing) {
  EXPECT_THAT(Parsed({"--debug-syms-by-id", "--scale", "2", "app.heap"}).files,
              ElementsAre("app.heap"));
}

TEST(ParseArgsTest, ReadsWhatToDisassembleAndWithWhichTool) {
  const Options options =
      Parsed({"--disasm=^main$", "--tools", "/opt/binutils/bin/"});
  EXPECT_EQ(options.outputs.front().format, OutputNamed("disasm"));
  EXPECT_EQ(options.pattern->pattern(), "^main$");
  EXPECT_EQ(options.tools, "/opt/binutils/bin/");
}

TEST(ParseArgsTest, RefusesContradictoryOptions) {
  struct Case {
    Args args;
    const char* error;
  };
  constexpr const char* kModes =
      "more than one output: --text, --collapsed; choose one, or write each to "
      "a file whose name chooses it, as in -o mem.txt -o mem.html";
  constexpr const char* kMetrics =
      "more than one metric: choose one of --inuse_space, --inuse_objects, "
      "--alloc_space, --alloc_objects";
  for (const auto& [args, error] :
       {Case{{"--lines", "--files"},
             "more than one granularity: choose one of --functions, --lines, "
             "--files, --addresses, --modules"},
        Case{{"--text", "--collapsed"}, kModes},
        Case{{"--inuse_space", "--alloc_space"}, kMetrics},
        Case{{"--inuse_objects", "--inuse_space"}, kMetrics},
        Case{{"-o", "a", "-o", "a"}, "-o a: named twice"},
        Case{{"--base", "-", "-"},
             "-: named twice, but standard input can be read once"},
        Case{{"--two-column", "--base", "a"},
             "--two-column works only with --collapsed"},
        Case{{"--two-column", "--collapsed"},
             "--two-column needs a --base to compare with"},
        Case{{"--raw", "--base", "a"},
             "--raw writes a dump, which cannot be a difference"},
        Case{{"--flamegraph", "--palette=own", "--base", "a"},
             "--palette does not work with --base: colours show what changed"},
        Case{{"--flamegraph", "--width=99"},
             "--width: expected 100 to 100000, found 99"},
        Case{{"--flamegraph", "--palette=red"},
             "--palette: expected mem, module, own or hot, found 'red'"},
        Case{{"--nodecount=-1"}, "--nodecount: expected 0 or more, found -1"},
        Case{{"--nodefraction=-0.5"},
             "--nodefraction: expected 0 or more, found -0.5"},
        Case{{"--top", "-5"}, "--top: expected 0 or more, found -5"},
        Case{{"--jobs", "-1"}, "--jobs: expected 0 to 1024, found -1"},
        Case{{"--jobs=1025"}, "--jobs: expected 0 to 1024, found 1025"},
        Case{{"--pprof-addr=rva"},
             "--pprof-addr: expected fileoff, vaddr or runtime, found 'rva'"},
        Case{{"--proto", "--pprof-types=inuse_space,space"},
             "--pprof-types: expected some of inuse_objects,inuse_space,"
             "alloc_objects,alloc_space, found 'space'"},
        Case{{"--proto", "--pprof-types=inuse_space", "--alloc_space"},
             "--pprof-types lacks the chosen metric"},
        Case{{"--thread-labels"}, "--thread-labels works only with --proto"},
        Case{{"--ndjson", "--base", "a"},
             "--ndjson writes each dump for itself: name both without --base, "
             "and compare them in a query"},
        Case{{"--list=f", "--groups=@all"},
             "--list shows no groups; a filter can choose one, such as "
             "--focus='^\\[RocksDB\\]$'"},
        Case{{"--max-samples=5", "-o", "a.txt"},
             "--max-samples works only with --proto"},
        Case{{"check", "--size-labels"},
             "--size-labels does not work with 'heapprof check'"}})
    EXPECT_EQ(ErrorIn(args), error) << ::testing::PrintToString(args);
}

TEST(ParseArgsTest, TakesGroupsForOutputsThatShowThemOrForFilters) {
  for (const Args& args :
       {Args{"--threads", "--groups=@all", "--focus=RocksDB"},
        Args{"--json", "--threads", "--groups=@all"},
        Args{"--list=f", "-o", "a", "-o", "a.html", "--groups=@all"},
        Args{"check", "--groups=@all", "a.heap"}})
    EXPECT_EQ(ErrorIn(args), "no error") << ::testing::PrintToString(args);
}

// A value that the option takes.
std::string ValueFor(const OptionSpec& spec) {
  if (spec.kind == OptionKind::kString && spec.value.contains('|'))
    return std::string(spec.value.substr(0, spec.value.find('|')));
  if (spec.value == "FROM=TO") return "/a=/b";
  if (spec.value == "KEY=VALUE") return "a=b";
  if (spec.name == "width") return "800";
  if (spec.name == "groups") return "@all";
  if (spec.name == "pprof-types") return "inuse_space";
  if (spec.name == "min-age") return "2m";
  return "1";
}

TEST(ParseArgsTest, TakesEveryOptionOfTheTable) {
  for (const OptionSpec& spec : OptionTable()) {
    if (spec.set == nullptr) continue;
    const std::string option = "--" + std::string(spec.name);
    Args args = {option};
    if (!IsSwitch(spec.kind)) args.push_back(ValueFor(spec));
    const auto parsed = ParseArgs(args);
    // --two-column and the options of --proto need more than themselves.
    EXPECT_TRUE(parsed || parsed.error().message.starts_with(option + ' '))
        << parsed.error().message;
  }
}

TEST(ParseArgsTest, ReportsTheErrorsOfNormalizeArgs) {
  EXPECT_THAT(ErrorIn({"--no-such-option"}), HasSubstr("unknown option"));
  EXPECT_THAT(ErrorIn({"--web"}), HasSubstr("--svg"));
  EXPECT_THAT(ErrorIn({"--top", "many"}), HasSubstr("many"));
  EXPECT_EQ(ErrorIn({"--zzz", "app", "--top=x", "--text"}),
            "unknown option '--zzz'; also option '--top' needs an integer, got "
            "'x'");
  EXPECT_EQ(ErrorIn({"--z1", "--z2", "--z3", "--z4", "--z5"}),
            "unknown option '--z1'; also unknown option '--z2'; also unknown "
            "option '--z3'; and 2 more");
}

TEST(MetricTest, KnowsWhetherItWasChosen) {
  EXPECT_FALSE(Parsed({}).is_metric_chosen);
  EXPECT_TRUE(Parsed({"--inuse_space"}).is_metric_chosen);
}

TEST(ParseArgsTest, ReadsTheOptionsOfProto) {
  const PprofChoices defaults = Parsed({"--proto"}).pprof;
  EXPECT_THAT(defaults.types, IsEmpty());
  EXPECT_FALSE(defaults.thread_labels);
  EXPECT_FALSE(defaults.size_labels);
  EXPECT_EQ(defaults.max_samples, 0u);
  const PprofChoices all =
      Parsed({"--pprof-types=alloc_space,inuse_objects", "--thread-labels",
              "--size-labels", "--max-samples=16000", "-o", "a.pb.gz", "-o",
              "a.txt"})
          .pprof;
  EXPECT_THAT(all.types,
              ElementsAre(Metric::kAllocSpace, Metric::kInuseObjects));
  EXPECT_TRUE(all.thread_labels);
  EXPECT_TRUE(all.size_labels);
  EXPECT_EQ(all.max_samples, 16000u);
  EXPECT_FALSE(Parsed({"--no-thread-labels"}).pprof.thread_labels);
}

TEST(ParseArgsTest, ReadsTheOptionsForPprofProfiles) {
  const Options defaults = Parsed({"a.pb.gz"});
  EXPECT_FALSE(defaults.resymbolize);
  EXPECT_EQ(defaults.pprof_addresses, std::nullopt);
  EXPECT_EQ(defaults.sample_period, 0u);
  const Options options =
      Parsed({"--resymbolize", "--sample-period=524288", "a.pb.gz"});
  EXPECT_TRUE(options.resymbolize);
  EXPECT_EQ(options.sample_period, 524288u);
  EXPECT_EQ(Parsed({"--pprof-addr=runtime"}).pprof_addresses,
            AddressSpace::kRuntime);
  EXPECT_EQ(Parsed({"--pprof-addr=vaddr"}).pprof_addresses,
            AddressSpace::kFileAddress);
  EXPECT_EQ(Parsed({"--pprof-addr=fileoff"}).pprof_addresses,
            AddressSpace::kFileOffset);
}

TEST(ParseArgsTest, ShowsErrorsOnlyInTables) {
  EXPECT_FALSE(Parsed({"d"}).show_errors);
  const Options options = Parsed({"--ci", "d"});
  EXPECT_TRUE(options.show_errors);
  EXPECT_FALSE(options.is_default_output);
  EXPECT_TRUE(Parsed({"--ci", "--json", "d"}).show_errors);
  EXPECT_TRUE(Parsed({"--ci", "-o", "a.txt", "-o", "a.dot", "d"}).show_errors);
  EXPECT_EQ(ErrorIn({"--ci", "--dot", "d"}),
            "--ci works only with --text and --json");
}

}  // namespace
}  // namespace heapprof
