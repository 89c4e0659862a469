package verilog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// makeIcarusPowerUps compiles what Icarus needs for PowerUps in b.dir: the design, and the module by which variables
// get levels, which a C compiler has to build. Icarus has to know how many tiles there are when it compiles: see
// icarusPowerUps.
func (b *plan) makeIcarusPowerUps(ctx context.Context, c *Config) error {
	if _, err := exec.LookPath("gcc"); err != nil {
		return errors.New("a reference in Icarus needs gcc, the Debian package gcc")
	}
	compile := exec.Command("iverilog-vpi", "--name=powerups", "powerups.c")
	compile.Dir = b.dir
	if _, messages, err := b.tool.invoke(ctx, compile); err != nil {
		return fmt.Errorf("iverilog-vpi does not build the start of the reference: %s", firstMessage(messages))
	}
	return b.compileIcarusPowerUps(ctx, b.dir, 2)
}

// compileIcarusPowerUps compiles n tiles of the design in a folder side by side.
func (b *plan) compileIcarusPowerUps(ctx context.Context, dir string, n int) error {
	in := func(name string) string { return filepath.Join(dir, name) }
	made, err := os.CreateTemp(dir, "building-*") // another bench may be at it too
	if err != nil {
		return err
	}
	defer os.Remove(made.Name())
	made.Close()
	args := append([]string{"-s", "utfbench_powerups", fmt.Sprintf("-Putfbench_powerups.STATES=%d", n),
		"-f", in("options"), "-o", made.Name()}, icarusDialect...)
	args = append(args, each("-D", b.macros)...)
	if b.library != "" {
		args = append(args, "-l", in(libraryFile))
	}
	args = append(args, in(designFile), in("pins.v"), in("powerups.v"))
	if _, messages, err := b.tool.callIn(ctx, dir, args...); err != nil {
		return b.tool.refused(err, messages)
	}
	return os.Rename(made.Name(), in("sim"+strconv.Itoa(n)))
}

// icarusPowerUps is the command that starts what makeIcarusPowerUps has made, with so many tiles.
func (b *plan) icarusPowerUps(tiles, released int) ([]string, error) {
	sim := filepath.Join(b.entry, "sim"+strconv.Itoa(tiles))
	if _, err := os.Stat(sim); err != nil {
		if err := b.compileIcarusPowerUps(context.Background(), b.entry, tiles); err != nil {
			return nil, err
		}
	}
	return []string{"vvp", "-n", "-M" + b.entry, "-mpowerups", sim, "+released=" + strconv.Itoa(released)}, nil
}
