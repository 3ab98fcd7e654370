// What the campaign does to the processes, and how long it takes until the next owner looks at each connection that lost its own.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../../tests/simulation/chance.ts';
import type { Look } from './trader-process.ts';
import type { TrialStage, Way } from './stage.ts';

export const STRIKES = {
  'kill of a trader': { ways: ['leases', 'restate'], often: 12 },
  'kill of the Restate server': { ways: ['restate'], often: 4 },
  'kill of both': { ways: ['restate'], often: 4 },
  'pause longer than a lease': { ways: ['leases', 'restate'], often: 1 },
} as const satisfies Record<string, { readonly ways: readonly Way[]; readonly often: number }>;
export type StrikeName = keyof typeof STRIKES;

export type Struck = {
  readonly name: StrikeName;
  /** From the strike to the first look of the next owner, for each connection that lost its owner. */
  readonly takenOverMs: readonly number[];
  /** The same until the fence was raised for the next owner. */
  readonly givenMs: readonly number[];
  /** Connections that nobody looked at within a minute. */
  readonly orphans: readonly string[];
};

/** Not a kill: a trader that stands still for longer than its lease lasts. */
const PAUSE_MS = 17_000;
const PATIENCE_MS = 60_000;

export function pickStrike(way: Way, chance: Chance): StrikeName {
  const names = (Object.keys(STRIKES) as StrikeName[]).filter((name) =>
    (STRIKES[name].ways as readonly Way[]).includes(way),
  );
  return chance.pick(names.flatMap((name) => Array.from({ length: STRIKES[name].often }, () => name)));
}

export async function strike(name: StrikeName, trial: TrialStage, chance: Chance): Promise<Struck> {
  const { stage, restate, looks } = trial;
  await trial.ready();
  await sleep(chance.below(400));
  const living = new Set(stage.traders.map(({ pid }) => pid!));
  const owners = [...new Set([...looks.values()].map(({ holder }) => pidOf(holder)))].filter((pid) =>
    living.has(pid),
  );
  const victim = chance.pick(owners);
  const hitsServer = name === 'kill of the Restate server' || name === 'kill of both';
  const hitsTrader = name !== 'kill of the Restate server';
  const lost = [...looks.values()].filter(({ holder }) => hitsServer || pidOf(holder) === victim);
  const waiting = nextLooks(trial, lost);
  if (hitsServer) restate!.killServer();
  if (name === 'pause longer than a lease') {
    process.kill(victim, 'SIGSTOP');
    await sleep(PAUSE_MS);
    waiting.resumed();
    process.kill(victim, 'SIGCONT');
  } else if (hitsTrader) process.kill(victim, 'SIGKILL');
  return { name, ...(await waiting.over) };
}

const pidOf = (holder: string) => Number(holder.split('/')[0]);

/** Waits for the first look by another holder at each; from `resumed` on, one by the former holder will do: nobody took over. */
function nextLooks(trial: TrialStage, lost: readonly Look[]) {
  const at = Date.now();
  const waiting = new Map(lost.map(({ connection, holder }) => [connection, holder]));
  const [taken, given] = [new Map<string, number>(), new Map<string, number>()];
  let resumedAt = Number.POSITIVE_INFINITY;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = trial.onSeen((seen) => {
    const former = waiting.get(seen.connection);
    if (former === undefined || seen.at < at) return;
    if (seen.what === 'given') {
      if (!given.has(seen.connection)) given.set(seen.connection, seen.at - at);
      return;
    }
    if (seen.holder !== former) taken.set(seen.connection, seen.at - at);
    else if (seen.at < resumedAt) return;
    waiting.delete(seen.connection);
    if (waiting.size === 0) resolve();
  });
  if (waiting.size === 0) resolve();
  const tooLong = sleep(PATIENCE_MS, undefined, { ref: false });
  const over = Promise.race([promise, tooLong]).then(() => {
    end();
    return { takenOverMs: [...taken.values()], givenMs: [...given.values()], orphans: [...waiting.keys()] };
  });
  return {
    over,
    resumed() {
      resumedAt = Date.now();
    },
  };
}
