package project

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/transport"
)

// A Prediction is the flow's estimate of a chip's timing over all its corners (of process, voltage, temperature and
// wires). Slacks are in nanoseconds; negative ones are violations.
type Prediction struct {
	Period        float64 `json:"period_ns,omitempty"` // of clk, for the set-up slacks; 0 is unknown
	MinSetupSlack float64 `json:"least_setup_slack_ns"`
	MaxSetupSlack float64 `json:"most_setup_slack_ns"`
	MinHoldSlack  float64 `json:"least_hold_slack_ns"`
	SlowCorner    string  `json:"slowest_corner"` // of LeastSetup
	FastCorner    string  `json:"fastest_corner"` // of MostSetup
	HoldCorner    string  `json:"hold_corner"`    // of LeastHold
}

// Prediction reads stats/metrics.csv, which Tiny Tapeout's flow writes beside a netlist. It returns nil without that
// file, or if it lists no path between clocks.
func (p *Project) Prediction() (*Prediction, error) {
	path := filepath.Join(p.Dir, "stats", "metrics.csv")
	f, err := files.Project.Open(path)
	if errors.Is(err, fs.ErrNotExist) || p.Dir == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := readMetrics(f)
	if r == nil || err != nil {
		return nil, err
	}
	r.Period = p.clockPeriod()
	return r, nil
}

// readMetrics reads the worst slack of each corner.
func readMetrics(in io.Reader) (*Prediction, error) {
	r := &Prediction{MinSetupSlack: math.Inf(1), MaxSetupSlack: math.Inf(-1), MinHoldSlack: math.Inf(1)}
	s := bufio.NewScanner(in)
	for s.Scan() {
		name, text, _ := strings.Cut(s.Text(), ",")
		what, corner, is := strings.Cut(name, "__ws__corner:")
		if !is || what != "timing__setup" && what != "timing__hold" {
			continue
		}
		slack, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(slack) {
			return nil, failure.Usagef("metrics.csv: %s is %q, which is no number of ns", name, text)
		}
		if !math.IsInf(slack, 0) { // infinite without a path
			r.add(what, corner, slack)
		}
	}
	if r.SlowCorner == "" || r.HoldCorner == "" {
		return nil, s.Err()
	}
	return r, s.Err()
}

// add records the slack of a corner.
func (r *Prediction) add(what, corner string, slack float64) {
	if what == "timing__hold" {
		if slack < r.MinHoldSlack {
			r.MinHoldSlack, r.HoldCorner = slack, corner
		}
		return
	}
	if slack < r.MinSetupSlack {
		r.MinSetupSlack, r.SlowCorner = slack, corner
	}
	if slack > r.MaxSetupSlack {
		r.MaxSetupSlack, r.FastCorner = slack, corner
	}
}

// clockPeriod returns the period in the flow's src/config.json, in ns, or 0 if it has none.
func (p *Project) clockPeriod() float64 {
	f, err := files.Project.Open(filepath.Join(p.Dir, "src", "config.json"))
	if err != nil {
		return 0
	}
	defer f.Close()
	var config struct {
		Period float64 `json:"CLOCK_PERIOD"`
	}
	if json.NewDecoder(f).Decode(&config) != nil {
		return 0
	}
	return max(0, config.Period)
}

// String formats the slacks, and the highest clocks if the period is known.
func (r *Prediction) String() string {
	text := fmt.Sprintf("set-up slack %.4g ns (%s) to %.4g ns (%s), hold slack %.4g ns (%s)", r.MinSetupSlack,
		r.SlowCorner, r.MaxSetupSlack, r.FastCorner, r.MinHoldSlack, r.HoldCorner)
	if r.Period > r.MaxSetupSlack {
		text += fmt.Sprintf(": %s to %s", transport.Frequency(1e9/(r.Period-r.MinSetupSlack), 3),
			transport.Frequency(1e9/(r.Period-r.MaxSetupSlack), 3))
	}
	return text
}
