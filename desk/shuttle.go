package desk

import (
	"utfbench/boards/shuttles"
	"utfbench/model"
)

// Project is the chip's name on the shuttles that carry it.
const Project = "tt_um_rebeccargb_hardware_utf8"

// revisionOn is the revision of this project's chip on a shuttle: that of the commit which was fabricated. known is false where
// the shuttle does not carry the chip, the index does not know the shuttle, or nobody has read the commit.
func revisionOn(x *shuttles.Index, shuttle string) (r model.Revision, known bool) {
	s := x.Shuttle(shuttle)
	if s == nil {
		return 0, false
	}
	own := s.Named(Project)
	if own == nil {
		return 0, false
	}
	return model.OfCommit(own[0].Commit)
}
