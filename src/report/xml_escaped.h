// SPDX-License-Identifier: Apache-2.0
//
// Text for XML documents.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Escapes `text` for the content of an XML element or for an attribute. Control
// characters, invalid UTF-8, U+FFFE and U+FFFF become "?", because XML cannot
// express them.
std::string XmlEscaped(std::string_view text);

}  // namespace heapprof
