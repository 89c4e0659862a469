package demoboard

import (
	"reflect"
	"runtime"
	"testing"
)

// Among all USB devices only a board with MicroPython is found, with its port and identity.
func TestBoards(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no colon may be in a file's name here")
	}
	const usb = "sys/bus/usb/devices/"
	s := machine(t, map[string]string{
		usb + "1-2/idVendor": "2e8a\n", usb + "1-2/idProduct": "0005\n", usb + "1-2/serial": "e660a\n",
		usb + "1-2/product": "Board in FS mode\n", usb + "1-2:1.0/tty/ttyACM1/dev": "166:1\n",
		usb + "1-10.4/idVendor": "2e8a\n", usb + "1-10.4/idProduct": "0005\n",
		usb + "1-10.4:1.0/tty/ttyACM0/dev": "166:0\n",
		usb + "1-3/idVendor":               "2e8a\n", usb + "1-3/idProduct": "000c\n", // a probe
		usb + "1-3:1.0/tty/ttyACM2/dev": "166:2\n",
		usb + "1-4/idVendor":            "046d\n", usb + "1-4/idProduct": "c077\n", // no serial port
	})
	want := []Port{
		{Name: "/dev/ttyACM0", VID: "2E8A", PID: "0005", CanBench: true},
		{Name: "/dev/ttyACM1", VID: "2E8A", PID: "0005", Serial: "e660a", Product: "Board in FS mode", CanBench: true},
	}
	if got := s.boards(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v; want %+v", got, want)
	}
	if got := machine(t, nil).boards(); len(got) > 0 {
		t.Errorf("nothing is plugged in, and %+v is found", got)
	}
}
