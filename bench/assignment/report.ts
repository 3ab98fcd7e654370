// The page and the figures of the trial: every run adds its own, and the verdict is over all of them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { originOf, type RunOrigin, tableOf } from '../../tests/support/run-report.ts';
import { median, quantile } from '../measure.ts';
import type { Campaign } from './campaign.ts';
import type { Load } from './load.ts';
import { WAYS, type Way } from './stage.ts';
import { STRIKES, type StrikeName } from './strikes.ts';

/** One run; times in milliseconds by kind of strike. */
export type TrialRun = RunOrigin & {
  readonly seed: number;
  readonly campaigns: readonly KeptCampaign[];
  readonly load: Load | null;
  /** How busy the machine was, all processes together, over five minutes: at the beginning, and at the end where it was noted. */
  readonly machineLoad: readonly number[];
};
type KeptCampaign = Pick<Campaign, 'way' | 'orders' | 'fills' | 'violations'> & {
  readonly strikes: Readonly<Partial<Record<StrikeName, KeptStrikes>>>;
};
type KeptStrikes = { readonly times: number; readonly takenOverMs: number[]; readonly givenMs: number[] };

export const KILLS_NEEDED = 10_000;
const TAKEN_OVER_WITHIN_MS = 2_000;
const FAN_OUT_MIN = 0.95;
const RESULTS = path.resolve(import.meta.dirname, '../../docs/results');
const NAME = 'assignment-trial';
const PAUSE: StrikeName = 'pause longer than a lease';

export function keptCampaign({ way, orders, fills, violations, struck }: Campaign): KeptCampaign {
  const strikes = [...Map.groupBy(struck, ({ name }) => name)].map(
    ([name, all]): [StrikeName, KeptStrikes] => [
      name,
      {
        times: all.length,
        takenOverMs: all.flatMap(({ takenOverMs }) => takenOverMs),
        givenMs: all.flatMap(({ givenMs }) => givenMs),
      },
    ],
  );
  return { way, orders, fills, violations, strikes: Object.fromEntries(strikes) };
}

export function earlierRuns(): readonly TrialRun[] {
  const file = path.join(RESULTS, `${NAME}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TrialRun[]) : [];
}

export function writeTrial(runs: readonly TrialRun[]): void {
  writeFileSync(path.join(RESULTS, `${NAME}.json`), `${JSON.stringify(runs)}\n`);
  writeFileSync(path.join(RESULTS, `${NAME}.md`), formatTrial(runs));
  console.log(`Result written to docs/results/${NAME}.md`);
}

export const runOrigin = (): RunOrigin => originOf(NAME);

export type Criterion = { readonly asked: string; readonly found: string; readonly isMet: boolean };

/** What has to hold before Restate takes the place of the leases. */
export function criteria(runs: readonly TrialRun[]): readonly Criterion[] {
  const { kills, violations, takenOverMs } = sumOf(runs, 'restate');
  const p99 = quantile(takenOverMs, 0.99);
  const fanOut = ratio(runs);
  return [
    {
      asked: `${KILLS_NEEDED.toLocaleString('en-US')} kills`,
      found: kills.toLocaleString('en-US'),
      isMet: kills >= KILLS_NEEDED,
    },
    { asked: '0 violations', found: String(violations.length), isMet: violations.length === 0 },
    {
      asked: 'taken over within 2 s at p99',
      found: seconds(p99),
      isMet: p99 <= TAKEN_OVER_WITHIN_MS,
    },
    {
      asked: 'fan-out at least 95% of today’s',
      found: Number.isNaN(fanOut) ? 'not measured' : `${(fanOut * 100).toFixed(0)}%`,
      isMet: fanOut >= FAN_OUT_MIN,
    },
  ];
}

export function formatTrial(runs: readonly TrialRun[]): string {
  const load = runs.findLast((run) => run.load !== null)?.load ?? null;
  const violations = WAYS.flatMap((way) => sumOf(runs, way).violations.map((line) => `- ${way}: ${line}`));
  return `${[
    '# Assignment of work to traders, on trial',
    'Shard leases, as the product has them, beside a Restate virtual object for each broker connection, behind the same fence. This file is written by the command; do not edit it.',
    tableOf(
      ['To be adopted', 'Found', ''],
      criteria(runs).map(({ asked, found, isMet }) => [asked, found, isMet ? 'holds' : '**does not hold**']),
    ),
    '## Strikes',
    'Taken over: from the strike to the first look of the next owner at each connection that lost its own. Given: until its fence was raised for that owner; from there on both ways are the product’s own tick.',
    tableOf(
      ['', 'Strike', 'Times', 'Taken over p50', 'p99', 'worst', 'Given p50', 'p99'],
      WAYS.flatMap((way) => strikeRows(runs, way)),
    ),
    tableOf(
      ['', 'Kills', 'Orders', 'Fills', 'Violations', 'Taken over p50', 'p99'],
      WAYS.map((way) => totals(runs, way)),
    ),
    ...(load === null ? [] : loadSections(load)),
    '## Runs',
    tableOf(
      ['Date', 'Commit', 'Command', 'Load of the machine', 'Kills of leases', 'of Restate'],
      runs.map((run) => [
        run.date,
        run.commit,
        `\`${run.command}\``,
        run.machineLoad.map((one) => one.toFixed(1)).join(' to '),
        ...WAYS.map((way) => String(sumOf([run], way).kills)),
      ]),
    ),
    ...(violations.length === 0 ? [] : ['## Violations', violations.join('\n')]),
  ].join('\n\n')}\n`;
}

type Sum = {
  readonly kills: number;
  readonly orders: number;
  readonly fills: number;
  readonly violations: readonly string[];
  /** After kills; a pause is none. */
  readonly takenOverMs: readonly number[];
};

function sumOf(runs: readonly TrialRun[], way: Way): Sum {
  const mine = campaignsOf(runs, way);
  const kills = mine.flatMap(({ strikes }) =>
    Object.entries(strikes).flatMap(([name, kept]) => (name === PAUSE ? [] : [kept])),
  );
  const add = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
  return {
    kills: add(kills.map(({ times }) => times)),
    orders: add(mine.map(({ orders }) => orders)),
    fills: add(mine.map(({ fills }) => fills)),
    violations: mine.flatMap((one) => one.violations),
    takenOverMs: kills.flatMap((one) => one.takenOverMs),
  };
}

const campaignsOf = (runs: readonly TrialRun[], way: Way) =>
  runs.flatMap(({ campaigns }) => campaigns.filter((one) => one.way === way));

function strikeRows(runs: readonly TrialRun[], way: Way): string[][] {
  return (Object.keys(STRIKES) as StrikeName[]).flatMap((name) => {
    const all = campaignsOf(runs, way).flatMap(({ strikes }) => strikes[name] ?? []);
    const taken = all.flatMap(({ takenOverMs }) => takenOverMs);
    const given = all.flatMap(({ givenMs }) => givenMs);
    if (all.length === 0) return [];
    const times = all.reduce((sum, one) => sum + one.times, 0);
    return [
      [way, name, String(times), ...middleAndEnd(taken), seconds(Math.max(...taken)), ...middleAndEnd(given)],
    ];
  });
}

function totals(runs: readonly TrialRun[], way: Way): string[] {
  const { kills, orders, fills, violations, takenOverMs } = sumOf(runs, way);
  return [way, ...[kills, orders, fills, violations.length].map(String), ...middleAndEnd(takenOverMs)];
}

const middleAndEnd = (ms: readonly number[]) => [seconds(median(ms)), seconds(quantile(ms, 0.99))];

const seconds = (ms: number) => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(2)} s` : '');

/** Of the newest run that measured it: how fast Restate fans out, with the leases' speed as one. */
function ratio(runs: readonly TrialRun[]): number {
  const load = runs.findLast((run) => run.load !== null)?.load;
  return load ? median(load.leases.fanOutMs) / median(load.restate.fanOutMs) : Number.NaN;
}

function loadSections(load: Load): string[] {
  const rows = WAYS.map((way) => {
    const { fanOutMs, idle } = load[way];
    const share = (ms: number) => `${((100 * ms) / idle.wallMs).toFixed(1)}%`;
    return [
      way,
      `${median(fanOutMs).toFixed(0)} ms`,
      (idle.transactions / (idle.wallMs / 1_000)).toFixed(1),
      share(idle.traderCpuMs),
      share(idle.databaseCpuMs),
      share(idle.serverCpuMs),
      `${idle.traderMib.toFixed(0)} MiB`,
      `${idle.serverMib.toFixed(0)} MiB`,
    ];
  });
  return [
    '## Load',
    `${load.deployments.toLocaleString('en-US')} deployments at ${load.connections.toLocaleString('en-US')} connections of one trader. Fan-out is from the bar to the last durable order, the middle of ${load.leases.fanOutMs.length} rounds in turns. ` +
      'At rest no connection is due for a look: what is left is what the assignment and the empty ticks cost, in shares of one core.',
    tableOf(
      [
        '',
        'Fan-out',
        'Transactions a second at rest',
        'Trader',
        'PostgreSQL',
        'Restate and proxy',
        'Memory of the trader',
        'Memory of Restate and proxy',
      ],
      rows,
    ),
  ];
}
