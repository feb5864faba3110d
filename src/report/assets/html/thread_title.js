// SPDX-License-Identifier: Apache-2.0
//
// As include/heapprof/profile/thread_name.h, which says more.

/** "t12", "t12 worker" @param {{uid: number, name: string}} thread */
export function threadTitle({uid, name}) {
  return name === "" ? `t${uid}` : `t${uid} ${name}`;
}

/** "t12", "worker" @param {{uid: number, name: string}} thread */
export function threadName(thread) {
  return thread.name || threadTitle(thread);
}
