-- What bench export --sqlite writes; docs/formats.md describes it.
CREATE TABLE runs (
  run INTEGER PRIMARY KEY, name TEXT NOT NULL, time TEXT NOT NULL, bench TEXT NOT NULL, transport TEXT NOT NULL,
  kind TEXT NOT NULL, board TEXT NOT NULL, device TEXT NOT NULL, tile TEXT NOT NULL, revision TEXT NOT NULL,
  faults TEXT NOT NULL, period_ns INTEGER, sample_ns INTEGER, lead_ns INTEGER
);
CREATE TABLE tags (run INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (run, key));
CREATE TABLE executions (
  run INTEGER NOT NULL, vector TEXT NOT NULL, suite TEXT NOT NULL, iteration INTEGER NOT NULL, verdict TEXT NOT NULL,
  steps INTEGER NOT NULL, answered INTEGER NOT NULL, first_wrong_step INTEGER, PRIMARY KEY (run, vector, iteration)
);
CREATE TABLE wrong (
  run INTEGER NOT NULL, vector TEXT NOT NULL, iteration INTEGER NOT NULL, step INTEGER NOT NULL, line TEXT NOT NULL,
  want INTEGER NOT NULL, got INTEGER
);
CREATE TABLE lines (
  run INTEGER NOT NULL, line TEXT NOT NULL, steps INTEGER NOT NULL, wrong INTEGER NOT NULL, rate REAL,
  PRIMARY KEY (run, line)
);
CREATE VIEW step_rates AS
  SELECT w.run, w.vector, w.step, w.line, count(*) AS wrong, e.executions, 1.0 * count(*) / e.executions AS rate
  FROM wrong w JOIN (SELECT run, vector, count(*) AS executions FROM executions GROUP BY run, vector) e
    ON e.run = w.run AND e.vector = w.vector
  GROUP BY w.run, w.vector, w.step, w.line;
CREATE VIEW line_tags AS
  SELECT l.run, r.name, r.period_ns, l.line, l.steps, l.wrong, l.rate, t.key, t.value
  FROM lines l JOIN runs r ON r.run = l.run LEFT JOIN tags t ON t.run = l.run;
