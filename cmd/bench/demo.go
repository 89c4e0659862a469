package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/files"
)

// A scene is a command of the tour, with an explanation for newcomers.
type scene struct {
	Say  string
	Args string // arguments, separated by spaces
	Ends int    // the expected exit code
}

// scenes are the scenes of the tour. Runs are numbered from 1, since the tour has its own history.
var scenes = []scene{
	{Say: "A good chip. Without -t it is the model in memory, so this proves the bench, not a chip.",
		Args: "run --suite man7", Ends: 0},
	{Say: "A bad one: uo3 is stuck at 1. The verdict is FAIL, and each failure shows the sample, the expected one, " +
		"and the document that requires it.", Args: "run --suite man7 --fault uo3=stuck1 --seed 1", Ends: 1},
	{Say: "Why? Every fault of a wire, of a register bit and the chip's revision are simulated on the steps of " +
		"that run, number 2.", Args: "diagnose 2", Ends: 0},
	{Say: "The shortest steps that still fail, found on the device itself, as a vector to keep.",
		Args: "minimise 2", Ends: 0},
	{Say: "Two wires touch. A wired board is checked before the chip is judged; this is only the check.",
		Args: "wiring --fault uio3~uio4=and", Ends: 4},
	{Say: "A line that is wrong now and then: 20 iterations, and the rates of the failures.",
		Args: "run --suite man7 --fault uo2=flip:2e-5 --seed 7 --count 20", Ends: 6},
	{Say: "Under which times does it pass? A chip that is too slow above 2.4 MHz.",
		Args: "shmoo --fault fmax=2.4MHz", Ends: 0},
	{Say: "Run 2 once more, as one page with waveforms to look at in a browser.",
		Args: "report 2 --html tour.html", Ends: 0},
}

func newDemo(d *design) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Take a two-minute tour, without a board",
		Long: `demo is a tour: it runs commands of bench in a folder of its own and shows each before it runs.
Nothing outside of that folder is touched, and no
board is tested.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return d.playDemo(cmd) },
	}
}

func (d *design) playDemo(cmd *cobra.Command) error {
	dir, err := os.MkdirTemp("", "bench-demo-")
	if err != nil {
		return err
	}
	history, out := filepath.Join(dir, "history"), cmd.OutOrStdout()
	env := *d.env
	env.Dir, env.Getenv = dir, func(name string) string {
		if name == "BENCH_DB" {
			return history
		}
		return d.env.Getenv(name)
	}
	for i := range scenes {
		fmt.Fprintf(out, "%d of %d. %s\n\n$ bench %s\n", i+1, len(scenes), scenes[i].Say, scenes[i].Args)
		if err := scenes[i].play(cmd, env); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "That was it. %s is the page; rm -r %s removes all of the tour.\n"+
		"Its runs are in %s, not in your history: BENCH_DB names the folder for the commands above.\n"+
		"With a board: bench doctor -t rp2040, then bench run -t rp2040.\n", filepath.Join(dir, "tour.html"), dir,
		history)
	return err
}

// play runs the scene's command, and checks its exit code.
func (s *scene) play(cmd *cobra.Command, env files.Env) error {
	ctx, out := cmd.Context(), env.Stdout
	if ctx.Err() != nil {
		return ctx.Err()
	}
	env.Args = strings.Fields(s.Args)
	code := usualDesign(&env).run(ctx)
	if code != s.Ends && ctx.Err() == nil {
		return fmt.Errorf("bench %s ended with exit code %d, but the tour expects %d", s.Args, code, s.Ends)
	}
	_, err := fmt.Fprintf(out, "[exit code %d]\n\n", code)
	return err
}
