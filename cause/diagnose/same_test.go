package diagnose

import (
	"testing"

	"utfbench/cause/search"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// A diagnosis of a wiring check's samples has the check's first suspect, with the same share of explained bits. The
// check's other suspects follow in the same order, among further ones, since the diagnosis does not know the pulls.
func TestSameSuspectsAsDiagnose(t *testing.T) {
	for _, text := range []string{"rst_n=stuck0", "uio3<>uio4", "uo5=stuck0", "v3=stuck1", "ui2~ui3=and",
		"ui1=inverted", "ui3=stuck1", "uio2=stuck1", "ui6~uo2=or", "clk=open", "uo2=inverted",
		"ui0<>ui1"}[:testkit.Pick(4, 12)] {
		r := check(t, faulty(t, text))
		run := &Run{Tile: utf.TT09}
		for _, e := range r.exam.Executions {
			got := append([]transport.Sample(nil), e.Got...)
			if err := run.Add("wiring", e.Steps, got); err != nil {
				t.Fatal(err)
			}
		}
		f := testkit.Must(run.Diagnose())(t)
		fits, _ := search.SplitByRarity(f.TiedCauses())
		at := 0
		for _, h := range r.Suspects {
			for at < len(fits) && fits[at].String() != h.String() {
				at++
			}
		}
		best := fits[0].Account
		if at == len(fits) || fits[0].String() != r.Suspects[0].String() ||
			r.Account.DifferingBits > 0 &&
				best.ExplainedBits*r.Account.DifferingBits != r.Account.ExplainedBits*best.DifferingBits {
			t.Errorf("%s: wiring suspects %s, %+v; a diagnosis %v", text, names(r), r.Account, fits)
		}
	}
}
