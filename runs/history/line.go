package history

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// mostLine limits a line, in bytes; a bench writes some thousand.
const mostLine = 64 << 10

// mark begins a line; the checksum covers all that follows it.
const mark = `{"crc":"`

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal returns a line for a value that is a JSON object with fields.
func seal(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	switch {
	case err != nil:
		return nil, err
	case len(text) > mostLine-32:
		return nil, fmt.Errorf("it has %d bytes as JSON, at most %d are allowed", len(text), mostLine-32)
	}
	rest := append([]byte(`",`), text[1:]...)
	sum := checksum(rest)
	return slices.Concat([]byte(mark), sum[:], rest, []byte("\n")), nil
}

// checksum returns the CRC-32C of the rest of a line, in hex.
func checksum(rest []byte) (text [8]byte) {
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], crc32.Checksum(rest, castagnoli))
	hex.Encode(text[:], sum[:])
	return text
}

// sound returns the sealed object of a line without the newline, even behind half a line, or nil.
func sound(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if isSound(line) {
		return line
	}
	if at := bytes.LastIndex(line, []byte(mark)); at > 0 && isSound(line[at:]) {
		return line[at:]
	}
	return nil
}

func isSound(line []byte) bool {
	rest, is := bytes.CutPrefix(line, []byte(mark))
	return is && len(rest) >= 8 && [8]byte(rest) == checksum(rest[8:])
}

// eachLine calls do with complete lines and their length. It passes an overlong line as empty.
func eachLine(r io.Reader, do func(line []byte, bytes int)) error {
	lines := bufio.NewReaderSize(r, mostLine)
	for {
		line, err := lines.ReadSlice('\n')
		bytes := len(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			var more []byte
			more, err = lines.ReadSlice('\n')
			line, bytes = nil, bytes+len(more)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		do(line, bytes)
	}
}
