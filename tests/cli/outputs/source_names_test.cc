// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/source_names.h"

#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(HasSourceNameTest, AcceptsSourcesOfAnyLanguage) {
  for (const std::string_view path :
       {"/src/a.cc", "a.C", "/x/B.HPP", "/r/lib.rs", "/go/m.go", "/p/gram.y",
        "/usr/include/c++/12/vector", "/usr/lib/gcc/x/12/include/atomic",
        "/a.b/c.inc", "x.tar.c"})
    EXPECT_TRUE(HasSourceName(path)) << path;
}

TEST(HasSourceNameTest, RefusesOtherFiles) {
  for (const std::string_view path :
       {"/etc/shadow", "/root/.ssh/id_rsa", "/home/u/.c", "/x.c/key",
        "/x/a.pem", "", "/home/u/include/passwords", "/usr/share/include",
        "/db.sqlite", "/a.cc.bak", "/run/secrets/token.", "/home/u/.netrc"})
    EXPECT_FALSE(HasSourceName(path)) << path;
}

}  // namespace
}  // namespace heapprof
