// Beside its ticks a trader renews its lease every few real seconds. How many of those fall into a step depends on how
// fast the machine is, so that in a simulated world none does: the lease is renewed as its own clock passes, in a tick.

/** From now on intervals never come round; answers how to let them again. */
export function stillIntervals(): () => void {
  const real = globalThis.setInterval;
  globalThis.setInterval = ((...args: Parameters<typeof real>) => {
    const timer = real(...args);
    clearInterval(timer);
    return timer;
  }) as typeof real;
  return () => {
    globalThis.setInterval = real;
  };
}
