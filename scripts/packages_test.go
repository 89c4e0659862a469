//go:build unix

package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// get_packages installs missing packages as root or with sudo, or says why not. The folder is the whole PATH.
func TestGetPackages(t *testing.T) {
	const user, root = "echo 1000", "echo 0"
	for _, c := range []struct {
		name     string
		commands map[string]string // maps names of commands to their scripts
		code     string
		says     []string
		never    string
	}{
		{"root", map[string]string{"id": root, "apt-get": `echo "apt-get $*" >&3`}, "0",
			[]string{"apt-get install -q -y --no-install-recommends nothing1 nothing2\n"}, "sudo"},
		{"a user with sudo", map[string]string{"id": user, "apt-get": `echo "apt-get $*" >&3`,
			"sudo": `echo "sudo $*" >&3`}, "0",
			[]string{"sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends " +
				"nothing1 nothing2\n"}, "are missing"},
		{"a user without sudo", map[string]string{"id": user, "apt-get": `echo "apt-get $*" >&3`}, "1",
			[]string{"the packages nothing1 nothing2 are missing, and only root may install them: run apt-get " +
				"install nothing1 nothing2 as root\n"}, "apt-get update"},
		{"a sudo that refuses", map[string]string{"id": user, "apt-get": "true",
			"sudo": `echo "a password is required" >&2; exit 1`}, "1",
			[]string{"a password is required\n", "the packages nothing1 nothing2 are missing and apt-get " +
				"could not install them"}, ""},
		{"no apt", map[string]string{"id": user}, "2",
			[]string{"this system has no apt-get, and lacks no-such-1 no-such-2 (in Debian the packages " +
				"nothing1 nothing2)"}, "only root"},
		{"nothing missing", map[string]string{"id": user, "no-such-1": "true", "no-such-2": "true"},
			"0", nil, "missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, does := range c.commands {
				if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+does+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range []string{"env", "mktemp", "rm", "tail"} {
				path, err := exec.LookPath(name)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("bash", "-c", `set -euo pipefail
				. ./packages.bash
				exec 3>&1
				need no-such-1 nothing1
				need no-such-2 nothing2
				code=0
				get_packages || code=$?
				echo "$reason"
				echo "code $code"`)
			cmd.Env = []string{"PATH=" + dir}
			said, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			for _, want := range append(c.says, "code "+c.code+"\n") {
				if !strings.Contains(string(said), want) {
					t.Errorf("it does not say %q, but\n%s", want, said)
				}
			}
			if c.never != "" && strings.Contains(string(said), c.never) {
				t.Errorf("it says\n%s", said)
			}
		})
	}
}
