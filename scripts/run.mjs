// The entry point of every command. Runs on the person's own Node (20 or newer) without dependencies: installs what is
// missing, builds the web app when its sources changed, then starts the pinned Node from node_modules.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [task = 'start', ...rest] = process.argv.slice(2);
const node = path.join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const tool = (file) => path.join(root, 'node_modules', file);

/** The demonstration and a real installation are two programs, which share no wiring. */
const PROGRAM = `src/processes/${worldOf(process.env)}/main.ts`;
const SERVERS = ['start', 'api', 'trader', 'worker'];
const STAND_IN = 'alpaca-stand-in';
/** Words of either program; `demo` is the demonstration's alone. */
const WORDS = ['catalogue', 'doctor', 'staff', 'history', 'demo'];
const COMMANDS = {
  bars: 'src/processes/bars.ts',
  backtest: 'src/processes/backtest.ts',
  client: 'src/processes/client.ts',
  verify: 'src/processes/verify.ts',
  'verify-audit': 'src/processes/verify-audit.ts',
  audit: 'src/processes/audit.ts',
  keys: 'src/processes/keys.ts',
  backup: 'src/processes/backup.ts',
  restore: 'src/processes/restore.ts',
  'verify-evidence': 'src/processes/verify-evidence.ts',
  train: 'models/train.ts',
  'train-tagger': 'models/word-tagger/train.ts',
  bench: 'bench/run.ts',
  load: 'bench/load/run.ts',
  house: 'scripts/house/measure-house.ts',
  vectors: 'tests/vectors/print.ts',
  noise: 'tests/noise/print.ts',
  descriptions: 'tests/descriptions/print.ts',
  'expected-range': 'tests/expectation/print.ts',
  fuzz: 'tests/fuzz/run.ts',
  'hostile-agent': 'tests/hostile-agent/run.ts',
  'news-times': 'tests/news-times/run.ts',
  'followers-year': 'tests/followers-year/run.ts',
  'real-history': 'tests/real-history/print.ts',
  screenshots: 'tests/journeys/screenshots.ts',
  'guardian-screenshots': 'tests/journeys/guardian-screenshots.ts',
  'live-screenshots': 'tests/journeys/live/live-screenshots.ts',
  trace: 'tests/tracing/run.ts',
  simulate: 'tests/simulation/run.ts',
  'kill-campaign': 'tests/kill-campaign/run.ts',
  'assignment-trial': 'bench/assignment/run.ts',
  cluster: 'tests/cluster/run.ts',
  'restore-drill': 'tests/restore-drill/run.ts',
  'upgrade-drill': 'tests/upgrade-drill/run.ts',
  golden: 'tests/golden/write.ts',
  'planted-bugs': 'tests/planted-bugs/run.ts',
  quality: 'tests/quality/quality.ts',
  tables: 'scripts/tables.ts',
  sbom: 'scripts/release/sbom.ts',
  release: 'scripts/release/release.ts',
};

/** Everything that they can be told is a setting. */
const WORDLESS = new Set([...SERVERS, STAND_IN, 'build', 'catalogue', 'demo', 'doctor', 'tables']);

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(`Bellwether needs Node 20 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
process.chdir(root);
if (task === 'help' || (WORDLESS.has(task) && rest.some((word) => word === '--help' || word === '-h'))) {
  help();
  process.exit(0);
}
if (WORDLESS.has(task) && rest.length > 0) {
  console.error(
    `npm ${task === 'start' ? '' : 'run '}${task} takes no arguments, and got "${rest.join(' ')}".\n`,
  );
  help();
  process.exit(1);
}
install();
if (SERVERS.includes(task)) {
  if (task === 'start' || task === 'api') buildWeb();
  serve(PROGRAM, task);
} else if (task === STAND_IN) serve('sandbox/alpaca/start.ts');
else if (task === 'build') buildWeb();
else if (WORDS.includes(task)) run(node, [PROGRAM, task, ...rest]);
else if (task in COMMANDS) {
  // They start a product of their own.
  if (task.endsWith('-screenshots') || task === 'trace' || task === 'cluster') buildWeb();
  run(node, [COMMANDS[task], ...rest]);
} else if (task === 'test') test();
else if (task === 'format') run(node, [tool('@biomejs/biome/bin/biome'), 'format', '--write', '.']);
else {
  console.error(
    `There is no command "${task}". Commands: ${[...SERVERS, STAND_IN, 'build', ...WORDS, ...Object.keys(COMMANDS), 'test', 'format'].join(', ')}.`,
  );
  process.exit(1);
}

/** As src/processes/environment/world.ts has it, which refuses to run as the other one. */
function worldOf({ MARKET, BROKER, APCA_API_KEY_ID }) {
  if (MARKET) return MARKET === 'live' ? 'installation' : 'demo-world';
  return !BROKER && APCA_API_KEY_ID ? 'installation' : 'demo-world';
}

/** What people type first, before anything is installed. */
function help() {
  console.log(`npm start                    the whole product on this machine, at http://localhost:3000; Ctrl-C stops it
npm test                     every check and test
npm run doctor               checks the settings of an installation without trading
npm run api, trader, worker  one role alone, with DATABASE_URL
npm run staff                support accounts, halts and requests

Settings are environment variables: PORT=4000 DATA_DIR=data-second npm start. .env.example lists all of them.
With the keys of an Alpaca paper account it trades that account: docs/operators/own-paper-account.md.
All commands: docs/operators/README.md and docs/developers/README.md.`);
}

function install() {
  const stamp = 'node_modules/.installed';
  const wanted = digest(['package.json', 'package-lock.json']) + process.platform + process.arch;
  // Without a lock, which a read-only image has no place for.
  if (isStamped(stamp, wanted)) return;
  alone(() =>
    once(stamp, wanted, () => {
      console.log('Installing dependencies…');
      run('npm', [
        'ci',
        '--include=dev',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
        '--ignore-scripts=false',
      ]);
    }),
  );
}

function buildWeb() {
  const sources = ['src/web', 'src/units', 'src/engine', 'src/rules', 'src/contract', 'models'].flatMap(walk);
  once('src/web/dist/.built', digest(['package-lock.json', ...sources]), () => {
    console.log('Building the web app…');
    run(node, [
      tool('vite/bin/vite.js'),
      'build',
      '--config',
      'src/web/vite.config.ts',
      '--logLevel',
      'warn',
    ]);
  });
}

function serve(...words) {
  const child = spawn(node, words, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  // npm does not forward signals: when it has exited, so do we.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 0 : 1)));
}

function test() {
  buildWeb();
  run(node, ['scripts/test.ts', ...rest]);
}

/** Runs `work` unless the stamp file already holds `key`; failed work leaves no stamp. */
function once(stamp, key, work) {
  if (isStamped(stamp, key)) return;
  work();
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, key);
}

function isStamped(stamp, key) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === key;
}

/** Two commands started together must not install over each other: the second waits, and finds it done. */
function alone(work) {
  const lock = path.join(root, '.installing');
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!isAlive(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
  }
  const leave = () => rmSync(lock, { force: true });
  process.once('exit', leave);
  work();
  process.off('exit', leave);
  leave();
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function run(command, args) {
  const done = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (done.error) {
    console.error(`${path.basename(command)} could not be started: ${done.error.message}`);
    process.exit(1);
  }
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function walk(place) {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place)
    .filter((name) => name !== 'dist' && !name.includes('.test.'))
    .sort()
    .flatMap((name) => walk(path.join(place, name)));
}

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}
