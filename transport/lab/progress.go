package lab

import "encoding/json"

// A Progress is how far the use of a taken board has come.
type Progress struct {
	Steps     uint64 `json:"steps"`            // that the host executed since it was taken
	PerSecond uint64 `json:"steps_per_second"` // of late
	Run       *Run   `json:"run,omitempty"`    // what the user's bench says of a run; nil where it says nothing
}

// A Run is the progress of a user's run, for observers. Its holder may send it with a heartbeat.
type Run struct {
	Done     int    `json:"done"`            // executions of vectors, or of Unit
	Of       int    `json:"of"`              // so many; 0 is not known
	Unit     string `json:"unit,omitempty"`  // what is counted, as in "blocks"; "" is executions
	Verdicts string `json:"verdicts"`        // what came of them in words, as in "PASS 12, FAIL 1"; may be empty
	First    string `json:"first,omitempty"` // the first failure, in a line

	// Around holds the steps around the first divergence, as packed by package waveform. The host stores them for
	// queries (Picture), and reports only that it has them.
	Around json.RawMessage `json:"around,omitempty"`
	Drawn  bool            `json:"drawn,omitempty"`
}

// MaxRun is how long a Run is at most when it is sent, in bytes.
const MaxRun = 8 << 10
