// Apart from its ticks a trader renews its lease every few real seconds. How many renewals fall into a step depends on the
// speed of the machine, so a simulated world has none: the lease is renewed in a tick, as the simulated clock passes.

/** Stops all intervals from now on; returns how to restart them. */
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
