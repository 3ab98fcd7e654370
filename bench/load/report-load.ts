// The pages of the load and of the soak under docs/results, with a chart each.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeRunReport } from '../../tests/support/run-report.ts';
import { quantile } from '../measure.ts';
import { drawChart } from './draw-chart.ts';
import type { Measured, Role } from './measure-load.ts';

/** `name`: of the page and of its chart. */
export function reportLoad(name: string, measured: readonly Measured[]): void {
  const all = measured.toSorted((a, b) => a.size.accounts - b.size.accounts);
  if (all.length > 1) writePicture(`${name}.svg`, chartOf(all));
  const picture = all.length > 1 ? `![Processor time by accounts](../pictures/${name}.svg)\n\n` : '';
  const s = (values: readonly number[], share: number) => (quantile(values, share) / 1_000).toFixed(1);
  const rows = all.map((one) => {
    const { size, seconds, lagMs, closeToLastMs, closeToOrderMs, readMs, healthMs, report, cpuMs } = one;
    const perAccount = (counts: Readonly<Record<string, number>>) =>
      (Object.values(counts).reduce((sum, count) => sum + count, 0) / size.accounts / (seconds / 60)).toFixed(
        1,
      );
    const cpu = (role: Role) => ((cpuMs[role] / seconds / size.accounts) * 1_000).toFixed(0);
    return [
      size.accounts.toString(),
      (size.accounts * size.deploymentsEach).toString(),
      one.orders.toString(),
      `${s(closeToOrderMs, 0.5)} / ${s(closeToLastMs, 0.5)} / ${s(closeToLastMs, 1)}`,
      `${s(lagMs, 0.5)} / ${s(lagMs, 0.95)} / ${s(lagMs, 1)}`,
      `${quantile(readMs, 0.5).toFixed(0)} / ${quantile(readMs, 0.99).toFixed(0)}`,
      quantile(healthMs, 0.95).toFixed(0),
      `${one.atMost.perSecond.toFixed(0)} (${one.atMost.p99Ms.toFixed(0)})`,
      `${perAccount(report.requests)} / ${perAccount(report.statements)}`,
      `${cpu('trader')} / ${cpu('PostgreSQL')} / ${cpu('stand-in')}`,
      `${one.pssMib.trader.toFixed(0)} / ${one.pssMib.API.toFixed(0)} / ${one.pssMib.PostgreSQL.toFixed(0)}`,
    ];
  });
  const { size } = all[0]!;
  const screens = Math.max(...all.map((one) => one.screens));
  const report = {
    title: 'Load',
    about: `${picture}Connected accounts on one machine, against a stand-in of Interactive Brokers that punishes whoever asks more often than the vendor allows. Everything runs on the same processors: trader, API, database, stand-in, and up to ${screens} screens, six an account at most, that hold a stream each and read their deployment every 30 s.`,
    facts: [
      ['A day of the market', `${size.daySeconds} s`],
      ['Days', size.days],
      ['Deployments of each account', size.deploymentsEach],
    ],
    table: {
      head: [
        'Accounts',
        'Deployments',
        'Orders',
        'Close to an order / to the last, middle / worst, s',
        'Trader lags p50 / p95 / worst, s',
        'A read p50 / p99, ms',
        'Health p95, ms',
        'Reads a second at most (p99, ms)',
        'A minute and account: requests / statements',
        'Processor for each account, µs a second: trader / database / stand-in',
        'Memory trader / API / database, MiB',
      ],
      rows,
    },
    failures: all.flatMap(({ failedReads, size: { accounts } }) =>
      failedReads === 0 ? [] : [`${accounts} accounts: ${failedReads} reads failed`],
    ),
  } as const;
  writeRunReport(name, report, 'load');
}

function chartOf(all: readonly Measured[]): string {
  const roles: readonly Role[] = ['trader', 'PostgreSQL', 'stand-in', 'API'];
  return drawChart({
    title: 'Processor time a second, by connected accounts',
    across: 'accounts',
    up: 'ms of a processor each second',
    lines: roles.map((role) => ({
      name: role,
      points: all.map(({ size, cpuMs, seconds }) => [size.accounts, cpuMs[role] / seconds]),
    })),
  });
}

const WATCHED = [
  ['trader', 'the trader'],
  ['heap', 'the trader’s heap'],
  ['API', 'the API'],
  ['PostgreSQL', 'PostgreSQL'],
] as const;

export function reportSoak(measured: Measured, { isKept }: { readonly isKept: boolean }): void {
  const { memory, size, seconds, lagMs, orders, failedReads } = measured;
  const parts = [memory.slice(memory.length >> 3, memory.length >> 1), memory.slice(memory.length >> 1)];
  const middles = (key: Role | 'heap') =>
    parts
      .map((part) =>
        quantile(
          part.map((one) => one[key]),
          0.5,
        ).toFixed(0),
      )
      .join(' / ');
  const facts: readonly (readonly [string, string | number])[] = [
    ['Accounts', size.accounts],
    ['Deployments', size.accounts * size.deploymentsEach],
    ['Minutes', Math.round(seconds / 60)],
    ['A day of the market', `${size.daySeconds} s`],
    ['Orders that left', orders],
    ...WATCHED.map(([key, name]) => [`Memory of ${name}, first / second half, MiB`, middles(key)] as const),
    [
      'The trader lags',
      `p50 ${(quantile(lagMs, 0.5) / 1_000).toFixed(1)} s, worst ${(quantile(lagMs, 1) / 1_000).toFixed(1)} s`,
    ],
  ];
  for (const [fact, value] of facts) console.log(`  ${fact}: ${value}`);
  if (!isKept) return;
  writePicture(
    'soak.svg',
    drawChart({
      title: `Memory, ${size.accounts} accounts`,
      across: 'minutes',
      up: 'MiB',
      lines: WATCHED.map(([key, name]) => ({
        name,
        points: memory.map((one) => [one.atMs / 60_000, one[key]]),
      })),
    }),
  );
  writeRunReport(
    'soak',
    {
      title: 'Soak',
      about:
        '![Memory of trader, API and database](../pictures/soak.svg)\n\nThe load of one size, kept up. Memory is the middle of samples ten seconds apart; the first eighth of the time, while everything warms up, is left out.',
      facts,
      failures: failedReads === 0 ? [] : [`${failedReads} reads failed`],
    },
    'load',
  );
}

function writePicture(name: string, svg: string): void {
  const folder = path.resolve(import.meta.dirname, '../../docs/pictures');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), svg);
}
