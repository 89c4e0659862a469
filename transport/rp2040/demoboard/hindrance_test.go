package demoboard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// machine returns a system with these files, relative to its root.
func machine(t *testing.T, files map[string]string) system {
	t.Helper()
	s := system{root: t.TempDir()}
	for name, text := range files {
		path := filepath.Join(s.root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestHindrances(t *testing.T) {
	device := func(id string) map[string]string {
		return map[string]string{"sys/bus/usb/devices/1-2/idVendor": id[:4] + "\n",
			"sys/bus/usb/devices/1-2/idProduct": id[5:] + "\n"}
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing":              {nil, ""},
		"a board that is well": {device("2e8a:0005"), ""},
		"a mouse":              {device("046d:c077"), ""},
		"RP2040 boot loader":   {device("2e8a:0003"), "a board with an RP2040 is in its boot loader"},
		"RP2350 boot loader":   {device("2e8a:000f"), "a board with an RP2350 is in its boot loader"},
		"half a device":        {map[string]string{"sys/bus/usb/devices/1-2/idVendor": "2e8a\n"}, ""},
		"WSL": {map[string]string{"proc/version": "Linux version 5.15.90.1-microsoft-standard-WSL2"},
			"usbipd attach"},
		"Linux": {map[string]string{"proc/version": "Linux version 6.1.0-18-amd64"}, ""},
	} {
		if got := strings.Join(machine(t, c.files).hindrances(), "; "); c.want == "" && got != "" ||
			!strings.Contains(got, c.want) {
			t.Errorf("%s: %q; want %q", name, got, c.want)
		}
	}
}

// The advice explains how the program that holds a port releases it.
func TestEndIt(t *testing.T) {
	for command, want := range map[string]string{
		"ModemManager": "ID_MM_DEVICE_IGNORE", "thonny": "Thonny", "chromium-browse": "page in the browser",
		"python3": "end it first",
	} {
		if got := endIt(command); !strings.Contains(got, want) {
			t.Errorf("%s: %q; want %q", command, got, want)
		}
	}
}
