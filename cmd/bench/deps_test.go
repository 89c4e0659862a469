package main

import (
	"os/exec"
	"strings"
	"testing"
)

// A desk builds and carries no server of NATS: that is benchlab's.
func TestNoServerInside(t *testing.T) {
	for program, has := range map[string]bool{".": false, "../benchlab": true} {
		out, err := exec.Command("go", "list", "-deps", program).Output()
		if err != nil {
			t.Fatal(err)
		}
		if is := strings.Contains(string(out), "github.com/nats-io/nats-server/"); is != has {
			t.Errorf("nats-server in %s: %t", program, is)
		}
	}
}
