// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/own_code.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The function to which each stack is charged; "-" if it has no own code.
std::vector<std::string> ChargedTo(const Profile& profile) {
  const OwnCode own(profile);
  std::vector<std::string> names;
  for (const Sample& sample : profile.samples) {
    const auto call = own.FirstOwn(profile, profile.StackFrames(sample.stack));
    if (!call) {
      names.emplace_back("-");
      continue;
    }
    const FunctionId id = profile.lines[call->line].function;
    names.emplace_back(profile.String(profile.functions[id.index()].name));
  }
  return names;
}

// A profile of `program`, the first file in the test's stacks.
Profile ProgramProfile(std::string_view program, std::string_view stacks) {
  Profile profile = ProfileOf(stacks);
  profile.main_binary = profile.strings.Intern(program);
  return profile;
}

std::string ChargedTo(std::string_view program, std::string_view stack) {
  return ChargedTo(ProgramProfile(program, stack)).at(0);
}

TEST(OwnCodeTest, TakesTheProgramAndTheLibrariesBesideIt) {
  static constexpr std::string_view kProgram = "/srv/app/bin/server";
  const auto charged_to = [](std::string_view library) {
    return ChargedTo(kProgram, "/srv/app/bin/server!main;" +
                                   std::string(library) + "!f 1\n");
  };
  for (const std::string_view own :
       {"/srv/app/lib/libstore.so", "/srv/app/bin/plugins/x.so",
        "/home/me/build/libother.so", "/srv/other/libshared.so.2"})
    EXPECT_EQ(charged_to(own), "f") << own;
  for (const std::string_view other :
       {"/usr/lib/x86_64-linux-gnu/libfoo.so.1", "/lib64/libfoo.so",
        "/usr/lib/foo/libfoo.so", "/opt/vendor/libfoo.so",
        "/srv/app/lib/third_party/libfoo.so", "/srv/app/lib/libstdc++.so.6",
        "/srv/app/lib/libssl.so.3", "/srv/app/lib/libjemalloc.so.2",
        "/nix/store/abc-foo/lib/libfoo.so", "[vdso]"})
    EXPECT_EQ(charged_to(other), "main") << other;
  // A whole installation may be in such a folder.
  EXPECT_EQ(ChargedTo("/srv/vendor/app/bin/server",
                      "/srv/vendor/app/bin/server!main;"
                      "/srv/vendor/app/lib/libstore.so!f 1\n"),
            "f");
}

TEST(OwnCodeTest, KnowsLibrariesOfInstalledProgramsByNameAndFolder) {
  const auto charged_to = [](std::string program, std::string library) {
    return ChargedTo(program, program + "!main;" + library + "!f 1\n");
  };
  const std::string lib = "/usr/lib/x86_64-linux-gnu/";
  EXPECT_EQ(charged_to("/usr/lib/llvm-19/bin/clang", lib + "libLLVM.so.19.1"),
            "f");
  EXPECT_EQ(
      charged_to("/usr/lib/llvm-19/bin/clang", lib + "libclang-cpp.so.19.1"),
      "f");
  EXPECT_EQ(charged_to("/usr/bin/ceph-mon", lib + "ceph/libceph-common.so.2"),
            "f");
  EXPECT_EQ(charged_to("/usr/bin/radosgw", lib + "ceph/libceph-common.so.2"),
            "f");
  EXPECT_EQ(charged_to("/usr/bin/python3.11", lib + "libpython3.11.so.1.0"),
            "f");
  EXPECT_EQ(charged_to("/usr/bin/gs", lib + "libgs.so.10"), "f");
  EXPECT_EQ(charged_to("/usr/bin/gs", lib + "libgsl.so.27"), "main");
  EXPECT_EQ(charged_to("/usr/bin/gdb", lib + "libpython3.11.so.1.0"), "main");
  EXPECT_EQ(charged_to("/usr/bin/gdb", lib + "libglib-2.0.so.0"), "main");
  EXPECT_EQ(charged_to("/usr/bin/server", lib + "librocksdb.so.7.8"), "main");
  EXPECT_EQ(charged_to("/usr/bin/server", lib + "gconv/UTF-16.so"), "main");
}

// Both sides of a comparison have a program.
TEST(OwnCodeTest, TakesEachVersionOfTheProgram) {
  Profile profile = ProgramProfile("/opt/app-2/bin/server",
                                   "/opt/app-2/bin/server!main;"
                                   "/opt/app-2/lib/libstore.so!f 1\n"
                                   "/opt/app-1/bin/server!main;"
                                   "/opt/app-1/lib/libstore.so!g 1\n"
                                   "/opt/app-1/bin/server!run;"
                                   "/opt/other/lib/libx.so!h 1\n");
  profile.other_programs = {profile.strings.Intern("/opt/app-1/bin/server")};
  EXPECT_THAT(ChargedTo(profile), ElementsAre("f", "g", "run"));
}

// Distributions strip programs, but the libraries that they call may have
// names.
TEST(OwnCodeTest, TakesNamedLibrariesOfAProgramWithoutNames) {
  Profile profile = ProgramProfile(
      "/usr/bin/db_bench",
      "/usr/bin/db_bench!db_bench+0x1;"
      "/usr/lib/librocksdb.so.7!rocksdb::Get();/usr/lib/libzstd.so.1!g 1\n"
      "/usr/bin/db_bench!db_bench+0x2;/usr/lib/libc.so.6!fopen 1\n"
      "/usr/bin/db_bench!db_bench+0x3;/usr/lib/librocksdb.so.7!rock+0x1 1\n"
      "/usr/bin/db_bench!db_bench+0x4;/usr/bin/db_bench!db_bench+0x5 1\n");
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name).contains("+0x");
  EXPECT_EQ(ChargedTo(profile),
            (std::vector<std::string>{"rocksdb::Get()", "db_bench+0x2",
                                      "db_bench+0x3", "db_bench+0x5"}));
}

TEST(OwnCodeTest, TakesAProgramForNamelessAboveFourFifths) {
  const auto charged_to = [](int nameless) {
    std::string stacks =
        "/usr/bin/db_bench!main;/usr/lib/librocksdb.so.7!rocksdb::Get() 1\n";
    for (int i = 0; i < nameless; ++i)
      stacks += "/usr/bin/db_bench!db_bench+0x" + std::to_string(i) + " 1\n";
    Profile profile = ProgramProfile("/usr/bin/db_bench", stacks);
    for (Function& function : profile.functions)
      function.unresolved = profile.String(function.name).contains("+0x");
    return ChargedTo(profile).at(0);
  };
  EXPECT_EQ(charged_to(4), "main");
  EXPECT_EQ(charged_to(5), "rocksdb::Get()");
}

TEST(OwnCodeTest, LetsCodeWithoutNamesTellIfThereIsHardlyOther) {
  const auto telling = [](const std::string& stack) {
    Profile profile = ProgramProfile("/usr/bin/app", stack + " 1\n");
    for (Function& function : profile.functions)
      function.unresolved = profile.String(function.name).contains("+0x");
    const std::vector<bool> found = OwnCode(profile).NamelessLines(profile);
    std::vector<std::string> names;
    for (uint32_t line = 0; line < found.size(); ++line)
      if (found[line])
        names.emplace_back(profile.String(
            profile.functions[profile.lines[line].function.index()].name));
    return names;
  };
  static const std::string kStart =
      "/usr/bin/app!app+0x10;/usr/lib/libc.so.6!__libc_start_main;"
      "/usr/lib/libc.so.6!libc.so.6+0x271c0;";
  EXPECT_THAT(telling(kStart + "/usr/bin/app!app+0x20;/usr/bin/app!app+0x30"),
              ElementsAre("app+0x30"));
  EXPECT_THAT(telling(kStart + "/usr/bin/app!app+0x20"), IsEmpty());
  // A thread has no main().
  EXPECT_THAT(telling("/usr/lib/libc.so.6!clone3;/usr/bin/app!app+0x20"),
              ElementsAre("app+0x20"));
  EXPECT_THAT(telling(kStart + "/usr/bin/app!main;/usr/bin/app!app+0x30"),
              IsEmpty());
  EXPECT_THAT(
      telling(kStart +
              "/usr/bin/app!app+0x20;/usr/lib/librocksdb.so.7!rocksdb::Get();"
              "/usr/bin/app!app+0x30;/usr/lib/librocksdb.so.7!rocksdb::Put()"),
      IsEmpty());
}

// Charges each stack of a program whose names with "+0x" are none.
std::vector<std::string> ChargedInStripped(std::string_view stacks,
                                           bool compares_builds = false) {
  Profile profile = ProgramProfile("/usr/bin/app", stacks);
  profile.compares_builds = compares_builds;
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name).contains("+0x");
  return ChargedTo(profile);
}

// Some stripped programs export main().
TEST(OwnCodeTest, ChargesTheNearestCodeIfHardlyAnyHasAName) {
  static const std::string kMain =
      "/usr/bin/app!app+0x1;/usr/lib/libc.so.6!__libc_start_main;"
      "/usr/bin/app!main";
  EXPECT_EQ(
      ChargedInStripped(
          kMain + ";/usr/bin/app!app+0x2;/usr/bin/app!app+0x3 1\n" + kMain +
          ";/usr/bin/app!app+0x4;/usr/bin/app!app+0x5 1\n" + kMain +
          ";/usr/bin/app!app+0x6;/usr/lib/libm.so!exp 1\n" + kMain + " 1\n"),
      (std::vector<std::string>{"app+0x3", "app+0x5", "app+0x6", "main"}));
}

// The program may only start what is in its library.
TEST(OwnCodeTest, ChargesTheNearestCodeOfTheLibraryOfAStrippedProgram) {
  static const std::string kStart = "/usr/bin/app!app+0x1;";
  static const std::string kLibrary = "/usr/lib/libapp.so.10!";
  EXPECT_EQ(ChargedInStripped(kStart + kLibrary + "libapp.so.10+0x2 1\n" +
                              kStart + kLibrary + "libapp.so.10+0x3;" +
                              "/usr/lib/libc.so.6!strdup 1\n"),
            (std::vector<std::string>{"libapp.so.10+0x2", "libapp.so.10+0x3"}));
  // A library with names is charged by these.
  EXPECT_EQ(ChargedInStripped(kStart + kLibrary + "app_open;" + kLibrary +
                              "libapp.so.10+0x2 1\n"),
            std::vector<std::string>{"app_open"});
}

// In two builds, the nearest code has two addresses.
TEST(OwnCodeTest, ChargesCodeWithANameIfBuildsAreCompared) {
  const std::string_view stacks =
      "/usr/bin/app!main;/usr/bin/app!app+0x2;/usr/bin/app!app+0x3 1\n"
      "/usr/bin/app!main;/usr/bin/app!app+0x4;/usr/bin/app!app+0x5 1\n"
      "/usr/bin/app!main;/usr/bin/app!app+0x6;/usr/bin/app!app+0x7 1\n";
  EXPECT_EQ(ChargedInStripped(stacks),
            (std::vector<std::string>{"app+0x3", "app+0x5", "app+0x7"}));
  EXPECT_EQ(ChargedInStripped(stacks, /*compares_builds=*/true),
            (std::vector<std::string>{"main", "main", "main"}));
}

TEST(OwnCodeTest, FindsAllocatorsOfProgramsWithHardlyAnyNames) {
  EXPECT_EQ(
      ChargedInStripped("/usr/bin/app!app+0x2;/usr/bin/app!allocate_row 1\n"
                        "/usr/bin/app!app+0x3;/usr/bin/app!allocate_row 1\n"
                        "/usr/bin/app!app+0x4;/usr/bin/app!app+0x5 1\n"
                        "/usr/bin/app!app+0x6;/usr/bin/app!app+0x7 1\n"),
      (std::vector<std::string>{"app+0x2", "app+0x3", "app+0x5", "app+0x7"}));
}

TEST(OwnCodeTest, PrefersCodeWithAName) {
  Profile profile = ProgramProfile(
      "/srv/app", "/srv/app!main;/srv/app!run();/srv/app!app+0x1 1\n");
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name) == "app+0x1";
  EXPECT_EQ(ChargedTo(profile), std::vector<std::string>{"run()"});
}

// A stripped library has far more functions than the program that calls it.
TEST(OwnCodeTest, PrefersTheProgramToALibraryWithoutNames) {
  std::string stacks;
  for (int i = 0; i < 40; ++i)
    stacks += "/srv/app!main;/srv/app!run();/srv/lib/libstore.so!libstore.so+" +
              std::to_string(i) + " 1\n";
  Profile profile = ProgramProfile("/srv/app", stacks);
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name).contains('+');
  EXPECT_THAT(ChargedTo(profile), testing::Each("run()"));
}

TEST(OwnCodeTest, ExcludesThirdPartySources) {
  const auto charged_to = [](std::string_view file) {
    return ChargedTo("/srv/app",
                     "/srv/app!main%/home/me/app/main.cc:1;"
                     "/srv/app!f()%" +
                         std::string(file) + ":1 1\n");
  };
  for (const std::string_view own :
       {"/home/me/app/store.cc", "./src/mon/Monitor.cc", "src/deputy/a.cc",
        "/build/ceph-16.2/obj/../src/osd/OSD.cc", "/usr/src/app/store.cc",
        "/usr/src/debug/app-1.0/vendors.cc"})
    EXPECT_EQ(charged_to(own), "f()") << own;
  for (const std::string_view other :
       {"/usr/include/c++/12/bits/x.h", "/usr/include/foo.h",
        "/home/me/app/third_party/zlib/inflate.c", "vendor/../vendor/a.cc",
        "/home/me/app/build/_deps/absl-src/x.cc", "../deps/openssl/bn.c",
        "/home/me/app/external/a.cc", "/home/me/app/contrib/a.cc",
        "third_party/zlib/inflate.c", "deps/x/a.c",
        "/root/.cargo/registry/src/index.crates.io-6f/serde-1.0/src/lib.rs",
        "/opt/gcc/include/c++/13/vector"})
    EXPECT_EQ(charged_to(other), "main") << other;
  // A whole project may be in such a folder.
  EXPECT_EQ(ChargedTo("/srv/app",
                      "/srv/app!main%/home/me/external/main.cc:1;"
                      "/srv/app!f()%/home/me/external/a.cc:1 1\n"),
            "f()");
}

TEST(OwnCodeTest, ExcludesLibrariesByName) {
  const auto charged_to = [](std::string_view name) {
    return ChargedTo("/srv/app",
                     "/srv/app!main;/srv/app!" + std::string(name) + " 1\n");
  };
  for (const std::string_view own :
       {"store::vector::push_back(int)", "stdx::f()", "app::Row::Row()",
        "void app::fill<std::vector<int> >(int)", "render", "boosted::f()",
        "app::(anonymous namespace)::load()", "duplicate", "xml_load",
        "app::BIO_like()", "allocation_report"})
    EXPECT_EQ(charged_to(own), own);
  for (const std::string_view other :
       {"std::vector<app::Row>::push_back(app::Row const&)",
        "void std::vector<app::Row, std::allocator<app::Row> >::"
        "_M_realloc_insert<app::Row>(int)",
        "__gnu_cxx::new_allocator<char>::allocate(unsigned long)",
        "boost::variant<int>::variant(int)", "absl::container::f()",
        "google::protobuf::Arena::f()", "CRYPTO_zalloc", "ASN1_item_d2i",
        "_start", "_IO_file_doallocate", "ZSTD_createCCtx"})
    EXPECT_EQ(charged_to(other), "main") << other;
}

TEST(OwnCodeTest, ExcludesAllocationWrappers) {
  const auto charged_to = [](std::string_view name) {
    return ChargedTo("/srv/app",
                     "/srv/app!main;/srv/app!" + std::string(name) + " 1\n");
  };
  for (const std::string_view wrapper :
       {"xmalloc",
        "xcalloc",
        "x2nrealloc",
        "xstrdup",
        "xstrndup",
        "xmemdup0",
        "g_malloc",
        "g_malloc0",
        "g_malloc0_n",
        "g_strdup",
        "g_slice_alloc",
        "zmalloc",
        "PyObject_Malloc",
        "_PyObject_GC_New",
        "PyMem_RawRealloc",
        "sqlite3MemMalloc",
        "sqlite3DbMallocRawNN",
        "CRYPTO_strdup",
        "palloc0",
        "MemoryContextAllocZero",
        "llvm::User::operator new(unsigned long)",
        "app::Pool::operator new[](unsigned long)",
        "node::UncheckedMalloc<>()",
        "mem::checked_realloc(void*, unsigned long)",
        "ruby_xmalloc2"})
    EXPECT_EQ(charged_to(wrapper), "main") << wrapper;
}

constexpr std::string_view kRustStacks =
    "/srv/shop!shop::main;/srv/shop!<shop::Rows as "
    "core::iter::Iterator>::next 1\n"
    "/srv/shop!shop::main;/srv/shop!<alloc::vec::Vec<shop::Row> as "
    "core::ops::Drop>::drop 1\n"
    "/srv/shop!shop::main;/srv/shop!shop::load::{{closure}} 1\n"
    "/srv/shop!shop::main;/srv/shop!<alloc::vec::Vec<u8> as "
    "shop::Pack>::pack 1\n"
    "/srv/shop!shop::main;/srv/shop!<[u8]>::repeat 1\n"
    "/srv/shop!shop::main;/srv/shop!hashbrown::raw::RawTable<T>::reserve 1\n"
    "/srv/shop!shop::main;/srv/shop!serde_json::from_str 1\n"
    "/srv/shop!shop::main;/srv/shop!shop_store::open 1\n";

TEST(OwnCodeTest, KnowsRustCratesWithoutDebugInformation) {
  Profile profile = ProgramProfile("/srv/shop", kRustStacks);
  for (Function& function : profile.functions)
    function.system_name = profile.strings.Intern("_RNvC4shop4main");
  EXPECT_EQ(ChargedTo(profile),
            (std::vector<std::string>{
                "<shop::Rows as core::iter::Iterator>::next", "shop::main",
                "shop::load::{{closure}}",
                "<alloc::vec::Vec<u8> as shop::Pack>::pack", "shop::main",
                "shop::main", "shop::main", "shop_store::open"}));
}

TEST(OwnCodeTest, KnowsRustCratesByTheirSources) {
  const auto charged_to = [](std::string_view name, std::string_view file) {
    return ChargedTo("/srv/shop",
                     "/srv/shop!shop::main%/home/me/shop/src/main.rs:1;"
                     "/srv/shop!" +
                         std::string(name) + "%" + std::string(file) +
                         ":1 1\n");
  };
  const std::string rustc = "/rustc/0123456789abcdef/library/";
  EXPECT_EQ(charged_to("<shop::Rows as core::iter::IntoIterator>::into_iter",
                       rustc + "core/src/iter/traits/collect.rs"),
            "shop::main");
  EXPECT_EQ(
      charged_to("alloc::vec::Vec<T,A>::push", rustc + "alloc/src/vec/mod.rs"),
      "shop::main");
  EXPECT_EQ(charged_to("<alloc::vec::Vec<u8> as shop::Pack>::pack",
                       "/home/me/shop/src/pack.rs"),
            "<alloc::vec::Vec<u8> as shop::Pack>::pack");
  EXPECT_EQ(charged_to("other_crate::open", "/home/me/other/src/lib.rs"),
            "other_crate::open");
  EXPECT_EQ(charged_to("serde_json::from_str",
                       "/root/.cargo/registry/src/x-1/serde_json/src/de.rs"),
            "shop::main");
}

TEST(OwnCodeTest, HasNothingToChargeWithoutOwnCode) {
  EXPECT_EQ(ChargedTo("/srv/app",
                      "/lib/libc.so.6!start;"
                      "/lib/libfoo.so!f 1\n"),
            "-");
  EXPECT_EQ(ChargedTo("/srv/app", "[allocator only] 1\n"), "-");
  EXPECT_EQ(ChargedTo(ProgramProfile("/srv/app", "1\n")),
            std::vector<std::string>{"-"});
}

TEST(OwnCodeTest, ChargesTheCallersOfItsOwnAllocators) {
  constexpr std::string_view kProgram = "/srv/app/server";
  EXPECT_EQ(
      ChargedTo(ProgramProfile(kProgram,
                               "/srv/app/server!main;load;Arena::Get;std::f 5\n"
                               "/srv/app/server!main;parse;Arena::Get 5\n"
                               "/srv/app/server!Arena::Get 1\n")),
      (std::vector<std::string>{"load", "parse", "Arena::Get"}));
}

TEST(OwnCodeTest, ChargesTheCallersOfLibrariesThatAreBuiltIn) {
  EXPECT_EQ(ChargedTo("/srv/app/server",
                      "/srv/app/server!main;Store;rocksdb::Write 1\n"),
            "Store");
  // The program is the library's own.
  EXPECT_EQ(ChargedTo("/srv/app/ldb",
                      "/srv/app/ldb!main;rocksdb::Run;rocksdb::Write 1\n"),
            "rocksdb::Write");
}

// The names of the functions whose calls tell something.
std::vector<std::string> Telling(std::string_view stacks) {
  const Profile profile = ProgramProfile("/srv/app/bin/server", stacks);
  const std::vector<bool> is_telling = OwnCode(profile).TellingLines(profile);
  std::vector<std::string> names;
  for (uint32_t line = 0; line < is_telling.size(); ++line) {
    if (!is_telling[line]) continue;
    const FunctionId id = profile.lines[line].function;
    names.emplace_back(profile.String(profile.functions[id.index()].name));
  }
  return names;
}

TEST(OwnCodeTest, OwnCodeAndLibrariesTellButAllocatorsAndRuntimesDoNot) {
  EXPECT_THAT(
      Telling("/lib/libc.so.6!start_thread;/srv/app/bin/server!main;"
              "/srv/app/bin/server!std::function::operator();"
              "/usr/lib/libssl.so.3!SSL_new;/usr/lib/libssl.so.3!CRYPTO_zalloc;"
              "/srv/app/bin/server!app::Arena::Grow;"
              "/srv/app/bin/server!boost::asio::run 1\n"),
      testing::UnorderedElementsAre("main", "SSL_new", "boost::asio::run"));
}

TEST(OwnCodeTest, AnInterpreterThatCallsTellsNothing) {
  EXPECT_THAT(Telling("/srv/app/bin/server!main;"
                      "/srv/app/bin/server!_PyEval_EvalFrameDefault;"
                      "/srv/app/bin/server!PyObject_Vectorcall;"
                      "/srv/app/bin/server!scanner_call 1\n"),
              testing::UnorderedElementsAre("main", "scanner_call"));
}

}  // namespace
}  // namespace heapprof
