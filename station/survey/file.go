package survey

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"strings"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// A FileHead identifies a file of results. A survey resumes only from a file with an equal head.
type FileHead struct {
	files.DocumentHead
	Event       string `json:"event"` // survey
	PackDigest  string `json:"pack_sha256"`
	RandomSteps int    `json:"random"`
	// Packed means that designs ran their vectors from the pack.
	Packed bool   `json:"packed,omitempty"`
	Seed   uint64 `json:"seed"`
	// Explore is the budget for exploring each design, or "".
	Explore    string `json:"explore,omitempty"`
	Transport  string `json:"transport"`
	Conditions string `json:"conditions,omitempty"` // flags of the target that set speed and waits
}

// TargetText returns the transport, and the flags that set speed and waits.
func (h *FileHead) TargetText() string { return strings.TrimSpace(h.Transport + " " + h.Conditions) }

// StepsText describes the steps applied to designs with state.
func (h *FileHead) StepsText() string {
	switch random := printable.Count(h.RandomSteps, "random step"); {
	case h.Explore != "":
		return fmt.Sprintf("a search's, for about %s, seed %d", h.Explore, h.Seed)
	case h.Packed:
		return fmt.Sprintf("the pack's, else %s, seed %d", random, h.Seed)
	default:
		return fmt.Sprintf("%s, seed %d", random, h.Seed)
	}
}

// A rowLine is a line after the head.
type rowLine struct {
	Event string `json:"event"` // design
	Row
	CRC string `json:"crc"` // see Row.crc
}

// crc returns the CRC-32C of a row as JSON, in hex. It reveals a changed line.
func (r *Row) crc() string {
	text, _ := json.Marshal(r) // a row contains only texts and numbers
	return fmt.Sprintf("%08x", crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
}

func (s *Survey) head() FileHead {
	h := FileHead{DocumentHead: files.NewDocumentHead(s.Version), Event: "survey", PackDigest: s.Pack.Digest,
		Packed: s.UsePackVectors, RandomSteps: s.RandomSteps, Seed: s.seed(), Transport: s.Target.Transport,
		Conditions: report.ConditionFlags(s.Target.Args())}
	if kind, _, _ := s.Target.FindKind(); kind.DeviceName != nil { // a board has an id and may be at another port
		h.Transport = kind.Name
	}
	if s.Explore {
		h.Explore = s.Budget.String()
	}
	return h
}

// SaveTo begins the file of --json with the results of a resumed survey, unless path is "". Run appends each further
// result, so that even a killed survey can resume.
func (s *Survey) SaveTo(out *files.Set, path string) error {
	s.keep, s.kept = func(Row) error { return nil }, path
	if path == "" {
		return nil
	}
	file, err := out.Create("--json", path, files.Part)
	if err != nil {
		return err
	}
	to := json.NewEncoder(file)
	s.keep = func(r Row) error { return cmp.Or(to.Encode(rowLine{"design", r, r.crc()}), file.Flush()) }
	err = to.Encode(s.head())
	for _, row := range s.passed {
		err = cmp.Or(err, s.keep(row))
	}
	return cmp.Or(err, file.Flush())
}

// Resume takes over the results of an interrupted survey from its file of --json or the part of that file, and returns
// their number. Run repeats designs until one has opened the chip, to check the wires and that the chip is the same. A
// FAIL remains a FAIL. If a design that passed now fails, Run reports another chip.
func (s *Survey) Resume(path string) (designs int, err error) {
	if path, err = files.ResumablePath(path); err != nil {
		return 0, failure.Usagef("--resume: %w", err)
	}
	s.passed, err = read(path, s.head())
	return len(s.passed), err
}

// read returns the PASS, WEAK and FAIL results of an interrupted survey with this head, by design. It omits excused
// designs, which are judged again, since the wire may have been repaired. The error reports bad input.
func read(path string, now FileHead) (map[string]Row, error) {
	was, all, err := readFile(path)
	if err == nil {
		err = was.continues(&now)
	}
	if err != nil {
		return nil, failure.Usagef("%s: %w", path, err)
	}
	maps.DeleteFunc(all, func(_ string, r Row) bool { return r.Verdict == notJudged })
	return all, nil
}

// readFile reads a file of bench shuttle --json. It omits unjudged designs and lines with a wrong checksum. The last
// line of a design applies. A truncated line is ignored.
func readFile(path string) (h FileHead, rows map[string]Row, err error) {
	f, err := files.EventStream.Open(path)
	if err != nil {
		return h, nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20) // maximum size of a line, in bytes
	rows = map[string]Row{}
	lines.Scan()
	if err := printable.Decode(lines.Bytes(), &h); err != nil || h.Event != "survey" {
		return h, nil, cmp.Or(lines.Err(), errors.New("not what bench shuttle --json writes"))
	}
	for lines.Scan() {
		var l rowLine
		if err := printable.Decode(lines.Bytes(), &l); err != nil || l.Event != "design" {
			continue // truncated
		}
		delete(rows, l.Design)
		if l.earned() && l.CRC == l.crc() {
			rows[l.Design] = l.Row
		}
	}
	return h, rows, lines.Err()
}

// earned reports whether a row can be the result of judging its design. If not, the design is judged again.
func (r *Row) earned() bool {
	if r.Chip == nil || r.Steps == 0 {
		return false
	}
	switch r.Verdict {
	case driver.Pass.String():
		return r.FailedVectors == 0 && r.ComparedBits > 0 && r.Reason == "" && r.FirstDifference == ""
	case driver.Weak.String():
		return r.FailedVectors == 0 && r.Reason != ""
	case driver.Fail.String(), notJudged:
		return r.FailedVectors > 0
	}
	return false
}

// continues returns an error unless a survey with the head now can take over results of one with the head h.
func (h *FileHead) continues(now *FileHead) error {
	err := cmp.Or(unequal("the bench", h.Bench, now.Bench), unequal("the chip", h.Transport, now.Transport),
		unequal("the list of conditions", h.Conditions, now.Conditions),
		unequal("the pack", h.PackDigest, now.PackDigest), unequal("--random", h.RandomSteps, now.RandomSteps),
		unequal("the use of the pack's vectors", h.Packed, now.Packed), unequal("--seed", h.Seed, now.Seed))
	switch {
	case err != nil:
		return fmt.Errorf("%w, so that it cannot be continued", err)
	case h.Explore == now.Explore:
		return nil
	case h.Explore == "":
		return errors.New("it was run without --explore: leave that out")
	}
	return fmt.Errorf("it was run with --explore --budget %s: give both", h.Explore)
}

func unequal(what string, was, is any) error {
	if was == is {
		return nil
	}
	return fmt.Errorf("%s was %q there and is %q here", what, fmt.Sprint(was), fmt.Sprint(is))
}
