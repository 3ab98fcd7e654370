type Read<Value> = (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
type Batch<Value> = { readonly ids: Set<string>; readonly answer: Promise<ReadonlyMap<string, Value>> };
type Batches<Value> = { open: Batch<Value> | null; inFlight: Promise<unknown>[] };

/** More at the same time would only make each batch smaller. */
const IN_FLIGHT_MAX = 2;
const IDS_MAX = 500;

/**
 * Takes ids one by one from its callers and reads them from the database in batches: requests that arrive while a
 * statement is running go into the next one. Nothing is cached.
 */
export function batchedReader<Value>(read: Read<Value>): (id: string) => Promise<Value | undefined> {
  const batches: Batches<Value> = { open: null, inFlight: [] };
  return async (id) => {
    if (batches.open === null || batches.open.ids.size >= IDS_MAX) batches.open = openBatch(batches, read);
    const batch = batches.open;
    batch.ids.add(id);
    return (await batch.answer).get(id);
  };
}

function openBatch<Value>(batches: Batches<Value>, read: Read<Value>): Batch<Value> {
  const ids = new Set<string>();
  const gather = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    while (batches.inFlight.length >= IN_FLIGHT_MAX) await Promise.race(batches.inFlight);
    if (batches.open?.ids === ids) batches.open = null;
    const running = read([...ids]);
    // The callers handle a failure; here it only matters that the read has finished.
    const over = running.then(
      () => undefined,
      () => undefined,
    );
    batches.inFlight.push(over);
    void over.then(() => batches.inFlight.splice(batches.inFlight.indexOf(over), 1));
    return running;
  };
  return { ids, answer: gather() };
}
