// Starts the bench. wasm_exec.js is Go's own; afterwards web/wasm handles the page's messages.
"use strict";
importScripts("wasm_exec.js");
const go = new Go();

// Passes on the body of an answer, and tells the page how many bytes of how many have come.
const counted = (answer) => {
  const of = answer.headers.get("Content-Encoding") ? 0 : Number(answer.headers.get("Content-Length")); // 0 is not known
  let got = 0;
  const count = new TransformStream({
    transform(part, out) {
      got += part.length;
      postMessage({ kind: "loading", got, of });
      out.enqueue(part);
    },
  });
  return new Response(answer.body.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } }); // whatever the server calls it
};

const start = async () => {
  const answer = await fetch("bench.wasm");
  if (!answer.ok) throw new Error(`bench.wasm: ${answer.status} ${answer.statusText}`);
  const program = await WebAssembly.instantiateStreaming(counted(answer), go.importObject);
  await go.run(program.instance);
  throw new Error("the bench has ended");
};
start().catch((error) => postMessage({ kind: "crashed", error: String(error.message || error) }));
