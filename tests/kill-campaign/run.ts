// `npm run kill-campaign -- --kills N [--seed S] [--report|--collect]`: prints how often each point was struck and what followed;
// exits with 1 when anything was doubled, lost, orphaned or unbalanced.
import { parseArgs } from 'node:util';
import { collectRunReport, writeRunReport } from '../support/run-report.ts';
import { runCampaign } from './campaign.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    report: { type: 'boolean', default: false },
    collect: { type: 'boolean', default: false },
  },
});
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) {
  console.error(`--kills must be a whole number above 0, not "${values.kills}".`);
  process.exit(2);
}
const began = performance.now();
const { strikes, findings } = await runCampaign(kills, { seed: Number(values.seed), say: console.log });
for (const [name, times] of [...strikes].toSorted(([, a], [, b]) => b - a))
  console.log(`${String(times).padStart(5)}  ${name}`);
const { orders, fills, doubled, lost, orphaned, unbalanced } = findings;
const failures = Object.entries({ doubled, lost, orphaned, unbalanced }).flatMap(([word, found]) =>
  found.slice(0, 20).map((one) => `${word}: ${one}`),
);
for (const failure of failures) console.log(failure);
console.log(
  `${kills} strikes, ${orders} orders, ${fills} fills, ${Math.round((performance.now() - began) / 1_000)} s: ` +
    `${doubled.length} doubled, ${lost.length} lost, ${orphaned.length} orphaned, ${unbalanced.length} unbalanced`,
);
if (values.report || values.collect)
  (values.collect ? collectRunReport : writeRunReport)('kill-campaign', {
    title: 'Kill campaign',
    about:
      'Kills and stops traders and PostgreSQL under load, at random and at named points, then checks the books.',
    facts: [
      ['Seed', values.seed],
      ['Strikes', kills],
      ['Orders', orders],
      ['Fills', fills],
      ['Doubled', doubled.length],
      ['Lost', lost.length],
      ['Orphaned', orphaned.length],
      ['Unbalanced', unbalanced.length],
    ],
    table: {
      head: ['Struck', 'Times'],
      rows: [...strikes].toSorted(([, a], [, b]) => b - a).map(([name, times]) => [name, String(times)]),
    },
    failures,
  });
process.exit(doubled.length + lost.length + orphaned.length + unbalanced.length === 0 ? 0 : 1);
