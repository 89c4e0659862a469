// Starts the bench. wasm_exec.js is Go's own; from then on web/wasm takes the page's messages.
"use strict";
importScripts("wasm_exec.js");
const go = new Go();
const start = async () => {
  const answer = await fetch("bench.wasm");
  if (!answer.ok) throw new Error(`bench.wasm: ${answer.status} ${answer.statusText}`);
  const program = answer.headers.get("Content-Type") === "application/wasm"
    ? await WebAssembly.instantiateStreaming(answer, go.importObject)
    : await WebAssembly.instantiate(await answer.arrayBuffer(), go.importObject); // of a server that knows no WebAssembly
  await go.run(program.instance);
  throw new Error("the bench has ended");
};
start().catch((error) => postMessage({ kind: "crashed", error: String(error.message || error) }));
