// SPDX-License-Identifier: Apache-2.0
//
// Lets people move and zoom an SVG picture in a browser.
#pragma once

#include <string>

namespace heapprof {

// Adds a script to the end of `svg`, a picture by Graphviz, and changes nothing
// else. The script needs nothing from outside the file. A viewer that runs no
// scripts shows the same picture as before. Returns anything that is not an SVG
// picture as it is.
std::string WithPanAndZoom(std::string svg);

}  // namespace heapprof
