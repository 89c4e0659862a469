package web

import "utfbench/runs/explain"

// An Event is an update for the page. Its Value has one of the types in this file, and is sent as JSON.
type Event struct {
	Kind  string // pack, opened, progress, failure, judged, verdict or error
	Value any
	Files []File
}

// A File is an output of a run that the user can save.
type File struct {
	Name string // file name without a folder
	Type string // media type
	Data []byte
}

// PackEvent is the value of the event "pack": a pack was loaded, or rejected.
type PackEvent struct {
	Designs []string `json:"designs"` // nil if the pack was rejected
	Text    string   `json:"text"`    // a description, or the reason
}

// OpenedEvent is the value of the event "opened": the chip responds, and its vectors begin.
type OpenedEvent struct {
	Chip      string   `json:"chip"`
	Board     string   `json:"board"`
	Firmware  string   `json:"firmware,omitempty"`
	Reference string   `json:"reference"`
	Vectors   int      `json:"vectors"`
	Count     int      `json:"count"`
	Notes     []string `json:"notes"`
}

// ProgressEvent is the value of the event "progress".
type ProgressEvent struct {
	Done     int    `json:"done"`
	Of       int    `json:"of"`
	Steps    uint64 `json:"steps"`
	Verdicts string `json:"verdicts"`
}

// FailureEvent is the value of the event "failure": the first vector that is FAIL or ERROR. Its file is a waveform.
type FailureEvent struct {
	Text string `json:"text"`
}

// JudgedEvent is the value of the event "judged": the run has ended, and the diagnosis is in progress.
type JudgedEvent struct {
	Verdict string `json:"verdict"`
	Meaning string `json:"meaning"`
}

// VerdictEvent is the value of the event "verdict", which is the last one. Its files are the report and the recording.
type VerdictEvent struct {
	JudgedEvent
	Compared    string               `json:"compared,omitempty"` // description of the evidence
	Hint        string               `json:"hint,omitempty"`
	BenchError  string               `json:"trouble,omitempty"`
	Explanation *explain.Explanation `json:"explanation,omitempty"`
	Text        string               `json:"text"`           // the output of bench run
	BoardState  string               `json:"left,omitempty"` // final state of the board
	Chipless    bool                 `json:"chipless"`       // a mock was tested instead of a chip
	Seconds     float64              `json:"seconds"`
	Steps       int                  `json:"steps"`
}

// ErrorEvent is the value of the event "error", which is the last one: the chip has no verdict.
type ErrorEvent struct {
	Text       string `json:"text"`
	Kind       string `json:"kind"`           // user, bench, design or interrupted
	BoardState string `json:"left,omitempty"` // final state of the board
}
