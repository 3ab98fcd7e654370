// `npm run kill-campaign -- --kills N [--seed S]`: prints how often what was struck, and what came of it; ends with 1
// when anything was doubled, lost, orphaned or unbalanced.
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
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
for (const [word, found] of Object.entries({ doubled, lost, orphaned, unbalanced }))
  for (const one of found.slice(0, 20)) console.log(`${word}: ${one}`);
console.log(
  `${kills} strikes, ${orders} orders, ${fills} fills, ${Math.round((performance.now() - began) / 1_000)} s: ` +
    `${doubled.length} doubled, ${lost.length} lost, ${orphaned.length} orphaned, ${unbalanced.length} unbalanced`,
);
process.exit(doubled.length + lost.length + orphaned.length + unbalanced.length === 0 ? 0 : 1);
