// SPDX-License-Identifier: Apache-2.0
//
// Backtraces end at code that cannot be unwound. LuaJIT registers what it
// compiles with libgcc, in order to catch errors there, but its CIEs have no
// instructions: they say nothing of the caller. _Unwind_Backtrace() aborts in
// such code, and so would the program, when jemalloc samples an allocation of a
// C function that compiled Lua code calls.
#define _GNU_SOURCE
#include <pthread.h>

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unwind.h>

#include "preload.h"

OLD_VERSION(dlsym);

typedef _Unwind_Reason_Code UnwindBacktrace(_Unwind_Trace_Fn, void*);
typedef void RegisterFrame(void*);
typedef void* DeregisterFrame(void*);
typedef uintptr_t GetIp(struct _Unwind_Context*);

// Code without instructions for unwinding. `end` is 0 if the slot is free.
struct Code {
  const void* frames;  // what has been registered for it
  atomic_uintptr_t start, end;
};

// LuaJIT adds an area of 64 KiB or more at a time. Beyond the limit, code is as
// it is without this library.
enum { kMostAreas = 256 };
static struct Code areas[kMostAreas];
static atomic_size_t area_count;  // slots that are or were in use
static pthread_mutex_t areas_lock = PTHREAD_MUTEX_INITIALIZER;

// Finds a function of libgcc. It may have come with a library of dlopen() that
// shares it with no other.
static void* FindInLibgcc(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found != NULL) return found;
  void* const libgcc = RealFunctions()->dlopen("libgcc_s.so.1", RTLD_LAZY);
  return libgcc != NULL ? dlsym(libgcc, name) : NULL;
}

static void AddArea(const void* frames, uintptr_t start, uintptr_t end) {
  pthread_mutex_lock(&areas_lock);
  size_t count = atomic_load(&area_count), i = 0;
  while (i < count && atomic_load(&areas[i].end) != 0) ++i;
  if (i < kMostAreas) {
    areas[i].frames = frames;
    atomic_store(&areas[i].start, start);
    atomic_store(&areas[i].end, end);
    if (i == count) atomic_store(&area_count, count + 1);
  }
  pthread_mutex_unlock(&areas_lock);
}

static void RemoveAreas(const void* frames) {
  pthread_mutex_lock(&areas_lock);
  for (size_t i = 0; i < atomic_load(&area_count); ++i)
    if (areas[i].frames == frames) atomic_store(&areas[i].end, 0);
  pthread_mutex_unlock(&areas_lock);
}

// Returns true if the call before `return_address` is in such code.
static bool IsInArea(uintptr_t return_address) {
  const size_t count = atomic_load(&area_count);
  for (size_t i = 0; i < count; ++i)
    if (return_address > atomic_load(&areas[i].start) &&
        return_address <= atomic_load(&areas[i].end))
      return true;
  return false;
}

static uint32_t Word(const uint8_t* at) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

// A CIE or FDE, after its length.
struct Record {
  const uint8_t* at;
  const uint8_t* end;
};

static struct Record RecordAt(const uint8_t* at) {
  const uint8_t* const start = at + sizeof(uint32_t);
  return (struct Record){start, start + Word(at)};
}

static bool HasOnlyNops(struct Record instructions) {
  while (instructions.at < instructions.end && *instructions.at == 0)
    ++instructions.at;
  return instructions.at >= instructions.end;
}

// Returns true for a CIE as LuaJIT's: its augmentation is "zPR", with relative
// addresses of 4 bytes, and it has no instructions.
static bool HasNoFrame(struct Record cie) {
  static const uint8_t kStart[] = {0, 0, 0, 0, 1, 'z', 'P', 'R', 0};
  enum { kNumbers = 3, kRelative4 = 0x1b };  // DW_EH_PE_pcrel | sdata4
  if (cie.end - cie.at < 16 || memcmp(cie.at, kStart, sizeof kStart) != 0)
    return false;
  // The numbers are small: one byte each. The encoding of addresses comes
  // last, behind the personality routine.
  const uint8_t* const length = cie.at + sizeof kStart + kNumbers;
  const uint8_t* const end = length + 1 + *length;
  return end <= cie.end && end[-1] == kRelative4 &&
         HasOnlyNops((struct Record){end, cie.end});
}

// Adds the code that LuaJIT registers, with one CIE and one FDE. The frames of
// others say how to unwind them.
static void AddCodeOf(const uint8_t* frames) {
  const struct Record cie = RecordAt(frames);
  if (!HasNoFrame(cie)) return;
  const struct Record fde = RecordAt(cie.end);
  const uint8_t* const start = fde.at + sizeof(uint32_t);
  const uint8_t* const size = start + sizeof(uint32_t);
  const struct Record rest = {size + sizeof(uint32_t), fde.end};
  if (fde.at == fde.end || Word(fde.at) == 0 || !HasOnlyNops(rest)) return;
  const uintptr_t address = (uintptr_t)start + (uintptr_t)(int32_t)Word(start);
  AddArea(frames, address, address + Word(size));
}

EXPORT void __register_frame(void* frames) {
  static _Atomic(RegisterFrame*) real;
  if (real == NULL) real = (RegisterFrame*)FindInLibgcc("__register_frame");
  AddCodeOf(frames);
  if (real != NULL) real(frames);
}

EXPORT void* __deregister_frame(void* frames) {
  static _Atomic(DeregisterFrame*) real;
  if (real == NULL) real = (DeregisterFrame*)FindInLibgcc("__deregister_frame");
  void* const result = real != NULL ? real(frames) : NULL;
  RemoveAreas(frames);
  return result;
}

struct Trace {
  _Unwind_Trace_Fn visit;
  void* argument;
  GetIp* get_ip;
  bool is_below_us;  // the first frame is that of this library
};

static _Unwind_Reason_Code Visit(struct _Unwind_Context* context, void* data) {
  struct Trace* const trace = data;
  if (!trace->is_below_us) {
    trace->is_below_us = true;
    return _URC_NO_REASON;
  }
  const _Unwind_Reason_Code reason = trace->visit(context, trace->argument);
  if (reason != _URC_NO_REASON) return reason;
  return IsInArea(trace->get_ip(context)) ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// The call of the real function is the last one, so that it becomes a jump: it
// begins with the frame of its caller.
EXPORT _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn visit,
                                             void* argument) {
  static _Atomic(UnwindBacktrace*) real;
  static _Atomic(GetIp*) get_ip;
  if (real == NULL) {
    get_ip = (GetIp*)FindInLibgcc("_Unwind_GetIP");
    real = (UnwindBacktrace*)FindInLibgcc("_Unwind_Backtrace");
  }
  if (real == NULL) return _URC_FATAL_PHASE1_ERROR;
  if (atomic_load(&area_count) == 0 || get_ip == NULL)
    return real(visit, argument);
  struct Trace trace = {visit, argument, get_ip, false};
  return real(Visit, &trace);
}
