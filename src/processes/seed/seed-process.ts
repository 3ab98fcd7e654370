import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export type FromSeed = 'catalogue' | { readonly failure: string };

type SeedProcess = {
  /** Resolves when the catalogue exists, so that the API has something to show. */
  readonly catalogue: Promise<void>;
  /** Continues with the demo account, which needs a running API; resolves when the process has ended. */
  finish(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the process that migrates the database, stored in `place`, and creates the catalogue and the demo account.
 * Its promises reject with the process's own message.
 */
export function startSeedProcess(place: string): SeedProcess {
  const child = fork(path.join(import.meta.dirname, 'seed.ts'), [place]);
  const ended = once(child, 'exit');
  let failure = 'the first data could not be made';
  const catalogue = new Promise<void>((resolve, reject) => {
    child.on('message', (message: FromSeed) => {
      if (message === 'catalogue') resolve();
      else failure = message.failure;
    });
    void ended.then(() => reject(new Error(failure)));
  });
  return {
    catalogue,
    async finish() {
      child.send('api');
      const [code] = await ended;
      if (code !== 0) throw new Error(failure);
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}
