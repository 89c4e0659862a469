package native

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// DeviceName returns the same name for two targets if and only if they occupy the same device.
func TestDevice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a link needs a privilege there")
	}
	dir := t.TempDir()
	port, link := filepath.Join(dir, "ttyACM0"), filepath.Join(dir, "by-id")
	if err := os.WriteFile(port, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(port, link); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(port) // the temporary folder may itself be behind a link
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ transport, want string }{
		{"mock", ""},
		{"mock:tt08", ""},
		{"verilog:a.v", ""},
		{"replay:a.rec", ""},
		{"gpio", "gpio"},
		{"gpio:lines", "gpio"},
		{"rp2040:" + port, "rp2040:" + real},
		{"rp2040:" + link, "rp2040:" + real},
		{"rp2040:not-there", "rp2040:not-there"},
	} {
		target := NewTarget(c.transport)
		if got, err := target.DeviceName(); got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.transport, got, err, c.want)
		}
	}
	target := NewTarget("moc")
	if _, err := target.DeviceName(); err == nil {
		t.Error("moc has a device")
	}
}
