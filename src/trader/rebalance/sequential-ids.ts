// Ids for the rows of one batch: a random one and its successors. Rows written together are adjacent in the key's index,
// which then writes a few pages instead of one per row.

/** Collisions are as unlikely as with random ids: a batch would have to start within another's range of 122 random bits. */
export function sequentialIds(newId: () => string): () => string {
  const first = newId();
  const head = first.slice(0, -12);
  let tail = Number.parseInt(first.slice(-12), 16);
  return () => {
    const id = head + tail.toString(16).padStart(12, '0');
    tail = (tail + 1) % 2 ** 48;
    return id;
  };
}
