package lab

import "encoding/json"

// A Progress is the progress of a taken board's user.
type Progress struct {
	Steps     uint64 `json:"steps"`            // executed by the host since the board was taken
	PerSecond uint64 `json:"steps_per_second"` // recently
	Run       *Run   `json:"run,omitempty"`    // from the user's bench, or nil
}

// A Run is the progress of a user's run, for observers. Its holder may send it with a heartbeat.
type Run struct {
	Done     int    `json:"done"`            // executions of vectors, or Units
	Of       int    `json:"of"`              // in total; 0 if unknown
	Unit     string `json:"unit,omitempty"`  // such as "blocks"; "" for executions
	Verdicts string `json:"verdicts"`        // summary such as "PASS 12, FAIL 1"; may be empty
	First    string `json:"first,omitempty"` // the first failure, in one line

	// Around holds the steps around the first divergence, as packed by package waveform. The host stores them for
	// queries (Picture), and reports only that it has them.
	Around json.RawMessage `json:"around,omitempty"`
	Drawn  bool            `json:"drawn,omitempty"`
}

// MaxRun is the maximum size of an encoded Run, in bytes.
const MaxRun = 8 << 10
