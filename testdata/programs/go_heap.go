// SPDX-License-Identifier: Apache-2.0

// Writes the heap profile of its own process to the file named: main.hold has
// 3 blocks of 64 KiB that live, main.free has freed 2 of 32 KiB.
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
)

var kept [][]byte
var sink []byte

//go:noinline
func hold(blocks int) {
	for i := 0; i < blocks; i++ {
		kept = append(kept, make([]byte, 64<<10))
	}
}

//go:noinline
func free(blocks int) {
	for i := 0; i < blocks; i++ {
		sink = make([]byte, 32<<10)
	}
	sink = nil
}

func init() { runtime.MemProfileRate = 1 }

func main() {
	kept = make([][]byte, 0, 3)
	hold(3)
	free(2)
	runtime.GC()
	file, err := os.Create(os.Args[1])
	if err == nil {
		err = pprof.WriteHeapProfile(file)
	}
	if err != nil {
		panic(err)
	}
}
