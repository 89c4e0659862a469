package report

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/transport"
)

// magic begins every recording. It is followed by one byte, the version of the format.
const magic = "utfbench recording\n"

const version = 3

// kinds of blocks
const (
	kindStart      = 'S' // report.Start as JSON; the first block
	kindText       = 'V' // a suite before the executions: its file name, a NUL, its text
	kindExecutions = 'P' // number of executions (4 bytes, little-endian) and the compressed executions
	kindEnd        = 'E' // a seal as JSON; the last block, which is missing if the bench died
)

// A seal ends a recording. Its count and its digest reveal a block that is missing, repeated or moved.
type seal struct {
	Executions int    `json:"executions"`
	SHA256     string `json:"sha256"`           // of all bytes before this block, in hex
	Pruned     bool   `json:"pruned,omitempty"` // the blocks between the start and the end were removed
	End        End    `json:"end"`
}

// countSize is the size of the count before compressed executions, in bytes.
const countSize = 4

// blockSize is the uncompressed size in bytes at which a block is written: 25,000 steps. A dying bench loses only one.
const blockSize = 1 << 18

// limits for reading, far above the sizes that a Writer writes
const (
	maxExecutions = 24 << 20 // bytes of executions in a block before compression: blockSize and one more execution
	maxBlocks     = 1 << 20
	maxNumber     = 1 << 30
	maxName       = 1 << 10 // bytes in the name of a vector
	maxReason     = 1 << 16
)

// maxPayload is the maximum payload of a block in bytes, by its kind.
var maxPayload = map[byte]int64{
	kindStart:      1 << 20,
	kindText:       golden.MaxText,
	kindExecutions: maxExecutions + maxExecutions>>8, // incompressible data grows
	kindEnd:        2 << 20,
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A block has a kind, the length of its payload, the payload, and their checksum: 1, 4, n and 4 bytes, little-endian.
const (
	blockHead = 5
	blockTail = 4
)

func appendBlock(to []byte, kind byte, payload []byte) []byte {
	at := len(to)
	to = append(to, kind)
	to = binary.LittleEndian.AppendUint32(to, uint32(len(payload)))
	to = append(to, payload...)
	return binary.LittleEndian.AppendUint32(to, crc32.Checksum(to[at:], castagnoli))
}

// An Execution is one vector in one iteration.
type Execution struct {
	Vector    string // name of the vector
	Iteration int    // from 1
	Verdict   driver.Verdict
	Reason    string // why it was SKIPPED, ABORTED, WIRING or ERROR
	Steps     []transport.Step
	Got       []transport.Sample // shorter than Steps if the transport failed
}

// append appends an execution, column by column, since columns compress better than rows.
func (e *Execution) append(to []byte) []byte {
	to = appendText(to, e.Vector)
	to = binary.AppendUvarint(to, uint64(e.Iteration))
	to = append(to, e.Verdict.Row().Letter)
	to = appendText(to, e.Reason[:min(len(e.Reason), maxReason)])
	to = binary.AppendUvarint(to, uint64(len(e.Steps)))
	to = binary.AppendUvarint(to, uint64(len(e.Got)))
	to = appendColumns(to, e.Steps, stepColumns[:])
	return appendColumns(to, e.Got, sampleColumns[:])
}

func appendText(to []byte, s string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}

// A column reads and writes one byte of a row.
type column[Row any] struct {
	get func(*Row) byte
	set func(*Row, byte)
}

var stepColumns = [...]column[transport.Step]{
	{func(s *transport.Step) byte { return s.In }, func(s *transport.Step, b byte) { s.In = b }},
	{func(s *transport.Step) byte { return s.IO }, func(s *transport.Step, b byte) { s.IO = b }},
	{func(s *transport.Step) byte { return s.Drive }, func(s *transport.Step, b byte) { s.Drive = b }},
	{func(s *transport.Step) byte { return s.Clocks }, func(s *transport.Step, b byte) { s.Clocks = b }},
	{(*transport.Step).Flags, (*transport.Step).SetFlags},
}

var sampleColumns = [...]column[transport.Sample]{
	{func(s *transport.Sample) byte { return s.Out }, func(s *transport.Sample, b byte) { s.Out = b }},
	{func(s *transport.Sample) byte { return s.OutX }, func(s *transport.Sample, b byte) { s.OutX = b }},
	{func(s *transport.Sample) byte { return s.IO }, func(s *transport.Sample, b byte) { s.IO = b }},
	{func(s *transport.Sample) byte { return s.IOX }, func(s *transport.Sample, b byte) { s.IOX = b }},
}

func appendColumns[Row any](to []byte, rows []Row, columns []column[Row]) []byte {
	for _, c := range columns {
		for i := range rows {
			to = append(to, c.get(&rows[i]))
		}
	}
	return to
}

var errExecution = failure.Usagef("it has an invalid execution")

// read decodes the execution at the beginning of b, and returns the rest. It reuses the slices of e.
func (e *Execution) read(b []byte) ([]byte, error) {
	r := reader{rest: b}
	e.Vector = r.text(maxName)
	e.Iteration = int(r.number())
	letter := r.take(1)
	e.Reason = r.text(maxReason)
	steps, got := r.number(), r.number()
	if r.bad || got > steps || steps*uint64(len(stepColumns))+got*uint64(len(sampleColumns)) > uint64(len(r.rest)) {
		return nil, errExecution
	}
	e.Steps = readColumns(&r, e.Steps, int(steps), stepColumns[:])
	e.Got = readColumns(&r, e.Got, int(got), sampleColumns[:])
	for v, row := range driver.Verdicts {
		if row.Letter == letter[0] && row.Letter != 0 {
			e.Verdict = driver.Verdict(v)
			return r.rest, nil
		}
	}
	return nil, failure.Usagef("%w: verdict %q", errExecution, letter)
}

func readColumns[Row any](r *reader, rows []Row, n int, columns []column[Row]) []Row {
	rows = slices.Grow(rows[:0], n)[:n]
	for _, c := range columns {
		for i, b := range r.take(n) {
			c.set(&rows[i], b)
		}
	}
	return rows
}

// A reader consumes rest from its beginning until an error.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.rest) || n < 0 {
		r.bad, r.rest = true, nil
		return make([]byte, min(n, 1))
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > maxNumber {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) text(limit uint64) string {
	n := r.number()
	if n > limit {
		r.bad, r.rest = true, nil
		return ""
	}
	return string(r.take(int(n)))
}
