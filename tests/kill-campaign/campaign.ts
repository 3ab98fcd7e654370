// Kills and stops traders and database processes, at random and at named points, while the market runs and orders are
// under way; then lets everything settle and counts what was doubled, lost, orphaned or unbalanced.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Chance, chanceOf } from '../simulation/chance.ts';
import { type Findings, findings } from './findings.ts';
import { type Listening, listenToPoints, type Point, POINTS } from './points.ts';
import { openStage, type Stage } from './stage.ts';

export type Campaign = {
  readonly strikes: ReadonlyMap<string, number>;
  readonly findings: Findings;
};

const TRADERS = 2;

export async function runCampaign(
  kills: number,
  { seed, say }: { readonly seed: number; readonly say: (line: string) => void },
): Promise<Campaign> {
  const chance = chanceOf(seed, 7);
  const stage = await openStage();
  const strikes = new Map<string, number>();
  try {
    for (let i = 0; i < TRADERS; i++) stage.addTrader();
    await stage.setFaults(RAIN);
    let points = await listenToPoints(stage.ownerUrl);
    let struck = 0;
    while (struck < kills) {
      const strike = chance.pick(STRIKES);
      const name = await strike(stage, chance, points);
      if (name === null) continue;
      struck += 1;
      strikes.set(name, (strikes.get(name) ?? 0) + 1);
      if (struck % 50 === 0) say(`${struck} strikes`);
      if (name.includes('database')) {
        await points.close();
        points = await listenAgain(stage);
      }
    }
    await points.close();
    await stage.setFaults([]);
    return { strikes, findings: await findings({ ...stage, vendor: 'scripted' }) };
  } finally {
    await stage.close();
  }
}

/** Constant faults at the broker: answers are lost, before and after an order was taken. */
export const RAIN: readonly object[] = [
  { on: 'submit', fault: { kind: 'takes_repeats' } },
  { on: 'submit', probability: 0.08, fault: { kind: 'lost', when: 'after', how: 'close' } },
  { on: 'submit', probability: 0.05, fault: { kind: 'lost', when: 'before', how: 'close' } },
  { on: 'fill', probability: 0.2, fault: { kind: 'partial_fill', share: 0.5 } },
];

type Strike = (stage: Stage, chance: Chance, points: Listening) => Promise<string | null>;

const STRIKES: readonly Strike[] = [
  async ({ traders }, chance) => {
    await sleep(chance.below(900));
    chance.pick(traders).kill('SIGKILL');
    return 'SIGKILL of a trader at random';
  },
  ...(Object.keys(POINTS) as Point[]).map(
    (point): Strike =>
      async ({ traders }, _, points) => {
        if ((await points.next(point, 6_000)) === null) return null;
        for (const trader of traders) trader.kill('SIGKILL');
        return `SIGKILL of every trader when ${point}`;
      },
  ),
  async ({ traders }, chance, points) => {
    const stopped = chance.pick(traders);
    await points.next(chance.pick(Object.keys(POINTS) as Point[]), 4_000);
    stopped.kill('SIGSTOP');
    await sleep(chance.pick([300, 2_000, 17_000]));
    stopped.kill('SIGCONT');
    return 'SIGSTOP of a trader, then SIGCONT';
  },
  async (stage, chance) => {
    await sleep(chance.below(900));
    const pid = await serverProcess(stage, chance);
    if (pid === null) return null;
    return signal(pid, 'SIGKILL') ? 'SIGKILL of a database process' : null;
  },
  async (stage, chance) => {
    const pid = await serverProcess(stage, chance);
    if (pid === null) return null;
    if (!signal(pid, 'SIGSTOP')) return null;
    await sleep(chance.pick([500, 3_000]));
    signal(pid, 'SIGCONT');
    return 'SIGSTOP of a database process, then SIGCONT';
  },
];

/** False when the process had ended before. */
function signal(pid: number, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** One that serves a trader. PostgreSQL ends all of them and recovers when one is killed. */
async function serverProcess({ ownerUrl }: Stage, chance: Chance): Promise<number | null> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and application_name = '' order by pid`,
    );
    return rows.length === 0 ? null : chance.pick(rows).pid;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function listenAgain({ ownerUrl }: Stage): Promise<Listening> {
  for (;;) {
    try {
      return await listenToPoints(ownerUrl);
    } catch {
      await sleep(200);
    }
  }
}
