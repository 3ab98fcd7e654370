// Loaded into the roles that `npm start` runs side by side on one machine, and into their threads. V8 lets a heap grow
// while the machine has room: what a role read at start-up soon becomes garbage, but stays until much more is allocated
// (190 MiB in the trader). So each checks periodically whether its heap is well above what it needed, and collects.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 30_000;
const GROWTH = 1.25;
const ROOM_BYTES = 16 * 2 ** 20;
/** Larger heaps belong to installations with thousands of clients, where a collection takes too long and memory is ample. */
const LARGEST_BYTES = 512 * 2 ** 20;

let needed = 0;
setInterval(() => {
  const { heapTotal } = process.memoryUsage();
  if (heapTotal > LARGEST_BYTES || heapTotal < GROWTH * needed + ROOM_BYTES) return;
  collect();
  needed = process.memoryUsage().heapTotal;
}, LOOK_EVERY_MS).unref();

function collect(): void {
  // The collector can be called only from a context that was made while this was set; ours is then thrown away.
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (how: object) => void;
  setFlagsFromString('--no-expose-gc');
  // The flavour that also gives free pages back to the system.
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
