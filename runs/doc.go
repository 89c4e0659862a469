// Package runs holds what is kept of a run and how it is shown: one package for each.
//
// Read them in this order:
//
//   - plan says what a run asks: which vectors, how often, in which order.
//   - identity says which chip was asked and what it was compared with; everything that continues a run compares it.
//   - report tells of a run while it goes: text, JSON, JUnit. Its Reporter is how everything else here hears of a
//     result.
//   - record keeps every step and answer in a file, which can be judged again; page writes one HTML file, waveform what
//     a vector did over time, bundle a zip for a bug report.
//   - history keeps what became of each run in the user's folder, compare holds two recordings against each other.
//   - trend shows how a board fared from run to run.
//   - matrix asks several targets the same and says where they agree.
//   - explain puts into words what the packages in cause found.
//   - next proposes commands to go on with.
package runs
