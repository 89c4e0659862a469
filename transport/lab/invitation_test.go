package lab

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// An invitation is read as it was written.
func TestInvitation(t *testing.T) {
	one := invitation(t, "pi1")
	text := fmt.Sprintf("{\n  \"lab\": \"tls://127.0.0.1:7060\",\n  \"fingerprint\": \"%064d\",\n"+
		"  \"name\": \"pi1\",\n  \"seed\": \"%s\"\n}\n", 0, one.Seed)
	if string(one.Text()) != text {
		t.Errorf("%s; want %s", one.Text(), text)
	}
	if got, err := ParseInvitation("it", one.Text()); err != nil || !reflect.DeepEqual(got, one) {
		t.Errorf("%+v, %v; want %+v", got, err, one)
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
		{`the lab's address "tls://"`, func(i *Invitation) { i.Lab = "tls://" }},
		{"64 hexadecimal digits", func(i *Invitation) { i.Fingerprint = "00" }},
		{"64 hexadecimal digits", func(i *Invitation) { i.Fingerprint = "" }},
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
