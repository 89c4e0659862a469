// The reading end of the serial line, in its own thread, so that board.mjs can wait for bytes with a timeout. count is
// 0 while this thread may read, then the number of available bytes, or -1 at the end of the file.
import fs from 'node:fs';
import { workerData } from 'node:worker_threads';

const { count, bytes } = workerData;
for (let n = 1; n > 0;) {
  try {
    n = fs.readSync(0, bytes) || -1;
  } catch {
    n = -1;
  }
  Atomics.store(count, 0, n);
  Atomics.notify(count, 0);
  Atomics.wait(count, 0, n);
}
