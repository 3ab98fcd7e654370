// The words that the programs of both worlds take; each loads only what it needs.
import type { World } from '../wiring/world.ts';

export type Words = Readonly<Record<string, (rest: readonly string[]) => Promise<void>>>;

export function wordsOf(world: World): Words {
  return {
    api: async () => (await import('../roles/run-api.ts')).runApi(world),
    trader: async () => (await import('../roles/run-trader.ts')).runTrader(world),
    worker: async () => (await import('../roles/run-worker.ts')).runWorker(world),
    catalogue: async () => (await import('../seed/run-catalogue.ts')).runCatalogue(world),
    doctor: async () => (await import('../doctor/run-doctor.ts')).runDoctor(world),
    staff: async (rest) => (await import('../staff/run-staff.ts')).runStaff(world, rest),
    history: async (rest) => (await import('../history/run-history.ts')).runHistory(world, rest),
  };
}

/** Runs the first word of the command line. */
export async function runWord(words: Words, [word = '', ...rest]: readonly string[]): Promise<void> {
  const run = Object.hasOwn(words, word) ? words[word] : undefined;
  if (run === undefined)
    throw new Error(`there is no command "${word}" here; there are ${Object.keys(words).join(', ')}`);
  await run(rest);
}
