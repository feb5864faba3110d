// SPDX-License-Identifier: Apache-2.0
#include "heapprof/groups/built_in_groups.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heapprof/base/split.h"
#include "heapprof/groups/groups_file.h"

namespace heapprof {
namespace {

struct BuiltInGroup {
  std::string_view set;   // "@rocksdb"
  std::string_view toml;  // its [[groups]]
};

// Memory in containers belongs to those who fill them. Therefore, the groups of
// libraries leave out containers, and those of the standard libraries have only
// what these keep for themselves.
constexpr BuiltInGroup kBuiltIn[] = {
    {"@rocksdb", R"([[groups]]
name = "RocksDB"
function = ['^<?rocksdb::', '^rocksdb_']
module = '/librocksdb[^/]*$'
)"},
    {"@arrow", R"([[groups]]
name = "Arrow"
function = '^<?(arrow(_\w+)?|parquet)::'
module = '/lib(arrow|parquet)[^/]*$'
)"},
    {"@protobuf", R"([[groups]]
name = "protobuf"
function = ['^google::protobuf::', '^_?upb_']
module = '/libproto(buf|c)[^/]*$'
)"},
    {"@grpc", R"([[groups]]
name = "gRPC"
function = ['^grpc(_core|_impl|_event_engine)?::', '^(grpc|gpr)_']
module = '/lib(grpc|gpr)[^/]*$'
)"},
    {"@folly", R"([[groups]]
name = "folly"
function = '^folly::(?!f14::|F14|fbvector|(basic_)?fbstring|small_vector|sorted_vector)'
module = '/libfolly[^/]*$'
)"},
    {"@tokio", R"([[groups]]
name = "tokio"
function = '^<?tokio(_\w+)?::'
file = '/tokio-[0-9][^/]*/src/'
)"},
    {"@cpython", R"([[groups]]
name = "CPython"
function = '^_?Py[A-Z]'
module = '/(lib)?python[0-9][^/]*$'
)"},
    {"@v8", R"([[groups]]
name = "V8"
function = '^v8(_inspector)?::'
module = '/libv8[^/]*$'
)"},
    {"@glibc", R"([[groups]]
name = "glibc"
function = [
  '^_dl_(new_object|map_object|check_map|allocate|resize|load|add_to|scope|important|init_paths|update_slotinfo)',
  '^(_nl_|__nss_|__gconv|__tls_|__res_|__new_exitfn|allocate_dtv|allocate_stack|tzset_internal)',
  '^(_IO_file_doallocate|__fopen_internal|setlocale|newlocale|__opendir|getaddrinfo|iconv_open)',
]
)"},
    {"@libstdc++", R"([[groups]]
name = "libstdc++"
function = [
  '^std::(__cxx11::)?(locale|ios_base|ctype|codecvt|numpunct|moneypunct|basic_filebuf)\b',
  '^__cxa_(allocate_exception|get_globals|thread_atexit)',
  '^(\(anonymous namespace\)|__gnu_cxx)::(pool|__freeres)',
]
)"},
    {"@own", R"([[groups]]
name = "your code"
own = true
)"},
};

Result<std::vector<Group>> Parsed(const BuiltInGroup& group) {
  auto groups = ParseGroups(group.toml, std::string(group.set));
  if (groups)
    for (Group& parsed : *groups) parsed.is_built_in = true;
  return groups;
}

std::vector<std::string_view> SetNames() {
  std::vector<std::string_view> names;
  for (const BuiltInGroup& group : kBuiltIn) names.push_back(group.set);
  return names;
}

}  // namespace

Result<std::vector<Group>> BuiltInGroups(std::string_view names) {
  std::vector<Group> groups;
  for (const std::string_view name : Split(names, ',')) {
    size_t found = 0;
    for (const BuiltInGroup& group : kBuiltIn) {
      if (name != group.set && name != "@all") continue;
      auto parsed = Parsed(group);
      if (!parsed) return parsed;
      std::ranges::move(*parsed, std::back_inserter(groups));
      ++found;
    }
    if (found == 0)
      return Fail(ErrorKind::kUsage,
                  fmt::format("--groups={:.200}: expected @all or some of {}, "
                              "found '{:.200}'",
                              names, fmt::join(SetNames(), ","), name));
  }
  return groups;
}

Result<FoundGroup> FindBuiltInGroup(std::string_view function,
                                    std::string_view module) {
  for (const BuiltInGroup& built_in : kBuiltIn) {
    const auto groups = Parsed(built_in);
    if (!groups) return std::unexpected(groups.error());
    for (const Group& group : *groups) {
      const auto by_function = AnyMatches(group.functions, function);
      if (!by_function) return std::unexpected(by_function.error());
      const auto by_module = AnyMatches(group.modules, module);
      if (!by_module) return std::unexpected(by_module.error());
      if (*by_function || *by_module)
        return FoundGroup{group.name, built_in.toml};
    }
  }
  return FoundGroup();
}

std::string BuiltInGroupsFile() {
  std::string file;
  for (const BuiltInGroup& group : kBuiltIn)
    file += fmt::format("{}# {}\n{}", file.empty() ? "" : "\n", group.set,
                        group.toml);
  return file;
}

}  // namespace heapprof
