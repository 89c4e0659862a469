package demoboard

// enumerate lists the ports of USB devices. The kernel describes them in files; the enumerator would open each port of
// the machine's own.
func enumerate() ([]Port, error) { return usbPorts("/"), nil }
