package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/lab"
	"utfbench/lab/user"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/utf"
)

// newName returns a random name for a run or a sweep.
func newName() string { return strings.ToLower(rand.Text()[:8]) }

// runOptions are the flags of benchlab run.
type runOptions struct {
	job      lab.Job
	on, tile string
	vectors  []string
	times    int
}

func newRun() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run vectors on boards of the lab",
		Long: `run has boards of the lab judge vectors, as bench run does: by default all boards, the built-in vectors
of the UTF chip. It prints a line for each board, and ends with the gravest verdict. Interrupted, it
leaves the jobs to the boards: benchlab fetch RUN has the results.

Exit codes: 0 all passed; 1 FAIL; 2 bad input; 3 ERROR; 4 the wiring is at fault; 5 nothing was judged;
6 FLAKY; 7 WEAK; 130 interrupted.`,
		Example: `  benchlab run --suite structural
  benchlab run --on 'pi1.*,left' --suite chip --count 10
  benchlab run --tile tt09.pack:tt_um_example --random 2000`,
	}
	inLab(cmd, o.run)
	f := cmd.Flags()
	f.StringVar(&o.on, "on", "", "only these `BOARDS`: patterns of HOST.BOARD, BOARD or kind, with commas between")
	f.StringVar(&o.tile, "tile", utf.Name, "the design: "+strings.Join(station.TileNames(), ", ")+
		"; NAME.v, a fabricated netlist; NAME of a pack, as FILE.pack:NAME")
	f.StringVar(&o.job.Revision, "revision", "", "`REVISION` to compare with")
	f.StringVar(&o.job.Design, "design", "", "`DESIGN` to select on the shuttle's chip")
	f.StringSliceVar(&o.job.Suites, "suite", nil, "only suites of this `NAME`")
	f.StringVar(&o.job.Match, "run", "", "only vectors with a name that matches this `REGEXP`")
	f.StringArrayVar(&o.vectors, "file", nil, "read vectors from this `FILE` instead of the built-in ones; repeatable")
	f.Var(cli.AtLeast(&o.job.RandomSteps, 0, 1), "random", "instead of vectors, N random legal steps; see --seed")
	f.Uint64Var(&o.job.Seed, "seed", 1, "seed of random steps and faults")
	f.Var(cli.AtLeast(&o.job.Count, 1, 1), "count", "run everything N times in each job")
	f.Var(cli.AtLeast(&o.times, 1, 1), "times", "give each board N jobs")
	f.StringVar(&o.job.At, "at", "", "run at speed, with this `CLOCK`")
	f.BoolVar(&o.job.NoWiring, "no-wiring", false, "do not check the wires first")
	f.DurationVar(&o.job.Timeout, "timeout", 10*time.Minute, "limit of each job")
	return cmd
}

func (o *runOptions) run(cmd *cobra.Command, _ []string, s *lab.Store) error {
	ctx := cmd.Context()
	all, err := user.Boards(ctx, s)
	if err != nil {
		return err
	}
	r := user.Run{Store: s, Name: newName(), Count: o.times}
	if r.Boards, err = user.Select(all, o.on); err != nil {
		return err
	}
	if err := o.inputs(ctx, s); err != nil {
		return err
	}
	r.Job = o.job
	out := cmd.OutOrStdout()
	if err := r.Publish(ctx); err != nil {
		return err
	}
	fmt.Fprintf(out, "run %s: %d jobs for %d boards\n", r.Name, max(1, o.times)*len(r.Boards), len(r.Boards))
	verdict := driver.Pass
	r.OnResult = func(j lab.Result) {
		v, known := driver.ParseVerdict(j.Verdict)
		if !known {
			v = driver.Error
		}
		verdict = max(verdict, v)
		fmt.Fprintf(out, "%s.%s  %s  %s\n", j.Host, j.Board, j.Verdict, j.Text)
		if j.Hint != "" && v != driver.Pass {
			fmt.Fprintf(out, "  %s\n", j.Hint)
		}
	}
	watch, done := context.WithCancel(ctx)
	defer done()
	failure.Go(func() { tellGone(watch, cmd.ErrOrStderr(), s, r.Boards) })
	results, err := r.Wait(ctx)
	if err != nil {
		return fmt.Errorf("%w: %d of %d results are there; the boards go on, and benchlab fetch %s has the rest", err,
			len(results), max(1, o.times)*len(r.Boards), r.Name)
	}
	return verdict.Err()
}

// tellGone prints the boards of the run that are no longer announced.
func tellGone(ctx context.Context, w io.Writer, s *lab.Store, boards []lab.Board) {
	said := map[string]bool{}
	for lab.Sleep(ctx, lab.BeatTimeout) {
		now, err := user.Boards(ctx, s)
		if err != nil {
			continue
		}
		for _, b := range boards {
			here := slices.ContainsFunc(now, func(n lab.Board) bool { return n.String() == b.String() })
			if !here && !said[b.String()] {
				fmt.Fprintf(w, "benchlab: %s is gone: its job is repeated when its host is back\n", b.String())
			}
			said[b.String()] = !here
		}
	}
}

// inputs uploads the files that the hosts may lack.
func (o *runOptions) inputs(ctx context.Context, s *lab.Store) error {
	put := func(name string, text []byte) (lab.Input, error) {
		sum, err := lab.Put(ctx, s.Inputs, name, text, lab.MaxInputBytes)
		return lab.Input{Name: filepath.Base(name), SHA256: sum}, err
	}
	for _, path := range o.vectors {
		text, err := files.VectorFile.Read(path)
		if err != nil {
			return fmt.Errorf("--file: %w", err)
		}
		in, err := put(path, text)
		if err != nil {
			return err
		}
		o.job.Files = append(o.job.Files, in)
	}
	o.job.Tile = o.tile
	if _, is := station.BuiltIn(o.tile); is {
		return nil
	}
	of := native.NewTarget("")
	of.TileName, of.ShowActivity = o.tile, cli.NewProgress(files.ProcessEnv()).ShowActivity
	if err := of.OpenTile(ctx); err != nil {
		return err
	}
	defer tile.CloseReference(of.Tile)
	p := gates.ProjectOf(of.Tile)
	if p == nil || p.Netlist == "" {
		return failure.Usagef("--tile %s: a lab takes tiles by their netlist, as NAME.v or FILE.pack:NAME, since "+
			"nothing is compiled on a host", o.tile)
	}
	info, err := os.ReadFile(filepath.Join(p.Dir, "info.yaml"))
	if errors.Is(err, os.ErrNotExist) {
		info = []byte("project:\n  top_module: " + p.Top + "\n")
	} else if err != nil {
		return failure.Usage(err)
	}
	netlist, err := files.Verilog.Read(p.Netlist)
	if err != nil {
		return err
	}
	o.job.Tile, o.job.Gates = p.Top, new(lab.Gates)
	if o.job.Gates.Info, err = put("info.yaml", info); err != nil {
		return err
	}
	o.job.Gates.Netlist, err = put(p.Netlist, netlist)
	return err
}
