//go:build !linux

package main

// weighed runs the command. Only Linux measures the memory.
func weighed(command func()) { command() }

// fakePi does nothing, since the transport gpio needs Linux.
func fakePi() {}
