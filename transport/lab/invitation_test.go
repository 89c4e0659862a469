package lab

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"utfbench/internal/files"
)

// An invitation with one address has its original format, byte by byte, which all versions read; one with several keeps
// the first in place.
func TestInvitation(t *testing.T) {
	one := invitation(t, "pi1")
	text := fmt.Sprintf("{\n  \"lab\": \"tls://127.0.0.1:7060\",\n  \"fingerprint\": \"%064d\",\n"+
		"  \"name\": \"pi1\",\n  \"seed\": \"%s\"\n}\n", 0, one.Seed)
	if string(one.Text()) != text {
		t.Errorf("%s; want %s", one.Text(), text)
	}
	several := invitation(t, "pi2")
	several.Place, _ = PlaceOf([]string{"a:1", "b:2", "c:3"}, []string{strings.Repeat("1", 64),
		strings.Repeat("2", 64)})
	if several.Lab != "tls://a:1" || several.String() != "tls://a:1, tls://b:2, tls://c:3" ||
		!several.believes(strings.Repeat("2", 64)) || several.believes(strings.Repeat("3", 64)) {
		t.Errorf("%+v", several.Place)
	}
	for _, inv := range []*Invitation{one, several} {
		if got, err := ParseInvitation("it", inv.Text()); err != nil || !reflect.DeepEqual(got, inv) {
			t.Errorf("%+v, %v; want %+v", got, err, inv)
		}
	}
}

// Invalid invitations are refused in one sentence.
func TestInvitationRefusals(t *testing.T) {
	for _, c := range []struct {
		says  string
		spoil func(*Invitation)
	}{
		{"a name is 1 to 40 of", func(i *Invitation) { i.Name = "a b" }},
		{`the lab's address "nats://x"`, func(i *Invitation) { i.Lab = "nats://x" }},
		{`the lab's address "tls://"`, func(i *Invitation) { i.Others = []string{"tls://x", "tls://"} }},
		{"64 hexadecimal digits", func(i *Invitation) { i.Fingerprint = "00" }},
		{"64 hexadecimal digits", func(i *Invitation) { i.Fingerprints = []string{""} }},
		{"64 hexadecimal digits", func(i *Invitation) { i.Fingerprint, i.Fingerprints = "", []string{i.Fingerprint} }},
		{"the key: ", func(i *Invitation) { i.Seed = "S" }},
	} {
		inv := invitation(t, "pi1")
		c.spoil(inv)
		if _, err := ParseInvitation("it", inv.Text()); err == nil || !strings.Contains(err.Error(), "it: ") ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%v; want %s", err, c.says)
		}
	}
}

// The longest invitation fits the size limit of its file.
func TestLongestInvitation(t *testing.T) {
	inv := invitation(t, strings.Repeat("n", 40))
	var addresses, fingerprints []string
	for range most {
		addresses = append(addresses, strings.Repeat("h", 253)+":65535")
		fingerprints = append(fingerprints, strings.Repeat("0", 64))
	}
	var err error
	if inv.Place, err = PlaceOf(addresses, fingerprints); err != nil || len(inv.Text()) > int(files.Invitation.Limit) {
		t.Errorf("%d bytes, %v", len(inv.Text()), err)
	}
	for _, more := range [][2][]string{{append(addresses, "x:1"), nil}, {{"x:1"}, append(fingerprints, "0")}} {
		if _, err := PlaceOf(more[0], more[1]); err == nil || !strings.Contains(err.Error(), "at most 8 of each") {
			t.Error(err)
		}
	}
}
