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
  /** The same until Restate has given the connection to its next owner. */
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
  const living = new Set(stage.traders.map(({ pid }) => pid!));
  const owners = [...new Set([...looks.values()].map(({ holder }) => pidOf(holder)))].filter((pid) => living.has(pid));
  const victim = chance.pick(owners);
  const hitsServer = name === 'kill of the Restate server' || name === 'kill of both';
  const hitsTrader = name !== 'kill of the Restate server';
  const lost = [...looks.values()].filter(({ holder }) => hitsServer || pidOf(holder) === victim);
  const at = Date.now();
  const waiting = nextLooks(trial, lost, at);
  if (hitsServer) restate!.killServer();
  if (hitsTrader) process.kill(victim, name === 'pause longer than a lease' ? 'SIGSTOP' : 'SIGKILL');
  if (name === 'pause longer than a lease') {
    await sleep(PAUSE_MS);
    process.kill(victim, 'SIGCONT');
  }
  return { name, ...(await waiting) };
}

const pidOf = (holder: string) => Number(holder.split('/')[0]);

/** The first look at each by another holder that began after the strike. */
async function nextLooks(
  trial: TrialStage,
  lost: readonly Look[],
  at: number,
): Promise<Omit<Struck, 'name'>> {
  const waiting = new Map(lost.map(({ connection, holder }) => [connection, holder]));
  const [takenOverMs, givenMs]: [number[], number[]] = [[], []];
  const given = new Set<string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = trial.onLook((look) => {
    const former = waiting.get(look.connection);
    if (former === undefined || former === look.holder || look.at < at) return;
    if (look.what === 'claim') {
      if (!given.has(look.connection)) givenMs.push(look.at - at);
      given.add(look.connection);
      return;
    }
    takenOverMs.push(look.at - at);
    waiting.delete(look.connection);
    if (waiting.size === 0) resolve();
  });
  if (waiting.size === 0) resolve();
  await Promise.race([promise, sleep(PATIENCE_MS, undefined, { ref: false })]);
  end();
  return { takenOverMs, givenMs, orphans: [...waiting.keys()] };
}
