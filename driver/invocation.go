package driver

import "utfbench/internal/printable"

// An Invocation holds the data needed to repeat a run, except its target and the text of its vectors.
type Invocation struct {
	Suites   []string `json:"suites,omitempty"`    // by name; none means all
	Match    string   `json:"match,omitempty"`     // a regular expression that the names match; "" means all
	NoWiring bool     `json:"no_wiring,omitempty"` // the wiring check was skipped

	Capture *Capture `json:"capture,omitempty"` // instead of vectors

	AcceptWeak string   `json:"accept_weak,omitempty"` // output lines that need no comparison
	Coverage   *float64 `json:"coverage,omitempty"`    // percentage for a PASS; nil: the default, 0: no grading

	NoReference bool     `json:"no_reference,omitempty"` // only the vectors' own expectations were compared
	Vectors     []string `json:"vectors,omitempty"`      // the flags that name or make the vectors
}

// Flags returns the flags with which bench run and bench loop run these vectors and judge them in the same way.
func (a *Invocation) Flags() (words []string) {
	if a == nil {
		return nil
	}
	if a.NoReference {
		words = append(words, "--no-reference")
	}
	if a.NoWiring {
		words = append(words, "--no-wiring")
	}
	return append(words, a.Vectors...)
}

// RunFlags returns Flags and the flags with which bench run selects among the vectors.
func (a *Invocation) RunFlags() (words []string) {
	for _, suite := range a.Suites {
		words = append(words, "--suite", suite)
	}
	if a.Match != "" {
		words = append(words, "--run", a.Match)
	}
	return append(words, a.Flags()...)
}

// A Capture describes a capture: a stream of outputs after a reset, with constant inputs.
type Capture struct {
	Inputs string `json:"inputs,omitempty"` // the constant levels, such as ui=0x10,uio3=1
	Skip   int    `json:"skip,omitempty"`   // clocks before the first captured one
	Clocks int    `json:"clocks"`           // captured
	Lines  string `json:"lines,omitempty"`  // lines of interest; "" for all outputs
}

// String describes the captured clocks.
func (c *Capture) String() string {
	text := printable.Count(c.Clocks, "clock") + " after a reset"
	if c.Skip > 0 {
		text += " and " + printable.Count(c.Skip, "clock")
	}
	return text
}
