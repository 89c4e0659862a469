package report

// Asked is the data needed to repeat a run, besides its target and the vectors' text.
type Asked struct {
	Suites   []string `json:"suites,omitempty"` // by name; none means all
	Match    string   `json:"match,omitempty"`  // a regular expression that the names match; "" means all
	Smoke    bool     `json:"smoke,omitempty"`  // only the tile's smoke vectors
	FailFast bool     `json:"fail_fast,omitempty"`
	Auto     bool     `json:"auto,omitempty"`      // the run ended as soon as further iterations would not change it
	NoWiring bool     `json:"no_wiring,omitempty"` // the wiring check was skipped

	Capture *Capture `json:"capture,omitempty"` // instead of vectors

	AcceptWeak string `json:"accept_weak,omitempty"` // output lines that need no comparison
}
