// A campaign on a cluster: one fault after the other while the market runs and orders are under way. After each, everything must go on
// by itself; at the end both sides are counted.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { RAIN } from '../kill-campaign/campaign.ts';
import { type Findings, findings } from '../kill-campaign/findings.ts';
import { chanceOf } from '../simulation/chance.ts';
import { type Cluster, SANDBOX_PORT } from './cluster.ts';
import { FAULTS } from './faults.ts';
import { PATRONI_PORT } from './database-hosts.ts';
import { type Host, until } from './hosts.ts';
import { emailOf, gatherPeople, VENDOR } from './people.ts';
import { type Seen, watchCluster } from './watch.ts';

export type Struck = Seen & {
  readonly name: string;
  /** Processes that ran or waited for a processor of the machine, which all hosts share: the mean of the last minute. */
  readonly load: number;
};

export type Campaign = {
  readonly struck: readonly Struck[];
  readonly answers: ReadonlyMap<string, number>;
  readonly untrue: readonly string[];
  readonly findings: Findings;
};

type Options = {
  readonly faults: number;
  readonly seed: number;
  readonly people: number;
  readonly only: string | undefined;
  /** Ends it before all faults are struck. */
  readonly enough: AbortSignal;
  readonly say: (line: string) => void;
};

/** The longest that a fault may leave something standing, before the campaign ends with an error. */
const WHOLE_WITHIN_MS = 180_000;
/** Faults do not overlap: a fault on top of another may take the majority of the databases away. */
const REST_MS = 4_000;

export async function runCampaign(
  cluster: Cluster,
  { faults, seed, people, only, enough, say }: Options,
): Promise<Campaign> {
  const chance = chanceOf(seed, 11);
  say(`Gathering ${people} people…`);
  const { records, auditor } = await gatherPeople(cluster, people);
  const watch = watchCluster({ baseUrl: cluster.baseUrl, email: emailOf(0), records });
  const kinds = FAULTS.filter(({ name }) => only === undefined || name.includes(only));
  const struck: Struck[] = [];
  try {
    await goesOn(cluster, watch.standing);
    await setFaults(cluster, RAIN);
    while (struck.length < faults && !enough.aborted) {
      const { name, strike } = chance.pick(kinds);
      watch.seen();
      if ((await strike(cluster, chance)) === null) continue;
      await goesOn(cluster, watch.standing);
      const seen = watch.seen();
      struck.push({ name, load: loadavg()[0]!, ...seen });
      const s = (ms: number) => (ms / 1_000).toFixed(1);
      say(
        `${String(struck.length).padStart(4)}  ${name}: writes ${s(seen.writesMs)} s, trading ${s(seen.tradingMs)} s`,
      );
    }
    await setFaults(cluster, []);
    await watch.stop();
    return {
      struck,
      answers: watch.answers,
      untrue: watch.untrue,
      findings: await findings({ records, auditor, vendor: VENDOR }),
    };
  } finally {
    await watch.stop();
    await records.close();
  }
}

/** Waits until everything goes on; throws what does not. */
async function goesOn({ databases }: Cluster, standing: () => readonly string[]): Promise<void> {
  await sleep(REST_MS);
  let missing: readonly string[] = [];
  const holds = async () => {
    const [primary, synchronous] = await Promise.all([databases.primary(), databases.synchronous()]);
    const following = primary === null ? 0 : await followersOf(primary);
    missing = [
      ...standing(),
      ...(synchronous === null ? ['a synchronous standby'] : []),
      ...(following === databases.hosts.length - 1 ? [] : [`databases, of which ${following} follow`]),
    ];
    return missing.length === 0;
  };
  await until('everything', WHOLE_WITHIN_MS, holds).catch(() => {
    throw new Error(`these have not gone on for ${WHOLE_WITHIN_MS / 1_000} s: ${missing.join(', ')}`);
  });
}

/** How many standbys receive what the primary writes. */
async function followersOf({ address }: Host): Promise<number> {
  const answer = await fetch(`http://${address}:${PATRONI_PORT}/patroni`, {
    signal: AbortSignal.timeout(2_000),
  });
  const { replication = [] } = (await answer.json()) as {
    readonly replication?: { readonly state: string }[];
  };
  return replication.filter(({ state }) => state === 'streaming').length;
}

/** The brokerage takes them from its own machine only. */
async function setFaults({ world }: Cluster, rules: readonly object[]): Promise<void> {
  const body = JSON.stringify({ seed: 1, rules });
  const asked = `fetch('http://127.0.0.1:${SANDBOX_PORT}/sandbox/faults', { method: 'POST', body: process.env.BODY,
    headers: { 'content-type': 'application/json' } }).then(({ ok }) => process.exit(ok ? 0 : 1))`;
  const child = world.spawn([process.execPath, '-e', asked], { log: 'faults', env: { BODY: body } });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error('the brokerage did not take its faults');
}
