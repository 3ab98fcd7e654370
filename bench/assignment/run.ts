// `npm run assignment-trial -- --kills N [--seed S] [--minutes M] [--only kills|load] [--report|--collect]`: judges both ways of assigning work
// to traders. `--collect` adds the run to those in docs/results. Exits with 1 when anything was violated.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';
import { measureLoad } from './load.ts';
import { criteria, earlierRuns, keptCampaign, runOrigin, type TrialRun, writeTrial } from './report.ts';
import { installRestate } from './restate-server.ts';
import { WAYS } from './stage.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    /** The most that both campaigns strike; what settles and is counted after them comes on top. */
    minutes: { type: 'string', default: '6' },
    only: { type: 'string' },
    report: { type: 'boolean', default: false },
    collect: { type: 'boolean', default: false },
  },
});
const [kills, seed, minutes] = [values.kills, values.seed, values.minutes].map(Number) as [
  number,
  number,
  number,
];
if (!(Number.isInteger(kills) && kills > 0 && Number.isInteger(seed) && minutes > 0)) {
  console.error('--kills and --seed must be whole numbers, and --kills and --minutes above 0.');
  process.exit(2);
}
if (values.only !== undefined && !['kills', 'load'].includes(values.only)) {
  console.error(`--only must be "kills" or "load", not "${values.only}".`);
  process.exit(2);
}
installRestate();
const loadBefore = machineLoad();
const campaigns = [];
if (values.only !== 'load')
  for (const way of WAYS) {
    const until = performance.now() + (minutes * 60_000) / WAYS.length;
    campaigns.push(keptCampaign(await runCampaign(way, { kills, seed, until, say: console.log })));
  }
const load = values.only === 'kills' ? null : await measureLoad({ say: console.log });
const run: TrialRun = { ...runOrigin(), seed, campaigns, load, machineLoad: [loadBefore, machineLoad()] };
const runs = [...(values.collect ? earlierRuns() : []), run];
for (const { asked, found, isMet } of criteria(runs))
  console.log(`${isMet ? 'holds         ' : 'does not hold '} ${asked}: ${found}`);
for (const { way, violations } of campaigns) for (const line of violations) console.log(`${way}: ${line}`);
if (values.report || values.collect) writeTrial(runs);
process.exit(campaigns.every(({ violations }) => violations.length === 0) ? 0 : 1);

/** Over five minutes. */
function machineLoad(): number {
  return loadavg()[1]!;
}
