// How many texts this process has read by a language model at once. A slow service holds sockets and timers and no connection to the
// database; beyond this number the grammar reads alone.
const AT_ONCE = 16;

let asking = 0;

export async function atTheDesk<Value>(work: () => Promise<Value>): Promise<Value | 'busy'> {
  if (asking >= AT_ONCE) return 'busy';
  asking += 1;
  try {
    return await work();
  } finally {
    asking -= 1;
  }
}
