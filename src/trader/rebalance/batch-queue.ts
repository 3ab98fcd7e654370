// Which ids share a transaction, and how a failed batch is split. Pure: `run-in-batches.ts` runs them.

/** Several workers take batches at once: ids for several batches are cut so that no worker waits for the last one. */
export function cutIntoBatches<Id>(
  ids: readonly Id[],
  { sizeMax, workers }: { readonly sizeMax: number; readonly workers: number },
): (readonly Id[])[] {
  const rounds = Math.ceil(ids.length / (sizeMax * workers));
  const size = ids.length <= sizeMax ? sizeMax : Math.ceil(ids.length / (rounds * workers));
  const batches: (readonly Id[])[] = [];
  for (let from = 0; from < ids.length; from += size) batches.push(ids.slice(from, from + size));
  return batches;
}

/** The two halves of a failed batch; null when it has a single id. */
export function bisect<Id>(batch: readonly Id[]): readonly [readonly Id[], readonly Id[]] | null {
  if (batch.length <= 1) return null;
  const middle = batch.length >> 1;
  return [batch.slice(0, middle), batch.slice(middle)];
}
