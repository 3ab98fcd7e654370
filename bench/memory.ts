// `npm run bench -- memory`: the memory that the product uses when idle. Starts it as `npm start` does, in its own
// folder and on its own ports, waits until its first work is done, and prints each process by PSS, which divides pages
// that several processes map between them, so that the sum is what the machine has less. Linux only: it reads /proc.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstFreePort } from '#processes/start/free-port.ts';
import { clusterHomeOf } from '#processes/database/embedded-postgres.ts';

type Sample = {
  readonly name: string;
  readonly processes: number;
  readonly pss: number;
  readonly rss: number;
};

const SAMPLE_EVERY_MS = 10_000;
/** The first work of every role is over by then. */
const SETTLE_MS = 90_000;
const SAMPLES = 13;

const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-memory-'));
const port = await firstFreePort(3900, '127.0.0.1');
const began = Date.now();
const product = spawn(
  process.execPath,
  [path.resolve(import.meta.dirname, '../src/processes/demo-world/main.ts'), 'start'],
  {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const ended = new Promise<void>((resolve) => product.once('exit', () => resolve()));
try {
  await readyLine();
  console.log(
    `ready after ${seconds()} s; at rest it is watched for ${(SETTLE_MS + SAMPLES * SAMPLE_EVERY_MS) / 1_000} s`,
  );
  show(await atRest());
} finally {
  product.kill('SIGTERM');
  await ended;
  for (const place of [dataDir, clusterHomeOf(dataDir)]) rmSync(place, { recursive: true, force: true });
}

function readyLine(): Promise<void> {
  return new Promise((resolve, reject) => {
    product.stdout.on('data', (chunk: Buffer) => chunk.toString().includes('is ready at') && resolve());
    product.once('exit', () => reject(new Error('the product ended before it was ready')));
  });
}

/** The market keeps moving, so no single moment is idle: the median over two minutes, for each process separately. */
async function atRest(): Promise<Sample[]> {
  await sleep(SETTLE_MS);
  const seen: Sample[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    await sleep(SAMPLE_EVERY_MS);
    seen.push(...sample());
  }
  const byName = Map.groupBy(seen, ({ name }) => name);
  return [...byName.values()]
    .filter((samples) => samples.length > SAMPLES / 2)
    .map((samples) => samples.toSorted((one, other) => one.pss - other.pss)[samples.length >> 1]!)
    .toSorted((one, other) => other.pss - one.pss);
}

function show(samples: readonly Sample[]): void {
  console.log('\n| process | processes | PSS MiB | RSS MiB |\n|---|---|---|---|');
  const rows = [
    ...samples,
    {
      name: '**together**',
      processes: total(samples, 'processes'),
      pss: total(samples, 'pss'),
      rss: total(samples, 'rss'),
    },
  ];
  for (const { name, processes, pss, rss } of rows)
    console.log(`| ${name} | ${processes} | ${mebibytes(pss)} | ${mebibytes(rss)} |`);
}

/** The product and all its descendants, those of one name added up; largest first. */
function sample(): Sample[] {
  const byName = Map.groupBy(descendants(product.pid!), nameOf);
  return [...byName]
    .map(([name, pids]) => {
      const memory = pids.map(readMemory);
      const sum = (key: 'pss' | 'rss') => memory.reduce((all, one) => all + one[key], 0);
      return { name, processes: pids.length, pss: sum('pss'), rss: sum('rss') };
    })
    .toSorted((a, b) => b.pss - a.pss);
}

function descendants(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), parent: Number(/^PPid:\s+(\d+)/m.exec(read(pid, 'status'))?.[1]) }));
  const children = (of: number): number[] =>
    parents.filter(({ parent }) => parent === of).flatMap(({ pid }) => [pid, ...children(pid)]);
  return [root, ...children(root)];
}

function nameOf(pid: number): string {
  const words = read(String(pid), 'cmdline').split('\0');
  if (path.basename(words[0] ?? '').startsWith('postgres')) return 'PostgreSQL';
  // The last name wins: earlier files are loaded into it.
  const entry = words.findLast((word) => word.endsWith('.ts') && !word.startsWith('file:'));
  if (entry === undefined) return words[0] || 'ended';
  if (entry.endsWith('sandbox/start.ts')) return 'sandbox';
  // A role is a word of the program.
  return entry.endsWith('/main.ts')
    ? words[words.indexOf(entry) + 1]!.replace('start', 'supervisor')
    : path.basename(entry, '.ts');
}

/** In KiB; nothing of a process that has just ended. */
function readMemory(pid: number): { pss: number; rss: number } {
  const text = read(String(pid), 'smaps_rollup');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
  return { pss: field('Pss'), rss: field('Rss') };
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function total(samples: readonly Sample[], key: 'processes' | 'pss' | 'rss'): number {
  return samples.reduce((sum, one) => sum + one[key], 0);
}

function mebibytes(kibibytes: number): string {
  return (kibibytes / 1024).toFixed(0);
}

function seconds(): string {
  return ((Date.now() - began) / 1_000).toFixed(0);
}
