import type { Pool } from 'pg';

type Read<Value> = (pool: Pool, ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
type Batch<Value> = { readonly ids: Set<string>; readonly answer: Promise<ReadonlyMap<string, Value>> };
type Desk<Value> = { open: Batch<Value> | null; inFlight: Promise<unknown>[] };

/** More at the same time would only make each smaller. */
const IN_FLIGHT_MAX = 2;
const IDS_MAX = 500;

/**
 * Reads ids one by one for its callers and many at a time from the database: what is asked for while the statements
 * before it are under way goes into the next one. Nothing is kept.
 */
export function batchedReader<Value>(
  read: Read<Value>,
): (pool: Pool, id: string) => Promise<Value | undefined> {
  const desks = new WeakMap<Pool, Desk<Value>>();
  return async (pool, id) => {
    let desk = desks.get(pool);
    if (!desk) desks.set(pool, (desk = { open: null, inFlight: [] }));
    if (desk.open === null || desk.open.ids.size >= IDS_MAX) desk.open = openBatch(desk, pool, read);
    const batch = desk.open;
    batch.ids.add(id);
    return (await batch.answer).get(id);
  };
}

function openBatch<Value>(desk: Desk<Value>, pool: Pool, read: Read<Value>): Batch<Value> {
  const ids = new Set<string>();
  const gather = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    while (desk.inFlight.length >= IN_FLIGHT_MAX) await Promise.race(desk.inFlight);
    if (desk.open?.ids === ids) desk.open = null;
    const running = read(pool, [...ids]);
    // Whether it fails is for those who asked; here it only matters that it is over.
    const over = running.then(
      () => undefined,
      () => undefined,
    );
    desk.inFlight.push(over);
    void over.then(() => desk.inFlight.splice(desk.inFlight.indexOf(over), 1));
    return running;
  };
  return { ids, answer: gather() };
}
