package main

import (
	"bufio"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
)

// scenes are the tour; runs are numbered from 1, since it has a history of its own.
var scenes = []cli.Scene{
	{Say: "A good chip. Without -t it is the model in memory, so this proves the bench, not a chip.",
		Args: "run --suite man7", Ends: 0},
	{Say: "A bad one: uo3 is stuck at 1. The verdict is FAIL, and each failure shows the sample, the expected one, " +
		"and the document that requires it.",
		Args: "run --suite man7 --fault uo3=stuck1 --seed 1", Ends: 1},
	{Say: "Why? Every fault of a wire, of a register bit and the chip's revision are simulated on the steps of " +
		"that run, number 2.",
		Args: "diagnose 2", Ends: 0},
	{Say: "The shortest steps that still fail, found on the device itself, as a vector to keep.",
		Args: "minimise 2", Ends: 0},
	{Say: "Two wires touch. A wired board is checked before the chip is judged; this is only the check.",
		Args: "wiring --fault uio3~uio4=and", Ends: 4},
	{Say: "A line that is wrong now and then: 20 iterations, and the circumstances of the failures.",
		Args: "run --suite man7 --fault uo2=flip:2e-5 --seed 7 --count 20", Ends: 1},
	{Say: "Under which times does it pass? A chip that is too slow above 2.4 MHz.",
		Args: "shmoo --fault fmax=2.4MHz", Ends: 0},
	{Say: "Run 2 once more, as one page with waveforms to look at in a browser.",
		Args: "report 2 --out tour.html", Ends: 0},
}

func newDemo() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Take a two-minute tour, without a board",
		Long: `demo is a tour: it runs commands of bench in a folder of its own and shows each before it runs.
On a terminal it waits for Enter in between. Nothing outside of that folder is touched, and no
board is tested.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return playDemo(cmd, dir)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the folder, which must not be there yet (default: a new one among the "+
		"system's temporary folders)")
	return cmd
}

// playDemo plays the scenes in a folder, a new one if it has no name.
func playDemo(cmd *cobra.Command, dir string) error {
	t, err := cli.NewTour("bench", dir, cmd.OutOrStdout())
	if err != nil {
		return fmt.Errorf("--dir: %w", err)
	}
	t.Env = []string{"BENCH_DB=" + filepath.Join(t.Dir, "history.db"), "BENCH_CONFIG=none"}
	if cli.Talks(cmd.InOrStdin(), cmd.OutOrStdout()) {
		t.Wait = bufio.NewReader(cmd.InOrStdin())
	}
	if err := t.Run(cmd.Context(), scenes); err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.Out, "That was it. %s is the page; rm -r %s removes all of the tour.\n"+
		"Its runs are in %s, not in your history: BENCH_DB names the file for the commands above.\n"+
		"With a board: bench doctor -t rp2040, then bench run -t rp2040.\n", filepath.Join(t.Dir, "tour.html"), t.Dir,
		filepath.Join(t.Dir, "history.db"))
	return err
}
