//go:build race

package testkit

// race says whether this is the race detector's build.
const race = true
