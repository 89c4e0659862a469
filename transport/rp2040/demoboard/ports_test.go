package demoboard

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/failure"
)

var plugged = []Port{
	{Name: "/dev/ttyACM0", VID: "2E8A", PID: "0005", Serial: "E660A", CanBench: true},
	{Name: "/dev/ttyACM1", VID: "2E8A", PID: "0005", Serial: "E660B", CanBench: true},
	{Name: "/dev/ttyS0"},
	{Name: "/dev/ttyUSB0", VID: "0403", PID: "6001", Serial: "A1"},
	{Name: "COM3", VID: "2E8A", PID: "000C", Serial: "P"},
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ spec, want, trouble string }{
		{"/dev/serial/by-id/usb-x", "/dev/serial/by-id/usb-x", ""},
		{"COM3", "COM3", ""},
		{"E660B", "/dev/ttyACM1", ""},
		{"2e8a:0005:E660A", "/dev/ttyACM0", ""},
		{"0403:6001", "/dev/ttyUSB0", ""},
		{"2E8A:0005", "", `2 ports fit "2E8A:0005", /dev/ttyACM0 (2E8A:0005:E660A), /dev/ttyACM1 (2E8A:0005:E660B): ` +
			`choose one with -t rp2040:PORT`},
		{"", "", "2 boards with MicroPython are plugged in, /dev/ttyACM0 (2E8A:0005:E660A), /dev/ttyACM1 " +
			"(2E8A:0005:E660B): choose one with -t rp2040:PORT"},
		{"E660", "", `"E660" is neither a device nor`},
		{"2E8A:0005:E660", "", "that is plugged in: there are /dev/ttyACM0 (2E8A:0005:E660A), "},
	} {
		p, err := FindPort(plugged, c.spec)
		switch {
		case c.trouble == "" && (err != nil || p.Name != c.want):
			t.Errorf("Find(%q) = %s, %v; want %s", c.spec, p.Name, err, c.want)
		case c.trouble != "" && (err == nil || !strings.Contains(err.Error(), c.trouble)):
			t.Errorf("Find(%q) = %s, %v; want an error with %q", c.spec, p.Name, err, c.trouble)
		}
	}
	if p, err := FindPort(plugged[1:], ""); err != nil || p.Name != "/dev/ttyACM1" {
		t.Errorf("the only board: %s, %v", p.Name, err)
	}
	for n, want := range []string{"no demo board found (USB 2E8A:0005):\n- ",
		"no demo board found (USB 2E8A:0005) among 1 serial port:\n- ",
		"no demo board found (USB 2E8A:0005) among 2 serial ports:\n- "} {
		if got := MissingAdvice(plugged[2 : 2+n]); !strings.HasPrefix(got, want) {
			t.Errorf("of %d ports: %q; want %q", n, got, want)
		}
	}
	for spec, usage := range map[string]bool{"": true, "E660": false} { // an absent board is not a usage error
		if _, err := FindPort(plugged, spec); (failure.KindOf(err) == failure.User) != usage {
			t.Errorf("Find(%q): %v; want bad usage %v", spec, err, usage)
		}
	}
	if got := MissingAdvice(plugged); got != "" {
		t.Errorf("with a board: %q", got)
	}
	if _, err := FindPort(plugged[2:], ""); err == nil ||
		!strings.HasPrefix(err.Error(), "no demo board found (USB 2E8A:0005) among 3 serial ports:\n") {
		t.Errorf("no board: %v", err)
	}
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBusyNamesTheProcess(t *testing.T) {
	root := t.TempDir()
	device := filepath.Join(root, "ttyACM0")
	write(t, root, "ttyACM0", "")
	write(t, root, "proc/77/comm", "minicom\n")
	if err := os.Mkdir(filepath.Join(root, "proc/77/fd"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := holder(root, device); !strings.Contains(got, "another program has it open") {
		t.Errorf("nobody known has it: %q", got)
	}
	if err := os.Symlink(device, filepath.Join(root, "proc/77/fd/3")); err != nil {
		t.Skipf("no symbolic links: %v", err)
	}
	if got := holder(root, device); got != "process 77 (minicom) has it open: end it first" {
		t.Errorf("minicom has it: %q", got)
	}
}

func TestOpenSaysWhy(t *testing.T) {
	if _, err := OpenPort(filepath.Join(t.TempDir(), "ttyACM9")); err == nil ||
		!strings.Contains(err.Error(), "is the board plugged in") {
		t.Errorf("a port that is missing: %v", err)
	}
}

// Ports works on any machine.
func TestList(t *testing.T) {
	list, err := Ports()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if p.Name == "" {
			t.Errorf("a port without a name: %+v", p)
		}
	}
}

// hindrances gives the reason for a missing port if USB or the kernel shows it.
func TestHindrances(t *testing.T) {
	for name, c := range map[string]struct{ files, want string }{
		"nothing":              {"", ""},
		"a board that is well": {"2e8a:0005", ""},
		"RP2040 boot loader":   {"2e8a:0003", "a board with an RP2040 is in its boot loader"},
		"RP2350 boot loader":   {"2e8a:000f", "a board with an RP2350 is in its boot loader"},
		"WSL":                  {"5.15.90.1-microsoft-standard-WSL2", "usbipd attach"},
		"Linux":                {"6.1.0-18-amd64", ""},
	} {
		root := t.TempDir()
		if vid, pid, usb := strings.Cut(c.files, ":"); usb {
			write(t, root, "sys/bus/usb/devices/1-2/idVendor", vid+"\n")
			write(t, root, "sys/bus/usb/devices/1-2/idProduct", pid+"\n")
		} else {
			write(t, root, "proc/version", "Linux version "+c.files)
		}
		if got := strings.Join(hindrances(root), "; "); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q; want %q", name, got, c.want)
		}
	}
}

// usbPorts finds the USB devices that have a serial port, with their identity.
func TestUSBPorts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no colon may be in a file's name here")
	}
	root := t.TempDir()
	for name, text := range map[string]string{
		"1-2/idVendor": "2e8a\n", "1-2/idProduct": "0005\n", "1-2/serial": "e660a\n",
		"1-2:1.0/tty/ttyACM1/dev": "166:1\n",
		"1-10.4/idVendor":         "0403\n", "1-10.4/idProduct": "6001\n",
		"1-10.4:1.0/ttyUSB0/tty/ttyUSB0/dev": "188:0\n",
		"1-4/idVendor":                       "046d\n", "1-4/idProduct": "c077\n", // a mouse
	} {
		write(t, root, "sys/bus/usb/devices/"+name, text)
	}
	got := usbPorts(root)
	slices.SortFunc(got, func(a, b Port) int { return strings.Compare(a.Name, b.Name) })
	if want := []Port{{Name: "/dev/ttyACM1", VID: "2E8A", PID: "0005", Serial: "e660a"},
		{Name: "/dev/ttyUSB0", VID: "0403", PID: "6001"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v; want %+v", got, want)
	}
}
