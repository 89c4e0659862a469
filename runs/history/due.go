package history

import "database/sql"

// A Due is a run that has yet to be handed in.
type Due struct {
	Run int
	Lab string // the address of the lab
}

// Due gives the runs that have yet to be handed in, the oldest first.
func (h *History) Due() (all []Due, err error) {
	rows, err := h.db.Query("SELECT run, lab FROM due ORDER BY run")
	if err != nil {
		return nil, h.named(err)
	}
	defer rows.Close()
	for rows.Next() {
		var d Due
		if err := rows.Scan(&d.Run, &d.Lab); err != nil {
			return nil, h.named(err)
		}
		all = append(all, d)
	}
	if err := rows.Err(); err != nil {
		return nil, h.named(err)
	}
	return all, nil
}

// Settle removes a run from those due.
func (h *History) Settle(run int) error {
	err := h.change(func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM due WHERE run = ?", run)
		return err
	})
	if err != nil {
		return h.named(err)
	}
	return nil
}
