package demoboard

// enumerate lists the ports of USB devices from the kernel's files, since the serial package's enumerator would open
// each built-in port.
func enumerate() ([]Port, error) { return usbPorts("/"), nil }
