package station

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"utfbench/transport/rp2040/ports"
)

// Device names what the target has to itself while it is open, the same for all targets that mean the same thing by
// other words, as far as that is known without opening it; "" if another target may be open at the same time.
func (t *Target) Device() (string, error) {
	k, where, err := t.Kind()
	switch {
	case err != nil:
		return "", err
	case k.Device != nil:
		return k.Device(t, where), nil
	case k.Wires && !k.Several:
		return k.Name, nil
	}
	return "", nil
}

// device is the file of the port that a user means, without links on the way; what cannot be found stays as it is.
func device(port string) string {
	if list, err := ports.List(); err == nil {
		if found, err := ports.Find(list, port); err == nil {
			port = found.Name
		}
	}
	if file, err := filepath.EvalSymlinks(port); err == nil && port != "" {
		return file
	}
	return port
}

// Absent says why the target cannot be there, as far as that shows without opening it; nil where it may be.
func (t *Target) Absent() error {
	k, where, err := t.Kind()
	if err != nil || k.Absent == nil {
		return err
	}
	return k.Absent(t, where)
}

func absentPort(t *Target, where string) error {
	port := cmp.Or(where, t.Port)
	if strings.Contains(port, "/") {
		_, err := os.Stat(port)
		return err
	}
	list, err := ports.List()
	if err == nil {
		_, err = ports.Find(list, port)
	}
	return err
}
