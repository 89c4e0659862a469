package gpio

import (
	"fmt"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMain is also the init process of scripts/test-gpio-sim: it mounts, loads modules, runs the tests, and powers off.
func TestMain(m *testing.M) {
	if os.Getpid() != 1 {
		os.Exit(m.Run())
	}
	if err := boot(); err != nil {
		fmt.Println("gpio-sim:", err)
	} else if m.Run() == 0 {
		fmt.Println("gpio-sim: all tests passed")
	}
	unix.Sync()
	time.Sleep(100 * time.Millisecond) // lets the console drain
	unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
}

const configfs = "/sys/kernel/config"

func boot() error {
	for _, m := range [][2]string{{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}} {
		if err := mount(m[0], m[1]); err != nil {
			return err
		}
	}
	for _, m := range []string{"configfs", "dev-sync-probe", "gpio-sim"} {
		if err := loadModule("/modules/" + m + ".ko"); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("%s: %w", m, err)
		}
	}
	return mount("configfs", configfs)
}

func mount(kind, at string) error {
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	if err := unix.Mount(kind, at, kind, 0, ""); err != nil {
		return fmt.Errorf("mounting %s: %w", at, err)
	}
	return nil
}

func loadModule(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.FinitModule(int(f.Fd()), "", 0)
}
