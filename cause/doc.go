// Package cause finds out why a chip gives wrong answers: one package for each way to ask.
//
// Read them in this order:
//
//   - wiring puts some hundred steps on the lines before anything is judged, and says whether a wire is at fault.
//   - diagnose explains a run: it simulates every fault of a wire, a register bit and the revision on the steps of the
//     run, and ranks them by what they explain. wiring asks it.
//   - flaky says, over repeated runs, what goes with failures that come and go.
//   - minimise leaves of a failing sequence the shortest that still fails, on the device itself.
//   - shmoo runs vectors under each setting of two knobs and shows where they begin to fail.
//
// None of them knows a design, a transport or a file: they take a tile, steps and answers, and give values back.
package cause
