package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/lab/host"
	"utfbench/station"
	"utfbench/transport/lab"
)

// A network passes what a bench and its lab say on, with a trouble on the first connection.
type network struct {
	at    string // HOST:PORT
	lab   string // likewise
	ways  [2]*testkit.Trouble
	bytes [2]atomic.Int64 // to the lab, and back
	begun atomic.Int64    // connections
}

// newNetwork listens until the test ends.
func newNetwork(t *testing.T, lab string, way int, trouble *testkit.Trouble) *network {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	n := &network{at: l.Addr().String(), lab: lab}
	n.ways[way] = trouble
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go n.pass(c)
		}
	}()
	return n
}

// pass serves one connection until either end closes it.
func (n *network) pass(user net.Conn) {
	defer user.Close()
	server, err := net.Dial("tcp", n.lab)
	if err != nil {
		return
	}
	defer server.Close()
	var ways [2]*testkit.Trouble
	if n.begun.Add(1) == 1 {
		ways = n.ways
	}
	done := make(chan struct{}, 2)
	for way, ends := range [2][2]net.Conn{{server, user}, {user, server}} {
		go func() { n.copy(way, ends[0], ends[1], ways[way]); done <- struct{}{} }()
	}
	<-done
}

func (n *network) copy(way int, to io.Writer, from io.Reader, trouble *testkit.Trouble) {
	buf := make([]byte, 4096)
	for {
		got, err := from.Read(buf)
		piece := buf[:got]
		n.bytes[way].Add(int64(got))
		if trouble != nil {
			var cut error
			if piece, cut = trouble.Pass(piece); cut != nil {
				return
			}
		}
		if _, werr := to.Write(piece); err != nil || werr != nil {
			return
		}
	}
}

// invited writes an invitation to a lab that is reached at another address.
func invited(t *testing.T, invite, at string) (path string) {
	t.Helper()
	inv := testkit.Must(lab.ReadInvitation(invite))(t)
	inv.Lab = "tls://" + at
	path = filepath.Join(t.TempDir(), "invite")
	if err := os.WriteFile(path, inv.Text(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// troubledLab offers so many boards with a good chip, and as many with a wrong one.
func troubledLab(t *testing.T, count int) (invite, at string) {
	t.Helper()
	var offers []host.Offer
	for i := range count {
		good, wrong := station.New("mock"), station.New("mock")
		wrong.Faults = []string{"uo3=stuck1"}
		offers = append(offers, host.Offer{Name: fmt.Sprint("good", i), Target: good},
			host.Offer{Name: fmt.Sprint("wrong", i), Target: wrong})
	}
	_, _, invite = offered(t, offers)
	inv := testkit.Must(lab.ReadInvitation(invite))(t)
	return invite, strings.TrimPrefix(inv.Lab, "tls://")
}

// askOver runs a suite on a board of the lab over a network.
func askOver(t *testing.T, invite, board string, n *network) (code int, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var out bytes.Buffer
	code = run(ctx, []string{"run", "-t", "lab:" + board, "--invite", invited(t, invite, n.at), "--suite", "guide",
		"--no-history"}, strings.NewReader(""), &out, &out)
	return code, out.String()
}

// lastVerdict finds the verdict of a run, and not that of a vector.
var lastVerdict = regexp.MustCompile(`(?m)^(PASS|FAIL|WEAK|WIRING|FLAKY)  [^ ]`)

// misjudged reports whether a run is neither as it would have been without trouble, with the exit code right, nor the
// bench's ERROR. A good chip has no vector that is FAIL either.
func misjudged(code, right int, said string) bool {
	if right == exitPass && strings.Contains("\n"+said, "\nFAIL    ") {
		return true
	}
	return code != right && code != exitBench || code == exitBench && lastVerdict.MatchString(said)
}

// Whatever happens to some bytes between a bench and its lab, a good chip is PASS or the bench's ERROR, and a wrong one
// FAIL or the bench's ERROR.
func TestTroublesOfLab(t *testing.T) {
	t.Parallel()
	count := testkit.Pick(8, 300)
	invite, at := troubledLab(t, count)
	whole := newNetwork(t, at, 0, nil)
	if code, said := askOver(t, invite, "good0", whole); code != exitPass {
		t.Fatalf("exit code %d, and it says\n%s", code, said)
	}
	var mu sync.Mutex
	ends := map[string]int{}
	var running sync.WaitGroup
	slots := make(chan struct{}, 12) // most of the time they wait
	for i := range count {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			random := rand.New(rand.NewPCG(uint64(i), 35))
			way, chip, right := random.IntN(2), "good", exitPass
			if random.IntN(2) == 0 {
				chip, right = "wrong", exitFail
			}
			met := testkit.NewTrouble(random, whole.bytes[way].Load(), 5*time.Second)
			code, said := askOver(t, invite, fmt.Sprint(chip, i), newNetwork(t, at, way, met))
			if misjudged(code, right, said) {
				t.Errorf("%s chip, seed %d, way %d, %s: exit code %d, and it says\n%s", chip, i, way, met, code, said)
			}
			mu.Lock()
			defer mu.Unlock()
			ends[fmt.Sprintf("a %s chip, %s: exit code %d", chip, met.What, code)]++
		})
	}
	running.Wait()
	for _, end := range slices.Sorted(maps.Keys(ends)) {
		t.Logf("%6d %s", ends[end], end)
	}
}

// mortal is a simulator that is killed some time after its start.
const mortal = `#!/bin/sh
%s "$@" &
simulator=$!
(exec 3<&- 4>&- >/dev/null 2>&1; sleep "$SIMULATOR_LIVES"; kill -9 $simulator) &
exec 3<&- 4>&-
wait $simulator
code=$?
kill $!
exit $code
`

// A simulator that is killed at any moment is the bench's ERROR, of a good design and of a wrong one.
func TestKilledSimulator(t *testing.T) {
	simulator, err := exec.LookPath("vvp")
	if err != nil {
		t.Skip("Icarus Verilog is not installed: sudo apt-get install iverilog")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "vvp"), fmt.Appendf(nil, mortal, simulator), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	sources := map[int]string{}
	for right, change := range map[int][2]string{exitPass: {}, exitFail: {"uo_out  = {", "uo_out  = 8'h08 ^ {"}} {
		_, sources[right] = aDesign(t)
		file := strings.TrimPrefix(strings.Split(sources[right], ",")[0], "verilog:")
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, []byte(strings.Replace(string(text), change[0], change[1], 1)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SIMULATOR_LIVES", "30")
	began := time.Now()
	for right, design := range sources {
		if code, said := guideIn(t, design); code != right {
			t.Fatalf("exit code %d; want %d, and it says\n%s", code, right, said)
		}
	}
	took := time.Since(began) / 2
	ends := map[string]int{}
	for i := range testkit.Pick(4, 50) {
		random := rand.New(rand.NewPCG(uint64(i), 36))
		t.Setenv("SIMULATOR_LIVES", fmt.Sprintf("%.4f", took.Seconds()*random.Float64()))
		right := []int{exitPass, exitFail}[i%2]
		code, said := guideIn(t, sources[right])
		if misjudged(code, right, said) {
			t.Errorf("run %d, a simulator that lives %ss: exit code %d; want %d or %d, and it says\n%s", i,
				os.Getenv("SIMULATOR_LIVES"), code, right, exitBench, said)
		}
		ends[fmt.Sprintf("right is %d: exit code %d", right, code)]++
	}
	t.Log(ends)
}

func guideIn(t *testing.T, design string) (code int, said string) {
	t.Helper()
	return bench(t, "run", "-t", design, "--simulator", "icarus", "--suite", "guide", "--no-history")
}
