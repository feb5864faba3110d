// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/clone_suffix.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(CutCloneSuffixTest, CutsAllSuffixesThatCloningAdds) {
  struct Case {
    std::string_view name;
    std::string_view expected;
  };
  for (const auto& [name, expected] : std::vector<Case>{
           {"f", "f"},
           {"f.isra.0", "f"},
           {"f.part.1", "f"},
           {"f.constprop.2", "f"},
           {"f.cold", "f"},
           {"f.cold.3", "f"},
           {"f.hot", "f"},
           {"f.warm", "f"},
           {"f.lto_priv.3", "f"},
           {"f.llvm.1234567890", "f"},
           {"f.localalias", "f"},
           {"f.localalias.5", "f"},
           {"f.clone.3", "f"},
           {"f.__uniq.12345.llvm.678", "f"},
           {"f.__part.12", "f"},
           {"f.specialized.1", "f"},
           {"f.memprof.2", "f"},
           {"f.isra.0.constprop.1.part.2.cold", "f"},
           {"_ZN2ns1fEi.isra.0", "_ZN2ns1fEi"},
           // Not clones.
           {"f.isra.0.f", "f.isra.0.f"},
           {"f.cold.f", "f.cold.f"},
           {"isra.0", "isra.0"},
           {"f.part0", "f.part0"},
           {"f.coldest", "f.coldest"},
           {"f.partial", "f.partial"},
           {"main.main", "main.main"},
           // Functions of Go.
           {"maps.clone", "maps.clone"},
           {"app.(*Log).part", "app.(*Log).part"},
           {"f.0", "f.0"},
           {".isra.0", ".isra.0"},
           {"", ""},
       })
    EXPECT_EQ(CutCloneSuffix(name), expected) << name;
}

}  // namespace
}  // namespace heapprof
