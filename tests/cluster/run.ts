// `npm run cluster`: the product on many hosts of this machine, until Ctrl-C. `-- --campaign` strikes its hosts instead and counts what
// followed: `--faults N`, `--seed S`, `--people N`, `--only WORDS` for faults of one kind, `--day-seconds N`; `--report` or `--collect`
// write docs/results/cluster.md. Ctrl-C ends a campaign early and counts what it struck, unless npm started it: npm ends at once, and
// the hosts are removed. Clusters of different `--number`s run side by side. Exits with 1 on a finding.
import { parseArgs } from 'node:util';
import { buildCluster, claimFolder, keepLogs, removeCluster } from './cluster.ts';
import { runCampaign } from './campaign.ts';
import { whyNoHosts } from './hosts.ts';
import { report } from './report.ts';

const { values } = parseArgs({
  options: {
    campaign: { type: 'boolean', default: false },
    faults: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    people: { type: 'string', default: '6' },
    only: { type: 'string' },
    'day-seconds': { type: 'string' },
    number: { type: 'string', default: '0' },
    report: { type: 'boolean', default: false },
    collect: { type: 'boolean', default: false },
  },
});
const missing = whyNoHosts();
if (missing !== null) {
  console.error(`No cluster can be built here. ${missing}`);
  process.exit(2);
}
const count = (name: 'faults' | 'seed' | 'people' | 'number', least: number, most = 1_000_000) => {
  const given = Number(values[name]);
  if (Number.isInteger(given) && given >= least && given <= most) return given;
  console.error(`--${name} must be a whole number from ${least} to ${most}, not "${values[name]}".`);
  return process.exit(2);
};
const [faults, seed, people] = [count('faults', 1), count('seed', 0), count('people', 1)];
const number = count('number', 0, 255);
try {
  claimFolder(number);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const SAME_KEY_MS = 1_000;
/** Set while a campaign runs. */
let enough: AbortController | null = null;
let askedAt = Number.NEGATIVE_INFINITY;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (signal === 'SIGINT' && enough !== null) {
      // Of one Ctrl-C the terminal and the process that started this one each send a signal.
      if (performance.now() - askedAt < SAME_KEY_MS) return;
      if (!enough.signal.aborted) {
        askedAt = performance.now();
        console.log('\nCounting after this fault; Ctrl-C again removes the hosts at once.');
        return enough.abort();
      }
    }
    console.log('\nRemoving the hosts…');
    removeCluster(number);
    process.exit(signal === 'SIGINT' ? 130 : 143);
  });
// npm does not pass signals on.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 500).unref();

let code = 0;
try {
  const daySeconds = Number(values['day-seconds'] ?? (values.campaign ? 6 : 20));
  const cluster = await buildCluster({ number, daySeconds, say: console.log });
  if (values.campaign) {
    const began = performance.now();
    enough = new AbortController();
    const campaign = await runCampaign(cluster, {
      faults,
      seed,
      people,
      only: values.only,
      enough: enough.signal,
      say: console.log,
    });
    code = report(campaign, {
      seconds: Math.round((performance.now() - began) / 1_000),
      seed,
      keep: values.collect ? 'collect' : values.report ? 'report' : null,
    });
  } else {
    console.log(`\nBellwether is ready at ${cluster.baseUrl}`);
    for (const { name, address } of cluster.all) console.log(`  ${address.padEnd(14)} ${name}`);
    console.log(
      `Logs are in ${cluster.folder}; \`ip netns exec bw${number}-NAME COMMAND\` runs a command on a host. Stop with Ctrl-C.`,
    );
    await new Promise(() => setInterval(() => undefined, 60_000));
  }
} catch (error) {
  console.error(error);
  code = 1;
}
if (code !== 0) console.log(`The logs of its hosts are in ${keepLogs(number)}`);
removeCluster(number);
process.exit(code);
