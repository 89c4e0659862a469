// Bench tests fabricated chips: it runs golden vectors and compares every step with a reference.
//
// Each command has a file, with its flags and exit codes. Package station opens the chip, and the packages behind a
// command determine the result and its wording. The other files contain code that several commands share.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/station/native"
	"utfbench/tile/project"
	"utfbench/transport/rp2040/demoboard"
)

// benchFault marks an error as the bench's fault, not the chip's.
func benchFault(err error) error { return failure.New(failure.Bench, err) }

func main() { runProcess(usualDesign(files.ProcessEnv())) }

// runProcess runs the command line of this process, and exits.
func runProcess(d *design) {
	if native.RunGuard() {
		return
	}
	d.env.Stdout = &cli.Output{File: os.Stdout, Progress: d.progress}
	d.env.Stderr = &cli.Output{File: os.Stderr, Progress: d.progress}
	crashed := func(p *failure.Panic) {
		cli.ReportPanic(d.env, p, versionLine())
		os.Exit(failure.ExitCode(p))
	}
	defer func() {
		if value := recover(); value != nil {
			crashed(failure.NewPanic(value))
		}
	}()
	failure.HandlePanics(crashed)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE) // if the reader is gone, a write returns an error and the chip is parked
	// A second signal ends the program at once, in case a transport does not return.
	context.AfterFunc(ctx, stop)
	os.Exit(d.run(ctx))
}

// run runs a command line for d, or for the design that the command line names, and returns the exit code.
func (d *design) run(ctx context.Context) int {
	defer d.close()
	cmd := newRoot(d)
	cmd.SetArgs(d.env.Args)
	cmd.SetIn(d.env.Stdin)
	cmd.SetOut(d.env.Stdout)
	cmd.SetErr(d.env.Stderr)
	cmd.InitDefaultCompletionCmd() // after SetOut, since it keeps the writer
	cli.SetArgumentChecks(cmd)
	ran, err := cmd.ExecuteContextC(ctx)
	if s, is := d.env.Stdout.(*cli.Output); is {
		err = s.End(err)
	}
	if err == nil {
		return 0
	}
	marked, is := errors.AsType[*failure.Error](err)
	if ctx.Err() != nil && !is || errors.Is(err, context.Canceled) && !(is && marked.Kind == failure.Interrupted) {
		err = failure.Newf(failure.Interrupted, "stopped") // by Ctrl-C, the only possible reason
	}
	if !failure.IsAlreadyPrinted(err) {
		fmt.Fprintf(d.env.Stderr, "bench: %s\n", printable.Lines(cli.ExplainOrigins(err.Error(), ran.Flags())))
	}
	return failure.ExitCode(err)
}

// exitCodes describes the exit codes of a run.
const exitCodes = "Exit codes: 0 PASS; 1 FAIL, the chip or a wire is at fault; 4 the wiring is at fault, and the " +
	"chip was not judged; 5 nothing was selected or judged; 6 FLAKY, it fails now and then; 7 WEAK, nothing differs, " +
	"but too little was compared."

// commandGroups lists the groups of commands, in the order in which users need them.
var commandGroups = []*cobra.Group{
	{ID: "chip", Title: "Test a chip:"},
	{ID: "look", Title: "Examine a run:"},
	{ID: "prove", Title: "Prove and measure:"},
	{ID: "board", Title: "Boards and cables:"},
	{ID: "more", Title: "More:"},
}

func newRoot(d *design) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench [COMMAND]",
		Short: "Tell whether a fabricated chip is right",
		Long: "bench runs vectors against a fabricated chip, compares every step with a reference, and says what " +
			"differs. See bench help COMMAND, bench explain WORD.",
		Version:       versionLine(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cli.NoArguments,
		RunE:          func(cmd *cobra.Command, _ []string) error { return d.writeOverview(cmd.OutOrStdout()) },
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			err := applySettings(cmd, d.env)
			if err == nil {
				err = d.checkFiles(cmd, args)
			}
			if err != nil {
				return err
			}
			return d.open(cmd)
		},
	}
	cmd.SetVersionTemplate("{{.Version}}\n")
	group := func(id string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = id
			cmd.AddCommand(c)
		}
	}
	group("chip", newRun(d), newExplore(d), newLoop(d), newShuttle(d), newDoctor(d), newWiring(d), newDemo(d),
		newWeb(d))
	group("look", newDiagnose(d), newMinimise(d), newReport(d), newHistory(d), newDiff(d), newBundle(d))
	group("prove", newImport(d), newExport(d), newCocotb(d), newSweep(d), newShmoo(d), newTiming(d),
		newCapture(d), newCoverage(d))
	group("board", newBoard(), newDesigns(), newPark(d))
	group("more", newTile(d), newVectors(d), newExplain(d), newStep(d))
	cmd.AddGroup(commandGroups...)
	cmd.CompletionOptions.HiddenDefaultCmd = true
	cmd.SetFlagErrorFunc(cli.FlagError)
	cli.RejectUnknownCommands(cmd)
	cli.SetHelp(cmd)
	return cmd
}

// release is the version of a released binary, and commit its source. The linker sets both: -ldflags "-X
// main.release=1.0.0 -X main.commit=...".
var release, commit = "", ""

func version() string     { return files.Build{Release: release, Commit: commit}.Version() }
func versionLine() string { return files.Build{Release: release, Commit: commit}.Description("bench") }

// writeOverview prints the boards, simulators and runs on this machine, and suggests commands. It opens no board.
func (d *design) writeOverview(w io.Writer) error {
	m := native.Machine{Boards: d.boards(), Simulators: native.InstalledSimulators()}
	if m.InProject = project.FromSources(d.env.Path("."), nil) != nil; len(m.Boards) == 0 {
		m.Hindrances = demoboard.MissingPortReasons()
	}
	m.LatestRun, m.HistoryText = (&history.Finder{Env: d.env}).Latest()
	m.Write(w)
	report.WriteSuggestions(w, m.Suggestions())
	return nil
}

// byDefault reports whether a command runs on the mock only because no target was given. A fault implies the mock.
func byDefault(cmd *cobra.Command) bool {
	t, fault := cmd.Flags().Lookup("transport"), cmd.Flags().Lookup("fault")
	return !t.Changed && t.Value.String() == t.DefValue && cli.Origin(t) == "" && !fault.Changed
}
