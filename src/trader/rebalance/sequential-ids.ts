// Ids for the rows of one batch: a drawn one and those after it. Rows that are written together lie together in the key's
// index, which then has a few pages to write instead of one for every row.

/** As unlikely to meet others as drawn ones: a batch would have to begin within another's reach of 122 random bits. */
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
