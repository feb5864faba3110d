// SPDX-License-Identifier: Apache-2.0
//
// What begins and ends a page that loads nothing and has no scripts.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Returns the start of the page, up to its heading. `title` is escaped. `style`
// is the Asset() with the styles that the page has besides those of all pages.
std::string PlainPageStart(std::string_view title, std::string_view style,
                           std::string_view version);

inline constexpr std::string_view kPlainPageEnd = "</main>\n</body>\n</html>\n";

}  // namespace heapprof
