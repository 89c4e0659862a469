package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// metrics holds lines in the format of Tiny Tapeout's flow.
const metrics = `Metric,Value
clock__skew__worst_hold__corner:nom_tt,0.01
timing__setup__ws__corner:nom_tt,10.64876927888459
timing__hold__ws__corner:nom_tt,0.3276
timing__setup_r2r__ws__corner:nom_tt,Infinity
timing__setup__ws__corner:max_ss,5.9938
timing__hold__ws__corner:max_ss,0.8979
timing__setup__ws__corner:min_ff,11.0997
timing__hold__ws__corner:min_ff,0.1131
timing__setup__ws,5.9938
`

// The flow's prediction is read beside a netlist, with the author's period if there is one.
func TestPrediction(t *testing.T) {
	for name, c := range map[string]struct{ metrics, config, want string }{
		"none": {"", "", ""},
		"without a period": {metrics, "",
			"set-up slack 5.994 ns (max_ss) to 11.1 ns (min_ff), hold slack 0.1131 ns (min_ff)"},
		"with one": {metrics, `{"//": "a remark", "//": "another", "CLOCK_PERIOD": 20}`,
			"set-up slack 5.994 ns (max_ss) to 11.1 ns (min_ff), hold slack 0.1131 ns (min_ff): 71.4MHz to 112MHz"},
		"another config": {metrics, "[", "set-up slack 5.994 ns (max_ss) to 11.1 ns (min_ff), hold slack 0.1131 ns " +
			"(min_ff)"},
		"no clock": {"timing__setup__ws__corner:nom_tt,Infinity\ntiming__hold__ws__corner:nom_tt,inf\n", "", ""},
		"garbage": {"timing__setup__ws__corner:nom_tt,x\n", "",
			`metrics.csv: timing__setup__ws__corner:nom_tt is "x"`},
	} {
		p := &Project{Dir: t.TempDir()}
		for file, text := range map[string]string{"stats/metrics.csv": c.metrics, "src/config.json": c.config} {
			path := filepath.Join(p.Dir, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if text == "" {
				continue
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		if r, err := p.Prediction(); err != nil {
			got = err.Error()
		} else if r != nil {
			got = r.String()
		}
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q; want %q", name, got, c.want)
		}
	}
}
