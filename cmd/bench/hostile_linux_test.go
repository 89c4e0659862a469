package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/golden"
	"utfbench/internal/files"
)

const suiteHead = "suite own\ndocument a.md\nsection \"s\"\n"

// recordingOf returns a recording with correct checksums, so that readers process its blocks.
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

func executionOf(name string, steps int) []byte {
	b := append(binary.AppendUvarint(nil, uint64(len(name))), name...)
	b = append(binary.AppendUvarint(b, 1), 'F', 0)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(steps)), uint64(steps))
	return append(b, make([]byte, 9*steps)...)
}

// bombs returns blocks of one execution each: 3.6 MB of zeros, packed into some 4 KB.
func bombs() (blocks [][]byte) {
	blocks = [][]byte{startBlock}
	for n := range 40 {
		blocks = append(blocks, block('P', packed(executionOf(fmt.Sprintf("chip/%d", n), 400_000))))
	}
	return blocks
}

// manyNames returns blocks of executions whose vectors have different long names.
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

// fill returns begin followed by repetitions of unit, in at most limit bytes.
func fill(begin, unit string, limit int64) string {
	return begin + strings.Repeat(unit, (int(limit)-len(begin))/len(unit))
}

// hostile maps the names of hostile files to functions that return their contents.
var hostile = map[string]func() string{
	"brackets.yaml": func() string { return strings.Repeat("[", 40_000) },
	"deep.yaml":     func() string { return fill("", "- - [", files.BoardFile.Limit) },
	"closing.yaml":  func() string { return fill("", "]", files.BoardFile.Limit) },
	"maps.yaml":     func() string { return fill("name: x\npins:\n  ", "{}", files.BoardFile.Limit) },
	"anchors.yaml":  func() string { return fill("a: &a [", "&a [*a, ", files.BoardFile.Limit) },

	"rows.vec":    manyRows,
	"rewinds.vec": func() string { return fill(openVector, "  rewind\n", files.VectorFile.Limit) },
	"long.vec":    func() string { return fill(openVector+"  write utf8 41", " 41", files.VectorFile.Limit) },
	"many.vec":    manyVectors,
	"reads.vec":   func() string { return suiteOf("  read utf8 41\n", files.VectorFile.Limit) },

	"claims.rec": func() string { return recordingOf(startBlock, []byte("P\x00\x00\x00\x40"), make([]byte, 1<<20)) },
	"bombs.rec":  func() string { return recordingOf(bombs()...) },
	"bomb.rec":   func() string { return recordingOf(startBlock, block('P', packed(make([]byte, 64<<20)))) },
	"names.rec":  func() string { return recordingOf(manyNames()...) },
	"end.rec": func() string {
		return recordingOf(startBlock, block('E', []byte(fill(`{"event":"end","flaky":[{}`, ",{}", 2<<20-4)+"]}")))
	},
	"text.rec": func() string {
		return recordingOf(startBlock, block('V', fmt.Appendf(nil, "[\"a.vec\",%q]", manyRows())))
	},
	"tiny.rec": func() string { return recordingOf(startBlock, bytes.Repeat(block('P', nil), 1<<20+1)) },
	"escaped.rec": func() string {
		return recordingOf(startBlock, block('V', escaped(suiteOf("  write utf8 41\n", 45<<20))),
			block('P', packed(executionOf("own/v0", 2000))))
	},
	"steps.rec": func() string {
		return recordingOf(startBlock, block('V', fmt.Appendf(nil, "[\"a.vec\",%q]", suiteOf("  rewind\n", 45<<20))),
			block('P', packed(executionOf("own/v0", 2000))))
	},

	"a.sweep": func() string { return fill("", "{}\n", files.Sweep.Limit) },
	"b.sweep": func() string { return fill(`{"schema":1,"space":"ops","blocks":[{}`, ",{}", files.Sweep.Limit) },
}

const (
	openVector = suiteHead + "vector one \"r\"\n  status READY\n"
)

// manyRows returns a table of vectors of about the maximum size of a file.
func manyRows() string {
	head := suiteHead + "table t\n| name | utf32 | utf16 | utf8 | status | props | unicode |\n"
	var named strings.Builder
	for n := 0; int64(named.Len()) < files.VectorFile.Limit-int64(len(head))-100; n++ {
		fmt.Fprintf(&named, "|%d|41|41|41|READY|NORMAL|well-formed|\n", n)
	}
	return head + named.String()
}

// makeHostile writes into a folder the hostile files that the commands name.
func makeHostile(t *testing.T, dir string, commands []string) {
	t.Helper()
	words := strings.Fields(strings.Join(commands, " "))
	for name, text := range hostile {
		if !slices.Contains(words, name) {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	big, err := os.Create(filepath.Join(dir, "big")) // a sparse file
	if err == nil {
		err = big.Truncate(80 << 30)
	}
	if err != nil {
		t.Fatal(err)
	}
	big.Close()
}

// suiteOf returns a suite of about limit bytes, whose vectors repeat one operation.
func suiteOf(operation string, limit int64) string {
	var b strings.Builder
	b.WriteString(suiteHead)
	many := strings.Repeat(operation, 2000)
	for n := 0; int64(b.Len()+len(many)) < limit-100; n++ {
		fmt.Fprintf(&b, "vector v%d \"r\"\n  status READY\n%s", n, many)
	}
	return b.String()
}

// escaped returns the payload of a text block in which JSON takes six bytes for each byte of the suite.
func escaped(suite string) []byte {
	text := make([]byte, 0, 6*len(suite)+16)
	text = append(text, `["a.vec","`...)
	for i := range len(suite) {
		text = fmt.Appendf(text, `\u%04x`, suite[i])
	}
	return append(text, `"]`...)
}

// manyVectors returns a suite with the maximum number of vectors, each with two operations.
func manyVectors() string {
	var b strings.Builder
	b.WriteString(suiteHead)
	for n := range golden.MaxVectors {
		fmt.Fprintf(&b, "vector v%d \"r\"\n  write utf8 41\n  status READY READY\n", n)
	}
	return strings.ReplaceAll(b.String(), "READY READY", "READY")
}
