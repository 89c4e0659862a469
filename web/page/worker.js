// Starts the bench. wasm_exec.js is Go's own; afterwards web/wasm handles the page's messages.
"use strict";
importScripts("wasm_exec.js");
const go = new Go();

// Returns a response with the same body, and reports to the page how many of its bytes have arrived.
const counted = (answer) => {
  const of = answer.headers.get("Content-Encoding") ? 0 : Number(answer.headers.get("Content-Length")); // 0 if unknown
  let got = 0;
  const count = new TransformStream({
    transform(part, out) {
      got += part.length;
      postMessage({ kind: "loading", got, of });
      out.enqueue(part);
    },
  });
  return new Response(answer.body.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } }); // whatever type the server sends
};

const start = async () => {
  const answer = await fetch("bench.wasm");
  if (!answer.ok) throw new Error(`bench.wasm: ${answer.status} ${answer.statusText}`);
  const program = await WebAssembly.instantiateStreaming(counted(answer), go.importObject);
  await go.run(program.instance);
  throw new Error("the bench has ended");
};
start().catch((error) => postMessage({ kind: "crashed", error: String(error.message || error) }));
