// When a process is asked to stop: Ctrl-C, a signal, or the death of its parent (npm passes no signals on).

/** Calls `stop` once at the first reason to end; a second Ctrl-C ends at once. */
export function onStopSignal(stop: (reason: string) => Promise<void>): void {
  let stopping = false;
  const begin = (reason: string) => {
    if (stopping) {
      if (reason === 'SIGINT') process.exit(130);
      return;
    }
    stopping = true;
    stop(reason).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => begin(signal));
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) begin('parent gone');
  }, PARENT_CHECK_MS).unref();
}

const PARENT_CHECK_MS = 500;
