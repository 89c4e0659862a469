package history

import "testing"

// The head of a line ends before the first long field, wherever that is.
func TestCutHead(t *testing.T) {
	const crc = `{"crc":"8a0f5fb1"`
	for _, c := range []struct {
		head, rest   string
		begun, ended bool
	}{
		{`,"run":12`, `,"start":{"event":"start"}}`, true, false},
		{`,"run":12`, `,"end":{"event":"end"},"start":{"event":"start"}}`, true, true},
		{`,"run":12,"by":"a,\"start\":"`, `,"end":{},"start":{}}`, true, true},
		{`,"run":12,"settled":true`, `,"start":{}}`, true, false},
		{`,"run":12,"due":"lab"}`, ``, false, false},
		{`,"history":1}`, ``, false, false},
		{``, `,"start":{}}`, true, false},
	} {
		head, begun, ended := cutHead([]byte(crc + c.head + c.rest))
		if string(head) != crc+c.head || begun != c.begun || ended != c.ended {
			t.Errorf("%s%s: %s, %v, %v", c.head, c.rest, head, begun, ended)
		}
	}
}
