// SPDX-License-Identifier: Apache-2.0
//
// Makes a function at run time and registers it with libgcc as LuaJIT does: for
// a personality routine, without instructions that say where its caller is.
// It calls Hold(), which holds 8 MB. Exits with 5.
#include <sys/mman.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void __register_frame(void*);
void __deregister_frame(void*);

// Calls its argument.
static const uint8_t kCode[] = {
#if defined(__x86_64__)
    0x48, 0x83, 0xec, 0x08,  // sub $8,%rsp
    0xff, 0xd7,              // call *%rdi
    0x48, 0x83, 0xc4, 0x08,  // add $8,%rsp
    0xc3                     // ret
#elif defined(__aarch64__)
    0xfd, 0x7b, 0xbf, 0xa9,  // stp x29,x30,[sp,#-16]!
    0x00, 0x00, 0x3f, 0xd6,  // blr x0
    0xfd, 0x7b, 0xc1, 0xa8,  // ldp x29,x30,[sp],#16
    0xc0, 0x03, 0x5f, 0xd6   // ret
#endif
};

static const uint8_t kFrames[] = {
    28, 0, 0, 0,                       // the length of the CIE
    0, 0, 0, 0, 1, 'z', 'P', 'R', 0,   // version 1
    1, 0x78, 16, 10,                   // alignments, return address, length
    0, 0, 0, 0, 0, 0, 0, 0, 0,         // no personality routine, for once
    0x1b, 0, 0, 0, 0, 0,               // addresses are relative, of 4 bytes
    20, 0, 0, 0,                       // the length of the FDE
    36, 0, 0, 0,                       // back to the CIE
    20, 0, 0, 0, sizeof kCode, 0, 0, 0,  // the code follows
    0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0};

enum { kCount = 80, kSize = 100000 };

void* volatile held[kCount];

__attribute__((noinline)) void Hold(void) {
  for (int i = 0; i < kCount; ++i) held[i] = malloc(kSize);
}

int main(void) {
  uint8_t* const memory =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  memcpy(memory, kFrames, sizeof kFrames);
  memcpy(memory + sizeof kFrames, kCode, sizeof kCode);
  __builtin___clear_cache((char*)memory, (char*)memory + 4096);
  void (*call)(void (*)(void));
  uint8_t* const code = memory + sizeof kFrames;
  memcpy(&call, &code, sizeof call);
  __register_frame(memory);
  call(Hold);
  __deregister_frame(memory);
  return 5;
}
