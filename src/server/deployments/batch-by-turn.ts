type Reader<Source extends object, Value> = (
  source: Source,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Value>>;

type Batch = { readonly ids: Set<string>; readonly answer: Promise<ReadonlyMap<string, unknown>> };

/** By source and reader, the batch that is still being collected. */
const open = new WeakMap<object, Map<unknown, Batch>>();
const IDS_MAX = 200;

/**
 * Reads one id together with all that are asked for in the same turn of the event loop: one statement for many polls.
 * Nobody waits for more than that turn, and nothing is kept.
 */
export async function batchByTurn<Source extends object, Value>(
  source: Source,
  read: Reader<Source, Value>,
  id: string,
): Promise<Value | undefined> {
  let batches = open.get(source);
  if (!batches) open.set(source, (batches = new Map()));
  let batch = batches.get(read);
  if (!batch || batch.ids.size >= IDS_MAX) batches.set(read, (batch = startBatch(batches, source, read)));
  batch.ids.add(id);
  return (await (batch.answer as Promise<ReadonlyMap<string, Value>>)).get(id);
}

function startBatch<Source extends object, Value>(
  batches: Map<unknown, Batch>,
  source: Source,
  read: Reader<Source, Value>,
): Batch {
  const ids = new Set<string>();
  const answer = new Promise((resolve) => setImmediate(resolve)).then(() => {
    if (batches.get(read)?.ids === ids) batches.delete(read);
    return read(source, [...ids]);
  });
  return { ids, answer };
}
