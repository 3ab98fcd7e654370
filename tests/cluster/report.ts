// What a campaign on a cluster found: a table on the screen and, when it is kept, docs/results/cluster.md.
import { availableParallelism } from 'node:os';
import { collectRunReport, type RunReport, writeRunReport } from '../support/run-report.ts';
import type { Campaign, Struck } from './campaign.ts';

/** The most that a lost host may cost. */
const TAKEN_OVER_WITHIN_MS = 30_000;

type How = { readonly seconds: number; readonly seed: number; readonly keep: 'report' | 'collect' | null };

/** Returns the exit code. */
export function report(campaign: Campaign, { seconds, seed, keep }: How): number {
  const { struck, answers, untrue, findings } = campaign;
  const { orders, fills, doubled, lost, orphaned, unbalanced } = findings;
  const found = Object.entries({ doubled, lost, orphaned, unbalanced, untrue }).flatMap(([word, all]) =>
    all.slice(0, 20).map((one) => `${word}: ${one}`),
  );
  const late = struck.filter(isLate);
  for (const [name, times] of [...answers].toSorted(([, a], [, b]) => b - a))
    console.log(`${String(times).padStart(6)}  ${name}`);
  for (const [name, all] of byName(struck))
    console.log(`${String(all.length).padStart(4)}  ${name}: ${longest(all)}`);
  for (const line of found) console.log(line);
  console.log(
    `${struck.length} faults, ${orders} orders, ${fills} fills, ${seconds} s: ${doubled.length} doubled, ${lost.length} lost, ` +
      `${orphaned.length} orphaned, ${unbalanced.length} unbalanced, ${untrue.length} untrue, ${late.length} later than 30 s`,
  );
  const page: RunReport = {
    title: 'Campaign on a cluster',
    about:
      'Kills, freezes, cuts off and slows down hosts of a cluster of databases, proxy, APIs, traders and workers on one machine, then checks the books.',
    facts: [
      ['Faults', struck.length],
      ['Orders', orders],
      ['Fills', fills],
      ['Doubled', doubled.length],
      ['Lost', lost.length],
      ['Orphaned', orphaned.length],
      ['Unbalanced', unbalanced.length],
      ['Untrue answers to a client', untrue.length],
      ['Taken over later than after 30 s', late.length],
      ['Seed', String(seed)],
    ],
    table: {
      head: ['Struck', 'Times'],
      rows: [...byName(struck)].map(([name, all]) => [name, String(all.length)]),
    },
    failures: [
      ...found,
      ...late.map(
        ({ name, writesMs, tradingMs, load }) =>
          `late: ${name}: ${seconds1(writesMs)} and ${seconds1(tradingMs)}, with ${Math.round(load)} processes on ${availableParallelism()} processors`,
      ),
    ],
  };
  if (keep !== null) (keep === 'collect' ? collectRunReport : writeRunReport)('cluster', page);
  return found.length === 0 && late.length === 0 ? 0 : 1;
}

const isLate = ({ writesMs, tradingMs }: Struck) => Math.max(writesMs, tradingMs) > TAKEN_OVER_WITHIN_MS;

const byName = (struck: readonly Struck[]) =>
  [...Map.groupBy(struck, ({ name }) => name)].toSorted(([, a], [, b]) => b.length - a.length);

const seconds1 = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

function longest(all: readonly Struck[]): string {
  const most = (of: (one: Struck) => number) => seconds1(Math.max(...all.map(of)));
  return `without a write at most ${most(({ writesMs }) => writesMs)}, without a trader ${most(({ tradingMs }) => tradingMs)}, without a word on the stream ${most(({ streamMs }) => streamMs)}`;
}
