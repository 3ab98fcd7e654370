/** All who ask while a tick runs share the next one. */
export function oneLook(tick: () => Promise<unknown>): () => Promise<void> {
  let next: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();
  return () => {
    next ??= last = last
      .catch(() => undefined)
      .then(async () => {
        next = null;
        await tick();
      });
    return next;
  };
}
