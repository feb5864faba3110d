// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/byte_sink.h"

namespace heapprof {

ByteSink::ByteSink(WriteBlock write_block)
    : write_block_(std::move(write_block)) {}

Result<void> ByteSink::Finish() {
  WritePending();
  return status_;
}

// Writes the bytes from where they are, without a copy.
void ByteSink::AppendLarge(std::string_view bytes) {
  WritePending();
  Write(bytes);
}

void ByteSink::WritePending() {
  Write(pending_);
  pending_.clear();
}

void ByteSink::Write(std::string_view block) {
  if (status_ && !block.empty()) status_ = write_block_(block);
}

}  // namespace heapprof
