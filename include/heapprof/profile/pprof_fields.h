// SPDX-License-Identifier: Apache-2.0
//
// The numbers of the fields in the messages of proto/profile.proto that are
// read or written. A function makes those of one message visible by `using
// enum SampleFields::Number;`.
#pragma once

#include <cstdint>

namespace heapprof {

struct ProfileFields {
  enum Number : uint32_t {
    kSampleType = 1,
    kSample = 2,
    kMapping = 3,
    kLocation = 4,
    kFunction = 5,
    kStringTable = 6,
    kTimeNanos = 9,
    kPeriodType = 11,
    kPeriod = 12,
    kComment = 13,
    kDefaultSampleType = 14,
  };
};

struct ValueTypeFields {
  enum Number : uint32_t { kType = 1, kUnit = 2 };
};

struct SampleFields {
  enum Number : uint32_t { kLocationId = 1, kValue = 2, kLabel = 3 };
};

struct LabelFields {
  enum Number : uint32_t { kKey = 1, kText = 2, kNumber = 3, kNumberUnit = 4 };
};

struct MappingFields {
  enum Number : uint32_t {
    kId = 1,
    kStart = 2,
    kLimit = 3,
    kFileOffset = 4,
    kFilename = 5,
    kBuildId = 6,
    kHasFunctions = 7,
    kHasFilenames = 8,
    kHasLineNumbers = 9,
    kHasInlineFrames = 10,
  };
};

struct LocationFields {
  enum Number : uint32_t { kId = 1, kMappingId = 2, kAddress = 3, kLine = 4 };
};

struct LineFields {
  enum Number : uint32_t { kFunctionId = 1, kLineNumber = 2, kColumn = 3 };
};

struct FunctionFields {
  enum Number : uint32_t {
    kId = 1,
    kName = 2,
    kSystemName = 3,
    kFilename = 4,
    kStartLine = 5,
  };
};

}  // namespace heapprof
