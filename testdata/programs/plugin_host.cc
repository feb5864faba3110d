// SPDX-License-Identifier: Apache-2.0
//
// Unloads a plugin whose memory it keeps. The plugin's code is then outside the
// memory map.
//
// usage: plugin_host PLUGIN
#include <cstdlib>

#include <dlfcn.h>

namespace {

void* held[1000];
int count = 0;

}  // namespace

extern "C" void Hold(void* block) { held[count++] = block; }

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  void* plugin = dlopen(argv[1], RTLD_NOW);
  if (plugin == nullptr) return 1;
  reinterpret_cast<void (*)()>(dlsym(plugin, "Work"))();
  dlclose(plugin);
  for (int i = 0; i < 20; ++i) Hold(malloc(10000));
}
