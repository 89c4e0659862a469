package sat

// A heap holds variables, the most active first.
type heap struct {
	activity []float64
	place    []int32 // by variable: index into all, or none
	all      []int32
}

func (h *heap) enter() {
	h.activity, h.place = append(h.activity, 0), append(h.place, none)
}

// before reports whether a must be decided before b. If they are equally active, the later one comes first, since it is
// nearer to the outputs.
func (h *heap) before(a, b int32) bool {
	if h.activity[a] != h.activity[b] {
		return h.activity[a] > h.activity[b]
	}
	return a > b
}

func (h *heap) push(v int32) {
	if h.place[v] == none {
		h.all = append(h.all, v)
		h.place[v] = int32(len(h.all) - 1)
		h.up(len(h.all) - 1)
	}
}

// pop removes and returns the first variable, or returns -1 if there is none.
func (h *heap) pop() int32 {
	if len(h.all) == 0 {
		return -1
	}
	v, last := h.all[0], h.all[len(h.all)-1]
	h.all, h.place[v] = h.all[:len(h.all)-1], none
	if len(h.all) > 0 {
		h.all[0], h.place[last] = last, 0
		h.down(0)
	}
	return v
}

func (h *heap) raise(v int32, by float64) {
	if h.activity[v] += by; h.place[v] != none {
		h.up(int(h.place[v]))
	}
}

func (h *heap) scale(by float64) {
	for i := range h.activity {
		h.activity[i] *= by
	}
}

func (h *heap) up(i int) {
	for v := h.all[i]; i > 0; {
		parent := (i - 1) / 2
		if !h.before(v, h.all[parent]) {
			break
		}
		h.swap(i, parent)
		i = parent
	}
}

func (h *heap) down(i int) {
	for {
		next := 2*i + 1
		if next >= len(h.all) {
			return
		}
		if next+1 < len(h.all) && h.before(h.all[next+1], h.all[next]) {
			next++
		}
		if !h.before(h.all[next], h.all[i]) {
			return
		}
		h.swap(i, next)
		i = next
	}
}

func (h *heap) swap(i, k int) {
	h.all[i], h.all[k] = h.all[k], h.all[i]
	h.place[h.all[i]], h.place[h.all[k]] = int32(i), int32(k)
}
