package verilog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// makeIcarusPowerUps puts what Icarus needs for PowerUps into b.dir, beside the design as it is now, in which folders
// of cells alone are not: the bench around it, and the module by which variables get levels, which a C compiler has to
// build.
// How many tiles there are, Icarus has to know when it compiles: see icarusPowerUps.
func (b *plan) makeIcarusPowerUps(ctx context.Context, c *Config) error {
	for name, text := range map[string]string{"powerups.v": icarusPowerUpsSource, "powerups.c": powerUpsModuleSource} {
		if err := os.WriteFile(b.path(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		return errors.New("a reference in Icarus needs gcc, the Debian package gcc")
	}
	compile := exec.Command("iverilog-vpi", "--name=powerups", "powerups.c")
	compile.Dir = b.dir
	if _, messages, err := b.tool.invoke(ctx, compile); err != nil {
		return fmt.Errorf("iverilog-vpi does not build the start of the reference: %s", firstMessage(messages))
	}
	sources := append(slices.Clone(b.sources(c)), c.Cells...) // so that messages name the files
	return b.compileIcarusPowerUps(ctx, c, b.dir, 2, sources...)
}

// compileIcarusPowerUps compiles the design's files with so many tiles side by side, in a folder.
func (b *plan) compileIcarusPowerUps(ctx context.Context, c *Config, dir string, tiles int, design ...string) error {
	in := func(name string) string { return filepath.Join(dir, name) }
	made, err := os.CreateTemp(dir, "building-*") // another bench may be at it too
	if err != nil {
		return err
	}
	defer os.Remove(made.Name())
	made.Close()
	args := append([]string{"-s", "utfbench_powerups", fmt.Sprintf("-Putfbench_powerups.STATES=%d", tiles),
		"-f", in("options"), "-o", made.Name()}, icarusFlags(c)...)
	args = append(args, each("-D", b.macros)...)
	for _, d := range c.CellsDirs {
		args = append(args, "-y", d)
	}
	args = append(append(args, design...), in("pins.v"), in("powerups.v"))
	if _, messages, err := b.tool.call(ctx, args...); err != nil {
		return b.tool.refused(err, messages)
	}
	return os.Rename(made.Name(), in("sim"+strconv.Itoa(tiles)))
}

// icarusPowerUps is the command that starts what makeIcarusPowerUps has made, with so many tiles.
func (b *plan) icarusPowerUps(c *Config, tiles, released int) ([]string, error) {
	sim := filepath.Join(b.entry, "sim"+strconv.Itoa(tiles))
	if _, err := os.Stat(sim); err != nil {
		design := filepath.Join(b.entry, "design.v")
		if err := b.compileIcarusPowerUps(context.Background(), c, b.entry, tiles, design); err != nil {
			return nil, err
		}
	}
	return []string{"vvp", "-n", "-M" + b.entry, "-mpowerups", sim, "+released=" + strconv.Itoa(released)}, nil
}
