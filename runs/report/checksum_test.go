package report

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"testing"
)

// The checksum of a block is CRC-32C, as docs/formats.md says, so that other releases and programs can read it. The
// examples are from RFC 3720, appendix B.4.
func TestChecksumIsCRC32C(t *testing.T) {
	ascending := make([]byte, 32)
	for i := range ascending {
		ascending[i] = byte(i)
	}
	for _, c := range []struct {
		of   []byte
		want string // in the file's byte order
	}{
		{make([]byte, 32), "aa36918a"},
		{bytes.Repeat([]byte{0xFF}, 32), "43aba862"},
		{ascending, "4e79dd46"},
	} {
		sum := binary.LittleEndian.AppendUint32(nil, crc32.Checksum(c.of, castagnoli))
		if got := hex.EncodeToString(sum); got != c.want {
			t.Errorf("% X has the check sum %s, want %s", c.of, got, c.want)
		}
	}
}
