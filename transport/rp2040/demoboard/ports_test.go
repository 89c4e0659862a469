package demoboard

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	if got := MissingAdvice(plugged); got != "" {
		t.Errorf("with a board: %q", got)
	}
	if _, err := FindPort(plugged[2:], ""); err == nil ||
		!strings.HasPrefix(err.Error(), "no demo board found (USB 2E8A:0005) among 3 serial ports:\n") {
		t.Errorf("no board: %v", err)
	}
}

func TestWhat(t *testing.T) {
	for want, p := range map[string]Port{
		"MicroPython on an RP2040 or RP2350": plugged[0],
		"a debug probe":                      plugged[4],
		"no USB device":                      plugged[2],
		"unknown":                            plugged[3],
		"FT232R":                             {VID: "0403", PID: "6001", Product: "FT232R"},
	} {
		if got := p.Describe(); got != want {
			t.Errorf("%+v is %q; want %q", p, got, want)
		}
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

func TestPermissionNamesTheGroup(t *testing.T) {
	member := func(gid int) (string, bool) {
		return map[int]string{0: "root", 14: "uucp", 20: "dialout"}[gid], gid == 20
	}
	for _, c := range []struct {
		gid  int
		may  bool
		mine []int
		want string
	}{
		{14, true, nil, "the group uucp may use it: sudo usermod -aG uucp $USER, then log out and in again"},
		{20, true, nil, "you are in it, but not yet in this session"},
		{20, true, []int{20}, "the group dialout may use it: sudo"},
		{0, false, nil, "its group root may not use it either: a udev rule"},
	} {
		s := system{"", func() ([]int, error) { return c.mine, nil }, member,
			func(string) (int, bool, error) { return c.gid, c.may, nil }}
		if got := s.permission("/dev/ttyACM0"); !strings.Contains(got, c.want) {
			t.Errorf("group %d, may %v, mine %v: %q; want %q", c.gid, c.may, c.mine, got, c.want)
		}
	}
	s := system{"", nil, member, func(string) (int, bool, error) { return 0, false, errors.ErrUnsupported }}
	if got := s.permission("COM3"); !strings.Contains(got, "ask the administrator") {
		t.Errorf("no groups here: %q", got)
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
	s := system{root: root}
	if got := s.user(device); !strings.Contains(got, "another program has it open") {
		t.Errorf("nobody known has it: %q", got)
	}
	if err := os.Symlink(device, filepath.Join(root, "proc/77/fd/3")); err != nil {
		t.Skipf("no symbolic links: %v", err)
	}
	if got := s.user(device); got != "process 77 (minicom) has it open: end minicom with Ctrl-A, x" {
		t.Errorf("minicom has it: %q", got)
	}
}

func TestOpenSaysWhy(t *testing.T) {
	if _, err := OpenPort(filepath.Join(t.TempDir(), "ttyACM9")); err == nil ||
		!strings.Contains(err.Error(), "is the board plugged in") {
		t.Errorf("a port that is missing: %v", err)
	}
}

// The ports of any machine can be listed.
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

// A group without a name is named by its number.
func TestMembership(t *testing.T) {
	if name, in := membership(987654); name != "987654" || in {
		t.Errorf("group 987654: %q, in it %v", name, in)
	}
}
