// The page: it sends orders to the bench in the worker and shows its events. All foreign text is inserted as text.
"use strict";
const $ = (id) => document.getElementById(id);
const form = $("order");
let worker, board, ready = false, running = false, links = [];
let loading; // while the bench loads: the start time, and the numbers of received and of all bytes

const say = (text) => { $("state").textContent = text; };
const isBoard = () => form.elements.chip.value === "rp2040";

// Starts the worker, also after a crash.
const begin = () => {
  ready = false;
  loading = { since: performance.now(), got: 0, of: 0 };
  show();
  showLoading();
  worker = new Worker("worker.js");
  worker.onmessage = ({ data }) => {
    if (data.kind === "ready") return loaded(data);
    if (data.kind === "loading") return Object.assign(loading, data);
    if (data.kind === "serial") return board.serve(data);
    if (data.kind === "event") return take(JSON.parse(data.event), data.files || []);
    crashed(data.error);
  };
  worker.onerror = (event) => { event.preventDefault(); crashed(event.message || "worker.js cannot be loaded"); };
  const post = (message) => worker.postMessage(message);
  if (board) board.post = post; else board = new Board(post);
};

// Shows how much of the bench is loaded.
const showLoading = () => {
  if (!loading) return;
  const { since, got, of } = loading, mb = (n) => (n / 1e6).toFixed(1);
  const bytes = got === of && of ? `${mb(of)} MB, starting` : of ? `${mb(got)} of ${mb(of)} MB` : `${mb(got)} MB`;
  $("version").textContent = `Loading the bench: ${bytes}, ${((performance.now() - since) / 1000).toFixed(1)} s`;
};
setInterval(showLoading, 100);

const loaded = ({ version, suites, faults }) => {
  ready = true;
  loading = undefined;
  $("version").textContent = `Version ${version}.`;
  loadPack(); // again, after a crash
  if ($("suite").options.length === 1) suites.forEach((name) => $("suite").add(new Option(name)));
  $("syntax").textContent = faults.replaceAll("; ", ";\n");
  readLink();
  show();
};

// Handles a crash of the bench itself, which is no evidence about the chip.
const crashed = async (error) => {
  board.park();
  worker.terminate();
  await board.close().catch(() => {});
  finish();
  verdict("ERROR", "error", `the bench in this tab failed: this says nothing about the chip (${error})`);
  if (ready) return begin();
  loading = undefined; // no restart, since it would fail again
  $("version").textContent = `The bench could not be loaded: ${error}. Reload the page to try again.`;
};

// Shows the inputs for the selected chip.
const show = () => {
  $("mock").hidden = $("seedrow").hidden = isBoard();
  $("board").hidden = $("designrow").hidden = !isBoard();
  document.querySelectorAll(".utf").forEach((row) => { row.hidden = Boolean($("packed").value); });
  if ($("packed").value) $("designrow").hidden = true;
  const missing = withoutSerial();
  $("noserial").textContent = missing;
  $("noserial").hidden = !missing;
  $("connect").disabled = Boolean(missing) || running;
  $("go").disabled = !ready || running || isBoard() && !board.port;
  $("stop").disabled = !running;
};

const connect = async () => {
  try {
    await board.choose();
    const { usbVendorId: vendor, usbProductId: product } = board.port.getInfo();
    const hex = (n) => (n || 0).toString(16).toUpperCase().padStart(4, "0");
    $("port").textContent = `A board is connected (USB ${hex(vendor)}:${hex(product)}).`;
  } catch (e) {
    $("port").textContent = e.name === "NotFoundError" ? "No board was chosen. If the list was empty: is it plugged in, by a cable that carries data?" : String(e.message || e);
  }
  show();
  if (!$("go").disabled) $("go").focus();
};

// Returns the form's values with the field names of web.Order.
const order = () => {
  const packed = $("packed").value;
  const o = { count: Number($("count").value), run: $("run").value, packed };
  if (!packed) o.revision = $("revision").value;
  if (!packed && $("suite").value) o.suite = [$("suite").value];
  if (isBoard()) return { ...o, transport: "rp2040", design: packed ? "" : $("design").value, shuttle: form.dataset.shuttle || "", patience: form.dataset.patience || "" };
  const faults = $("fault").value.split("\n").map((line) => line.trim()).filter(Boolean);
  const seed = $("seed").value.trim();
  return { ...o, transport: "mock", fault: faults, ...(seed && { seed: Number(seed) }) };
};

// Returns the vector files that the user selected.
const chosen = () => Promise.all([...$("vectors").files].map(async (file) => ({ name: file.name, text: await file.text() })));

// Sends a pack to the bench, which answers with its designs.
const loadPack = async () => {
  const [file] = $("pack").files;
  if (!file || !ready || running) return;
  $("packtext").textContent = "Reading …";
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    worker.postMessage({ do: "pack", name: file.name, bytes }, [bytes.buffer]);
  } catch (e) {
    $("packtext").textContent = String(e.message || e);
  }
};

// Takes a pack that is dropped on the page, as if it had been chosen.
const drop = (event) => {
  event.preventDefault();
  if (!event.dataTransfer.files.length) return;
  $("pack").files = event.dataTransfer.files;
  loadPack();
};

const run = async (event) => {
  event.preventDefault();
  if ($("go").disabled || !form.reportValidity()) return;
  running = true;
  show();
  $("result").hidden = $("going").hidden = $("first").hidden = true;
  links.splice(0).forEach((link) => URL.revokeObjectURL(link));
  say(isBoard() ? "Opening the board …" : "Running …");
  $("stop").focus();
  try {
    worker.postMessage({ do: "run", order: JSON.stringify({ ...order(), files: await chosen() }) });
  } catch (e) {
    takes.error({ kind: "user", text: `a file of vectors cannot be read: ${e.message}` });
  }
};

const finish = () => {
  running = false;
  show();
};

const stop = () => {
  worker.postMessage({ do: "stop" });
  say("Stopping: the chip is parked first …");
};

// Returns a URL for a file's bytes, valid until the next run.
const link = (file) => {
  const url = URL.createObjectURL(new Blob([file.data], { type: file.type }));
  links.push(url);
  return url;
};

const list = (id, texts) => $(id).replaceChildren(...(texts || []).map((text) => {
  const item = document.createElement("li");
  item.textContent = text;
  return item;
}));

const takes = {
  pack(v) {
    $("packtext").textContent = v.text;
    const designs = v.designs || [];
    $("packed").replaceChildren(new Option("the UTF chip", ""), ...designs.map((name) => new Option(name)));
    $("packed").value = designs.includes($("design").value) ? $("design").value : "";
    $("packedrow").hidden = !designs.length;
    show();
  },
  opened(v) {
    const times = v.count > 1 ? `, ${v.count} times` : "";
    $("opened").textContent = `${v.chip}, board ${v.board}, compared with ${v.reference}: ${v.vectors} vectors${times}`;
    list("notes", v.notes);
    $("progress").max = v.vectors * v.count;
    $("progress").value = 0;
    $("counts").textContent = "";
    $("going").hidden = false;
    say("Running …");
  },
  progress(v) {
    $("progress").value = v.done;
    $("counts").textContent = `${v.done} of ${v.of}: ${v.verdicts}; ${v.steps} steps`;
  },
  failure(v, files) {
    $("firsttext").textContent = v.text;
    $("wave").hidden = !files.length;
    if (files.length) {
      $("wave").src = link(files[0]);
      $("wave").alt = v.text;
    }
    $("first").hidden = false;
  },
  judged(v) {
    verdict(v.verdict, v.verdict.toLowerCase(), v.meaning);
    say("Writing the report …");
    $("stop").disabled = true;
  },
  verdict(v, files) {
    finish();
    verdict(v.verdict, v.verdict.toLowerCase(), v.meaning);
    $("hint").textContent = [v.trouble && `The bench could not finish: ${v.trouble}.`, v.hint].filter(Boolean).join("\n");
    $("left").textContent = v.left || "";
    explain(v.explanation);
    evidence(v);
    $("text").textContent = v.text;
    $("said").hidden = false;
    $("files").replaceChildren(...files.map(save));
  },
  error(v) {
    finish();
    const [name, means] = { user: ["NOT RUN", "this cannot be run as asked"], interrupted: ["ABORTED", "stopped"],
      design: ["ERROR", "the chip was not judged"] }[v.kind] || ["ERROR", "the bench could not find out: this says nothing about the chip"];
    verdict(name, v.kind === "bench" || v.kind === "design" ? "error" : "skipped", `${means}: ${v.text}`);
    $("left").textContent = v.left || "";
  },
};

const take = (event, files) => takes[event.kind](event.value, files);

// Shows only a verdict, and scrolls to it.
const verdict = (name, kind, meaning) => {
  const word = document.createElement("b");
  word.textContent = name;
  $("verdict").replaceChildren(word, " ", meaning);
  $("result").className = kind;
  ["hint", "left"].forEach((id) => { $(id).textContent = ""; });
  $("files").replaceChildren();
  ["why", "evidence", "said"].forEach((id) => { $(id).hidden = true; });
  $("result").hidden = false;
  say(name);
  $("result").focus();
};

const explain = (e) => {
  $("why").hidden = !e;
  if (!e) return;
  $("conclusion").textContent = e.why;
  list("suspects", e.suspects);
  $("account").textContent = e.account || "";
};

const evidence = (v) => {
  $("evidence").hidden = !v.compared;
  $("compared").textContent = v.compared || "";
};

const save = (file) => {
  const a = document.createElement("a");
  a.href = link(file);
  a.download = file.name;
  a.textContent = file.name.endsWith(".html") ? "Save the report (HTML)" : "Save the recording";
  if (!file.name.endsWith(".html")) a.title = `bench run -t replay:${file.name} judges it again`;
  return a;
};

// A link may fill in the form, as in #fault=uo3=stuck1&suite=chip or #board&shuttle=tt09&design=tt_um_x, but starts
// nothing.
const fields = { suite: "suite", run: "run", count: "count", revision: "revision", seed: "seed", design: "design" };
const readLink = () => {
  const unknown = [], faults = [];
  for (const [name, value] of new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"))) {
    if (name === "board" || name === "demo") form.elements.chip.value = name === "board" ? "rp2040" : "mock";
    else if (name === "fault") faults.push(value);
    else if (name === "shuttle" || name === "patience") form.dataset[name] = value;
    else if (fields[name]) setField(name, value, unknown);
    else unknown.push(name);
  }
  if (faults.length) $("fault").value = faults.join("\n");
  $("linked").hidden = !unknown.length;
  $("linked").textContent = unknown.length ? `This link says ${unknown.join(", ")}, which this page does not know: it is ignored.` : "";
};

const setField = (name, value, unknown) => {
  const field = $(fields[name]);
  field.value = value;
  if (field.value !== value) unknown.push(`${name}=${value}`);
  else $("choices").open = true;
};

form.addEventListener("submit", run);
form.addEventListener("change", show);
$("connect").addEventListener("click", connect);
$("pack").addEventListener("change", loadPack);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", drop);
$("stop").addEventListener("click", stop);
document.querySelectorAll(".try").forEach((b) => b.addEventListener("click", () => { $("fault").value = b.dataset.fault; }));
addEventListener("hashchange", () => { if (ready && !running) { readLink(); show(); } });
addEventListener("pagehide", () => {
  if (!running) return;
  worker.postMessage({ do: "stop" });
  board.park();
});
begin();
if ("serviceWorker" in navigator) navigator.serviceWorker.register("service.js").catch(() => {}); // optional: the page works online without it
