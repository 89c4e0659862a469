package main

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/internal/testkit"
)

// weighed runs the command; with BENCH_PEAK=FILE it writes to that file how much memory the process had at most, in
// KiB. What its parent is told of that counts the parent's own memory too.
func weighed(command func()) {
	peak := os.Getenv("BENCH_PEAK")
	if peak == "" {
		command()
		return // a guard's main does
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		err = os.WriteFile(peak, regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status)[1], 0o600)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(code)
}

// mostMemory is what docs/reliability.md promises of any input.
const mostMemory = 512 << 20

// weigh runs a command as a process of its own, in a folder, and gives its exit code, what it said, and its peak of
// memory.
func weigh(t *testing.T, dir string, in io.Reader, args ...string) (code int, said string, peak int64) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "peak")
	var out bytes.Buffer
	cmd := exec.Command(self, args...)
	cmd.Args[0], cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = "bench", dir, in, &out, &out
	cmd.Env = append(os.Environ(), "BENCH_PEAK="+file, "BENCH_DB="+filepath.Join(dir, "history.db"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	_ = cmd.Run() // the exit code tells
	kib, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%q died: %v, %s", args, cmd.ProcessState, &out)
	}
	peak, err = strconv.ParseInt(string(kib), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), peak << 10
}

const suiteHead = "suite own\ndocument a.md\nsection \"s\"\n"

// A recordingOf blocks has right check sums, so that what is in the blocks is looked at.
func recordingOf(blocks ...[]byte) string {
	return "utfbench recording\n\x01" + string(bytes.Join(blocks, nil))
}

func block(kind byte, payload []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
	b = append(b, payload...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

var startBlock = block('S', []byte(
	`{"event":"start","schema":1,"transport":"mock:tt09","board":"mock","revision":"tt09","count":1,`+
		`"time":"2026-01-01T00:00:00Z"}`))

func packed(executions []byte) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = w.Write(executions)
	_ = w.Close()
	return b.Bytes()
}

// executionOf is an execution that is FAIL, of steps that are all 0.
func executionOf(name string, steps int) []byte {
	b := append(binary.AppendUvarint(nil, uint64(len(name))), name...)
	b = append(binary.AppendUvarint(b, 1), 'F', 0)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(steps)), uint64(steps))
	return append(b, make([]byte, 9*steps)...)
}

// bombs are blocks of executions: 16 MB of them are 60 KB in the file.
func bombs() (blocks [][]byte) {
	blocks = [][]byte{startBlock}
	for n := range 40 {
		blocks = append(blocks, block('P', packed(executionOf(fmt.Sprintf("chip/%d", n), 400_000))))
	}
	return blocks
}

// manyNames are executions of ever other vectors, with long names.
func manyNames() (blocks [][]byte) {
	blocks = [][]byte{startBlock}
	for n := range 30 {
		var executions []byte
		for m := range 4000 {
			executions = append(executions, executionOf(fmt.Sprintf("chip/%0900d", n*4000+m), 1)...)
		}
		blocks = append(blocks, block('P', packed(executions)))
	}
	return blocks
}

// fill repeats a unit up to just below a limit, after a beginning.
func fill(begin, unit string, limit int64) string {
	return begin + strings.Repeat(unit, (int(limit)-len(begin))/len(unit))
}

func hostile() map[string]string {
	rows := suiteHead + "table t\n| name | utf32 | utf16 | utf8 | status | props | unicode |\n"
	var named strings.Builder
	for n := 0; int64(named.Len()) < files.VectorFile.Limit-int64(len(rows))-100; n++ {
		fmt.Fprintf(&named, "|%d|41|41|41|READY|NORMAL|well-formed|\n", n)
	}
	var stream strings.Builder
	stream.WriteString(`{"event":"start","schema":1}` + "\n")
	for n := range 1_000_000 {
		fmt.Fprintf(&stream, `{"event":"vector","name":"%d","verdict":"PASS"}`+"\n", n)
	}
	csv := "x,x_ns,x_took_ns,y,y_ns,y_took_ns,verdict,vectors,failed,trouble\n"
	end := fill(`{"event":"end","flaky":[{}`, ",{}", 2<<20-4) + "]}"
	vector := suiteHead + "vector one \"r\"\n  status READY\n"
	return map[string]string{
		"brackets.yaml": strings.Repeat("[", 40_000), "deep.yaml": fill("", "- - [", files.BoardFile.Limit),
		"closing.yaml": fill("", "]", files.BoardFile.Limit),
		"maps.yaml":    fill("name: x\npins:\n  ", "{}", files.BoardFile.Limit), "anchors.yaml": fill("a: &a [",
			"&a [*a, ", files.BoardFile.Limit),
		"rows.vec": rows + named.String(), "rewinds.vec": fill(vector, "  rewind\n", files.VectorFile.Limit),
		"long.vec": fill(vector+"  write utf8 41", " 41", files.VectorFile.Limit), "many.vec": manyVectors(),
		"names.json": stream.String(), "line.json": `{"event":"start","schema":1}` + "\n" +
			strings.Repeat(`{"event":"vector",`, 1<<20),
		"claims.rec": recordingOf(startBlock, []byte("P\x00\x00\x00\x40"), make([]byte, 1<<20)),
		"bombs.rec":  recordingOf(bombs()...),
		"bomb.rec":   recordingOf(startBlock, block('P', packed(make([]byte, 64<<20)))),
		"names.rec":  recordingOf(manyNames()...),
		"end.rec":    recordingOf(startBlock, block('E', []byte(end))),
		"text.rec":   recordingOf(startBlock, block('V', fmt.Appendf(nil, "[\"a.vec\",%q]", rows+named.String()))),
		"tiny.rec":   recordingOf(startBlock, bytes.Repeat(block('P', nil), 1<<20+1)),
		"escaped.rec": recordingOf(startBlock, block('V', escaped(suiteOf("  write utf8 41\n", 45<<20))),
			block('P', packed(executionOf("own/v0", 2000)))),
		"steps.rec": recordingOf(startBlock, block('V', fmt.Appendf(nil, "[\"a.vec\",%q]",
			suiteOf("  rewind\n", 45<<20))), block('P', packed(executionOf("own/v0", 2000)))),
		"reads.vec": suiteOf("  read utf8 41\n", files.VectorFile.Limit),
		"a.cert":    fill("", "{}\n", files.Certificate.Limit), "b.cert": fill(`{"event":"sweep","made":[{}`, ",{}",
			files.Certificate.Limit),
		"sweep.state": fill("", "00000000 {}\n", files.SweepState.Limit), "long.state": fill("", "x",
			files.SweepState.Limit),
		"cells.csv": fill(csv, "p,1,1,,0,0,PASS,1,0,\n", files.Shmoo.Limit), "times.csv": fill(csv, ",",
			files.Shmoo.Limit),
		"noise.db": strings.Repeat("noise", 4<<20),
	}
}

// suiteOf is a suite of vectors of one operation, many times, of about so many bytes.
func suiteOf(operation string, limit int64) string {
	var b strings.Builder
	b.WriteString(suiteHead)
	many := strings.Repeat(operation, 2000)
	for n := 0; int64(b.Len()+len(many)) < limit-100; n++ {
		fmt.Fprintf(&b, "vector v%d \"r\"\n  status READY\n%s", n, many)
	}
	return b.String()
}

// escaped is the payload of a text block in which JSON has six bytes for one.
func escaped(suite string) []byte {
	text := make([]byte, 0, 6*len(suite)+16)
	text = append(text, `["a.vec","`...)
	for i := range len(suite) {
		text = fmt.Appendf(text, `\u%04x`, suite[i])
	}
	return append(text, `"]`...)
}

// manyVectors is as many vectors as there may be, each of two operations.
func manyVectors() string {
	var b strings.Builder
	b.WriteString(suiteHead)
	for n := range golden.MostVectors {
		fmt.Fprintf(&b, "vector v%d \"r\"\n  write utf8 41\n  status READY READY\n", n)
	}
	return strings.ReplaceAll(b.String(), "READY READY", "READY")
}

// Whatever is in a file, no command takes more memory than is promised, and none panics. A release tries them all.
func TestMemoryOfHostileInput(t *testing.T) {
	dir := t.TempDir()
	for name, text := range hostile() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	big, err := os.Create(filepath.Join(dir, "big")) // it has no blocks on the disk
	if err == nil {
		err = big.Truncate(80 << 30)
	}
	if err != nil {
		t.Fatal(err)
	}
	big.Close()
	all := commandsOnHostileInput()
	for i := 0; i < len(all); i += testkit.Pick(5, 1) {
		c := all[i]
		t.Run(c, func(t *testing.T) {
			code, said, peak := weigh(t, dir, io.LimitReader(zeros{}, 50<<20), strings.Fields(c)...)
			if len(said) > 300 {
				said = said[:150] + " ... " + said[len(said)-150:]
			}
			t.Logf("%d MiB, exit code %d: %s", peak>>20, code, said)
			if peak > mostMemory {
				t.Errorf("it took %d MiB, and %d are promised", peak>>20, mostMemory>>20)
			}
			if strings.Contains(said, "panic") || strings.Contains(said, "goroutine ") {
				t.Error("it panicked")
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func commandsOnHostileInput() (all []string) {
	for _, file := range []string{"brackets.yaml", "deep.yaml", "closing.yaml", "maps.yaml", "anchors.yaml"} {
		all = append(all, "board check "+file)
	}
	for _, file := range []string{"rows.vec", "reads.vec", "rewinds.vec", "long.vec", "many.vec", "big"} {
		all = append(all, "run --no-history --file "+file, "list --vectors --file "+file)
	}
	all = append(all, "run --fault uo3=stuck1 --count 2 --file many.vec --json j.json --junit j.xml --html "+
		"j.html --record j.rec", "diff j.rec j.rec", "report j.rec --out j2.html")
	for _, file := range []string{"names.json", "line.json", "big"} {
		all = append(all, "run --no-history --resume "+file)
	}
	for _, file := range []string{"claims.rec", "bombs.rec", "bomb.rec", "names.rec", "end.rec", "text.rec",
		"tiny.rec", "escaped.rec", "steps.rec", "big"} {
		all = append(all, "run -t replay:"+file, "report --out r.html "+file, "diff bombs.rec "+file,
			"minimise --timeout 1s "+file, "bundle --out b.zip "+file)
	}
	all = append(all, "diagnose bombs.rec", "diagnose names.rec", "diff names.rec names.rec",
		"diff escaped.rec escaped.rec", "diff steps.rec steps.rec", "diff text.rec text.rec", "diagnose steps.rec",
		"export --verilog e.v --csv e.csv names.rec", "export --verilog e.v --csv e.csv --file many.vec")
	for _, file := range []string{"a.cert", "b.cert", "big"} {
		all = append(all, "sweep verify "+file, "sweep compare "+file+" "+file, "sweep merge x.cert "+file)
	}
	return append(all, "sweep --space ops --depth 1 --state sweep.state",
		"sweep --space ops --depth 1 --state long.state", "sweep --space ops --state big",
		"report bombs.rec --out s.html --shmoo cells.csv", "report bombs.rec --out s.html --shmoo times.csv",
		"history --db noise.db", "step",
		"sweep --space ops --depth 1 -j 100000000", "sweep --space ops --depth 3 -j 256", "run --no-history --count "+
			"30 --junit many.xml --fault uo3=stuck1",
		"run --suite man7 --fault uo3=flip:0.01 --count 10 --html f.html --json f.json",
		"shmoo -x pulse=1ns..1us/100 -y settle=0..1us/100 --count 1 --run ^chip/bmp/0000007E/utf8-be")
}
