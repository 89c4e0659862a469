package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/transport"
	"utfbench/transport/lab"
)

// recorded returns the recording of a run of one vector, unique for each seed, of slightly more than size bytes.
func recorded(t testing.TB, seed, size int) []byte {
	t.Helper()
	return recordedBy(t, report.Run{Version: "v1", Transport: "mock", Seed: uint64(seed), Started: time.Unix(1e9, 0),
		Identity: report.Identity{Revision: "tt09", Chip: report.Chip{Kind: "mock", Board: "bo\x1bard"}}}, size)
}

func recordedBy(t testing.TB, run report.Run, size int) []byte {
	t.Helper()
	var to bytes.Buffer
	w := report.NewWriter(&to, &golden.Suite{File: "s.vec", Text: strings.Repeat("x", size+1)})
	tally := &driver.Tally{}
	tally.Verdicts[driver.Pass] = 1
	tally.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{}, {Out: 1}})
	pass := &driver.Result{Vector: &golden.Vector{Name: "s/a"}, Iteration: 1, Verdict: driver.Pass}
	if err := errors.Join(w.Start(run), w.Result(pass), w.End(report.Outcome{Tally: tally})); err != nil {
		t.Fatal(err)
	}
	return to.Bytes()
}

func offer(text []byte) lab.Offer {
	sum := sha256.Sum256(text)
	return lab.Offer{Bench: "v1", SHA256: hex.EncodeToString(sum[:]), Recording: int64(len(text))}
}

func handIn(t *testing.T, c *lab.Conn, text []byte) (number int, had bool) {
	t.Helper()
	number, had, err := c.HandIn(t.Context(), offer(text), bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return number, had
}

// A run that was handed in is in the history with its vectors, recording and key, and all its texts are printable.
func TestHandIn(t *testing.T) {
	var o told
	cfg := config(t)
	cfg.Tell = o.tell
	s := start(t, cfg)
	_, conn := invite(t, s, "pi1")
	text := failing(t, driver.Fail, driver.Pass)
	vectors := `{"name":"s/a","verdict":"PASS","mismatch":"\u001b[2J` + strings.Repeat("m", maxWords) +
		`","failed":7,"runs":9}` + "\n" + `{"name":"s/b"}` + "\n"
	of := offer(text)
	of.Vectors = int64(len(vectors))
	number, had, err := conn.HandIn(t.Context(), of, strings.NewReader(string(text)+vectors))
	if number != 1 || had || err != nil {
		t.Fatal(number, had, err)
	}
	h := s.History()
	r, err := h.Get(1)
	if err != nil || r.By != "pi1" || r.Start.Seed != 1 || r.Start.Board != `bo\x1bard` || r.End.Verdict != "FLAKY" {
		t.Errorf("%+v, %v", r, err)
	}
	all, err := h.Vectors(1)
	if err != nil || len(all) != 1 || !strings.HasPrefix(all[0].Mismatch, `\x1b[2Jmmm`) ||
		len(all[0].Mismatch) > maxWords || all[0].Executions != 2 || all[0].Failed != 1 || all[0].Verdict != "FLAKY" {
		t.Errorf("%+v, %v", all, err)
	}
	if kept, err := os.ReadFile(h.Recording(1)); err != nil || !bytes.Equal(kept, text) {
		t.Errorf("%d bytes of the recording, %v", len(kept), err)
	}
	o.has(t, `pi1  run 1: FLAKY (no chip), on its own `)
	if number, had := handIn(t, conn, text); number != 1 || !had {
		t.Errorf("again it is %d, %t", number, had)
	}
	kept(t, s, 1)
}

// failing returns the recording of a run of one vector, once for each verdict.
func failing(t *testing.T, verdicts ...driver.Verdict) []byte {
	t.Helper()
	return edited(t, nil, verdicts...)
}

// edited returns such a recording with a changed end.
func edited(t *testing.T, change func(*driver.Tally), verdicts ...driver.Verdict) []byte {
	t.Helper()
	return editedAfter(t, nil, change, verdicts...)
}

func editedAfter(t *testing.T, wires *report.Wires, change func(*driver.Tally), verdicts ...driver.Verdict) []byte {
	t.Helper()
	var to bytes.Buffer
	vector := &golden.Vector{Name: "s/a"}
	w, tally, rep := report.NewWriter(&to), &driver.Tally{}, &driver.Repeat{Vector: vector}
	start := report.Run{Version: "v1", Transport: "mock", Seed: 1, Started: time.Unix(1e9, 0), Wires: wires,
		Identity: report.Identity{Revision: "tt09", Chip: report.Chip{Kind: "mock", Board: "bo\x1bard"}}}
	err := w.Start(start)
	for n, v := range verdicts {
		tally.Verdicts[v]++
		if rep.Executions++; v == driver.Fail {
			rep.Failed++
		}
		err = errors.Join(err, w.Result(&driver.Result{Vector: vector, Iteration: n + 1, Verdict: v}))
	}
	tally.Repeats = []*driver.Repeat{rep}
	if change != nil {
		change(tally)
	}
	if err := errors.Join(err, w.End(report.Outcome{Tally: tally})); err != nil {
		t.Fatal(err)
	}
	return to.Bytes()
}

// A recording whose end was edited to look better is rejected; one with edited counts is listed with the true counts.
func TestEditedEnd(t *testing.T) {
	s := start(t, config(t))
	_, conn := invite(t, s, "eve")
	pass := func(t *driver.Tally) {
		*t = driver.Tally{}
		t.Verdicts[driver.Pass] = 633
		t.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{}, {Out: 1}})
	}
	for words, verdicts := range map[string][]driver.Verdict{
		"its end states PASS, but its executions are FAIL":    {driver.Fail, driver.Fail},
		"its end states PASS, but its executions are FLAKY":   {driver.Pass, driver.Fail},
		"its end states PASS, but its executions are ERROR":   {driver.Error},
		"its end states PASS, but its executions are SKIPPED": {driver.Skipped},
	} {
		text := edited(t, pass, verdicts...)
		_, _, err := conn.HandIn(t.Context(), offer(text), bytes.NewReader(text))
		refused(t, err, words)
	}
	doubtful := editedAfter(t, &report.Wires{Why: "uo3 is stuck"}, pass, driver.Pass)
	_, _, err := conn.HandIn(t.Context(), offer(doubtful), bytes.NewReader(doubtful))
	refused(t, err, "its end states PASS, but the chip was wrong before the first vector")
	text := edited(t, pass, driver.Pass, driver.Pass)
	number, _ := handIn(t, conn, text)
	r, err := s.History().Get(number)
	if err != nil || r.End.Verdict != "PASS" || r.End.Counts["PASS"] != 2 || r.By != "eve" {
		t.Errorf("%+v %+v, %v", r, r.End, err)
	}
	kept(t, s, 1)
}

// Several keys hand in at once, some the same runs: each run is entered once.
func TestManyAtOnce(t *testing.T) {
	s := start(t, config(t))
	var group sync.WaitGroup
	for k := range 4 {
		_, conn := invite(t, s, fmt.Sprint("k", k))
		group.Go(func() {
			for n := range 6 {
				text := recorded(t, n, 2*lab.PartSize)
				if _, _, err := conn.HandIn(t.Context(), offer(text), bytes.NewReader(text)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	kept(t, s, 6)
}

// An upload that is not a bench's run is permanently rejected in one sentence and leaves nothing behind.
func TestUnfit(t *testing.T) {
	cfg := config(t)
	cfg.Quota = 1 << 20
	s := start(t, cfg)
	_, conn := invite(t, s, "pi1")
	long := report.Run{Identity: report.Identity{Chip: report.Chip{Board: strings.Repeat("b", 20<<10)}}}
	whole := recorded(t, 1, 0)
	for words, c := range map[string]struct{ text, vectors string }{
		"the upload is no recording: not a recording": {"no recording", ""},
		"the recording is incomplete: it is cut off":  {string(whole[:len(whole)-1]), ""},
		"of start and end, at most":                   {string(recordedBy(t, long, 0)), ""},
		"vector 1 of the run cannot be read":          {string(whole), "}\n"},
		"of the run has more than 262144 bytes":       {string(whole), strings.Repeat("x", 300<<10)},
		"the run has more than 30000 vectors":         {string(whole), strings.Repeat("{}\n", 30_001)},
		"the lab's quota is 1.0 MB":                   {strings.Repeat("x", 1<<20+1), ""},
	} {
		of := offer([]byte(c.text))
		of.Vectors = int64(len(c.vectors))
		_, _, err := conn.HandIn(t.Context(), of, strings.NewReader(c.text+c.vectors))
		refused(t, err, words)
		if !errors.As(err, new(*lab.UnfitError)) || strings.Contains(err.Error(), cfg.Data) {
			t.Errorf("%q", err)
		}
	}
	kept(t, s, 0)
}

// ask sends a request as a broken or hostile client may do.
func ask(t *testing.T, c *lab.Conn, verb, body string) (answer string, why error) {
	t.Helper()
	m, err := c.Request(t.Context(), lab.Server, "lab."+c.Invitation.Name+"."+verb, []byte(body))
	if err != nil {
		t.Fatal(verb, err)
	}
	if r := m.Header.Get("Refused"); r != "" {
		return "", errors.New(r)
	}
	return string(m.Data), nil
}

// Parts without or against an offer are rejected; repeated parts are accepted.
func TestHostileParts(t *testing.T) {
	cfg := config(t)
	cfg.Idle = 300 * time.Millisecond
	s := start(t, cfg)
	_, conn := invite(t, s, "pi1")
	_, other := invite(t, s, "pi2")
	text := recorded(t, 1, 1000)
	of := offer(text)
	of.Protocol = lab.Protocol
	for body, words := range map[string]string{
		"{": "invalid offer", "{}": "speaks version 0 of the lab's messages",
		`{"protocol":1,"sha256":"../../../../etc/passwd"}`:                           "no SHA-256",
		`{"protocol":1,"sha256":"` + of.SHA256 + `"}`:                                "says 0 bytes of a recording",
		`{"protocol":9,"sha256":"` + of.SHA256 + `","recording":1}`:                  "speaks version 9 of ",
		`{"protocol":1,"sha256":"` + strings.ToUpper(of.SHA256) + `","recording":1}`: "no SHA-256",
		`{"protocol":1,"sha256":"` + of.SHA256 + `","recording":1,"vectors":-1}`:     "and -1 of vectors",
	} {
		_, err := ask(t, conn, "run.offer", body)
		refused(t, err, words)
	}
	r, err := s.past.offer("pi1", asText(t, of))
	if err != nil || r.Has != 0 || r.ID == "" {
		t.Fatal(r, err)
	}
	part := "run.part." + r.ID
	for verb, body := range map[string]string{part + ".1": "x", part + ".-1": "x", part + ".x": "x", part + ".0": "",
		part + ".9223372036854775807": "x", part + ".00": strings.Repeat("x", lab.PartSize+1)} {
		_, err := ask(t, conn, verb, body)
		refused(t, err, "a part of ", "begin at byte 0")
	}
	_, err = ask(t, conn, part+".0", string(text)+"more")
	refused(t, err, "and end by byte "+fmt.Sprint(len(text)))
	for _, verb := range []string{part + ".0", "run.part.x.0", "run.part.*.0"} {
		c := conn
		if verb == part+".0" {
			c = other // which did not offer it
		}
		_, err := ask(t, c, verb, "x")
		refused(t, err, "no such run is being handed in")
	}
	for range 2 { // as after a lost reply
		if got, err := ask(t, conn, part+".0", string(text[:9])); !strings.Contains(got, `"has":9`) || err != nil {
			t.Error(got, err)
		}
	}
	_, err = ask(t, conn, part+".9", strings.Repeat("x", len(text)-9)) // bytes that were not offered
	if err != nil {
		t.Error(err)
	}
	soon(t, "a refusal", func() bool {
		_, err = ask(t, conn, "run.offer", string(asText(t, of)))
		return err != nil
	})
	refused(t, err, "SHA-256 mismatch")
	if r, err = s.past.offer("pi1", asText(t, of)); err != nil || r.Has != 0 {
		t.Error("it cannot be begun again: ", r, err)
	}
	soon(t, "nothing in the spool", func() bool {
		files, _ := os.ReadDir(spoolFolder(cfg.Data))
		return len(files) == 0
	})
	kept(t, s, 0)
}

func asText(t *testing.T, o lab.Offer) []byte { return text(t, o) }

// A key has a limited number of concurrent uploads, which does not affect other keys.
func TestMostUnderWay(t *testing.T) {
	cfg := config(t)
	cfg.Quota = 1 << 20
	s := start(t, cfg)
	of := lab.Offer{Protocol: lab.Protocol, Recording: 1 << 20}
	for n := range maxUnderWay + 1 {
		of.SHA256 = fmt.Sprintf("%064x", n)
		r, err := s.past.offer("pi1", asText(t, of))
		if err != nil {
			t.Fatal(err)
		}
		if busy := strings.HasPrefix(r.Busy, "8 uploads of the key pi1 are in progress"); busy != (n == maxUnderWay) {
			t.Errorf("upload %d: %+v", n, r)
		}
	}
	if _, err := s.past.offer("pi2", asText(t, of)); err != nil {
		t.Error(err)
	}
	s.past.spool.quota = 0
	full := s.past.spool.all[0]
	full.has = maxVectors
	_, err := s.past.spool.part("pi1", full.id, maxVectors, []byte("x"))
	refused(t, err, "it has to have 1 to ")
	full.offer.Vectors = maxVectors
	_, err = s.past.spool.part("pi1", full.id, maxVectors, []byte("x"))
	refused(t, err, "uploads of 67 MB are in progress, and the lab has no room for more")
}

// A client's vectors become printable and short.
func FuzzVectors(f *testing.F) {
	f.Add([]byte(`{"name":"s/a","verdict":"FAIL","mismatch":"\u001b[2J","failed":1,"runs":2}` + "\n{}\n"))
	f.Add([]byte("{\"name\":\"\xff\",\"failed\":1e99}\n"))
	f.Add([]byte("[]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := readVectors(bytes.NewReader(text))
		if err != nil {
			refused(t, err, "the run")
			return
		}
		for _, v := range all {
			if len(v.Name) > maxVectorName || len(v.Verdict) > maxWord || len(v.Mismatch) > maxWords ||
				printable.Text(v.Name+v.Verdict+v.Mismatch) != v.Name+v.Verdict+v.Mismatch {
				t.Errorf("%+v", v)
			}
		}
	})
}
