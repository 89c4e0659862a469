package rp2040

import (
	"go/ast"
	goconstant "go/constant"
	"go/parser"
	"go/token"
	"testing"
)

// valueOf evaluates an expression of numbers that has the same value in Python and in Go. Package go/types could do so,
// but compiling it with the race detector takes five seconds.
func valueOf(t interface{ Fatalf(string, ...any) }, text string) uint64 {
	e, err := parser.ParseExpr(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	n, ok := goconstant.Uint64Val(constantOf(e))
	if !ok {
		t.Fatalf("%s has no value that fits into 64 bits", text)
	}
	return n
}

func constantOf(e ast.Expr) goconstant.Value {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return constantOf(e.X)
	case *ast.BasicLit:
		return goconstant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.BinaryExpr:
		x, y := constantOf(e.X), constantOf(e.Y)
		if e.Op == token.SHL || e.Op == token.SHR {
			by, _ := goconstant.Uint64Val(y)
			return goconstant.Shift(x, e.Op, uint(by))
		}
		return goconstant.BinaryOp(x, e.Op, y)
	}
	return goconstant.MakeUnknown()
}

func TestValueOf(t *testing.T) {
	if got := valueOf(t, "(0x12 << 4 | 3) + 2 * (9 >> 1 & 6)"); got != 0x12<<4|3+2*(9>>1&6) {
		t.Errorf("%#x", got)
	}
}
