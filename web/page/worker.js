// Starts the bench. wasm_exec.js is Go's own; afterwards web/wasm handles the page's messages.
"use strict";
importScripts("wasm_exec.js");
const go = new Go();
const start = async () => {
  const answer = await fetch("bench.wasm");
  if (!answer.ok) throw new Error(`bench.wasm: ${answer.status} ${answer.statusText}`);
  const program = answer.headers.get("Content-Type") === "application/wasm"
    ? await WebAssembly.instantiateStreaming(answer, go.importObject)
    : await WebAssembly.instantiate(await answer.arrayBuffer(), go.importObject); // for servers that do not support WebAssembly
  await go.run(program.instance);
  throw new Error("the bench has ended");
};
start().catch((error) => postMessage({ kind: "crashed", error: String(error.message || error) }));
