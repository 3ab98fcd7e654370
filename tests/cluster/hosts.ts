// Hosts on one machine: network namespaces behind one switch, with an address, processes, a cable and a clock each. Needs root.
// Networks with different numbers share nothing.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Host = {
  readonly name: string;
  readonly address: string;
  /** Starts a program there, with its output in the log of that name. */
  spawn(command: readonly string[], options: SpawnOptions): ChildProcess;
  /** Of every process there whose command line holds the word; returns how many got it. */
  signal(signal: NodeJS.Signals, word?: string): number;
  /** Pulls the cable out: packets vanish, nobody is told. */
  cutOff(): void;
  /** Hears nothing any more from that host. */
  deafenTo(other: Host): void;
  hearAgain(other: Host): void;
  /** Drops this share of its packets, both ways; 0 ends it. */
  lose(share: number): void;
  /** Each packet takes that much longer, both ways. */
  slowDown(ms: number): void;
  /** Plugs the cable in again, and ends slowness. */
  heal(): void;
  /** How far its clock is ahead of the machine's. */
  setClock(seconds: number): void;
  /** What makes a program read that clock. */
  readonly clockVariables: readonly string[];
};

type SpawnOptions = {
  readonly log: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: string;
  /** Reads the clock of its host and not the machine's. */
  readonly ownClock?: boolean;
};

/** Documentation calls it shared address space: no network outside uses it. */
const addressOf = (network: number, host: number) => `100.89.${network}.${host}`;
const GATEWAY = 1;
/** Of namespaces and cables; a cable's name has at most 15 characters. */
const prefixOf = (network: number) => `bw${network}-`;
const switchOf = (network: number) => `${prefixOf(network)}switch`;
const cableOf = (network: number) => `${prefixOf(network)}cable`;
const FAKE_TIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** Packages of Debian 12 that a cluster needs, by a file of each. */
const NEEDED: Readonly<Record<string, string>> = {
  '/usr/sbin/ip': 'iproute2',
  '/usr/sbin/iptables': 'iptables',
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/sbin/pgbouncer': 'pgbouncer',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  [FAKE_TIME]: 'libfaketime',
};

/** Why no cluster can be built here; null when it can. */
export function whyNoHosts(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'hosts are network namespaces, which need Linux and root: run it as root on Debian 12';
  const missing = Object.entries(NEEDED).flatMap(([file, name]) => (existsSync(file) ? [] : [name]));
  return missing.length === 0 ? null : `apt-get install ${missing.join(' ')}: missing here`;
}

/** A switch that our own machine is plugged into as well. */
export function buildSwitch(network: number): void {
  removeHosts(network);
  const [space, cable] = [switchOf(network), cableOf(network)];
  ip('netns', 'add', space);
  at(space, 'ip', 'link', 'set', 'lo', 'up');
  at(space, 'ip', 'link', 'add', 'br0', 'type', 'bridge');
  at(space, 'ip', 'link', 'set', 'br0', 'up');
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'p-machine', 'netns', space);
  at(space, 'ip', 'link', 'set', 'p-machine', 'master', 'br0', 'up');
  ip('addr', 'add', `${addressOf(network, GATEWAY)}/24`, 'dev', cable);
  ip('link', 'set', cable, 'up');
}

type Place = { readonly network: number; readonly folder: string };

export function buildHost(name: string, number: number, { network, folder }: Place): Host {
  const space = `${prefixOf(network)}${name}`;
  const hub = switchOf(network);
  const port = `p-${name}`;
  const address = addressOf(network, number);
  ip('netns', 'add', space);
  ip('link', 'add', 'eth0', 'netns', space, 'type', 'veth', 'peer', 'name', port, 'netns', hub);
  at(hub, 'ip', 'link', 'set', port, 'master', 'br0', 'up');
  at(space, 'ip', 'link', 'set', 'lo', 'up');
  at(space, 'ip', 'addr', 'add', `${address}/24`, 'dev', 'eth0');
  at(space, 'ip', 'link', 'set', 'eth0', 'up');
  const clock = path.join(folder, `${name}.clock`);
  writeClock(clock, 0);
  return hostAt({ name, space, address, hub, port, clock, folder });
}

type Wiring = Record<'name' | 'space' | 'address' | 'hub' | 'port' | 'clock' | 'folder', string>;

function hostAt({ name, space, address, hub, port, clock, folder }: Wiring): Host {
  let slow: ChildProcess | null = null;
  const speedUp = () => {
    slow?.kill('SIGKILL');
    slow = null;
  };
  return {
    name,
    address,
    spawn(command, { log, env = {}, user, ownClock = false }) {
      const file = openSync(path.join(folder, `${log}.log`), 'a');
      const as =
        user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
      const timed = ownClock ? ['env', ...clockVariables(clock)] : [];
      const child = spawn('ip', ['netns', 'exec', space, ...as, ...timed, ...command], {
        env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env },
        stdio: ['ignore', file, file],
        detached: true,
      });
      closeSync(file);
      return child;
    },
    signal: (signal, word = '') => signalAll(space, signal, word),
    cutOff: () => at(hub, 'ip', 'link', 'set', port, 'nomaster'),
    deafenTo: (other) => at(space, 'iptables', '-I', 'INPUT', '-s', other.address, '-j', 'DROP'),
    hearAgain: (other) => at(space, 'iptables', '-D', 'INPUT', '-s', other.address, '-j', 'DROP'),
    lose(share) {
      at(space, 'iptables', '-F');
      const by = ['-m', 'statistic', '--mode', 'random', '--probability', String(share), '-j', 'DROP'];
      if (share > 0)
        for (const [chain, side] of [
          ['INPUT', '-i'],
          ['OUTPUT', '-o'],
        ] as const)
          at(space, 'iptables', '-A', chain, side, 'eth0', ...by);
    },
    slowDown(ms) {
      speedUp();
      slow = spawn('ip', ['netns', 'exec', hub, 'python3', SLOW_LINK, port, String(ms)], {
        stdio: ['ignore', 'ignore', 'inherit'],
        detached: true,
      });
    },
    heal() {
      speedUp();
      at(hub, 'ip', 'link', 'set', port, 'master', 'br0');
    },
    setClock: (seconds) => writeClock(clock, seconds),
    clockVariables: clockVariables(clock),
  };
}

const SLOW_LINK = path.join(import.meta.dirname, 'slow-link.py');

/** Ends everything that runs on hosts, and the hosts; also those of a run that was killed. */
export function removeHosts(network: number): void {
  const cable = cableOf(network);
  const spaces = ip('netns', 'list')
    .split('\n')
    .flatMap((line) => line.split(' ', 1))
    .filter((space) => space.startsWith(prefixOf(network)));
  // Those that restart others come first in no order: twice finds what was started meanwhile.
  for (let i = 0; i < 2; i++) for (const space of spaces) signalAll(space, 'SIGKILL', '');
  for (const space of spaces) ip('netns', 'delete', space);
  const isPlugged = () => existsSync(`/sys/class/net/${cable}`);
  try {
    if (isPlugged()) ip('link', 'delete', cable);
  } catch (error) {
    // It goes with the namespace of its other end, a moment later.
    if (isPlugged()) throw error;
  }
}

/** Its command holds the words of what it starts again. */
export const KEEPER = 'keeper';

function signalAll(space: string, signal: NodeJS.Signals, word: string): number {
  let signalled = 0;
  for (const pid of ip('netns', 'pids', space).split('\n').filter(Boolean).map(Number)) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (word !== '' && (!command.includes(word) || command.includes(`\0${KEEPER}\0`))) continue;
      process.kill(pid, signal);
      signalled += 1;
    } catch {
      // It has ended meanwhile.
    }
  }
  return signalled;
}

/** Replaced as a whole: no program reads half of it. */
function writeClock(file: string, seconds: number): void {
  writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  renameSync(`${file}.new`, file);
}

function clockVariables(file: string): string[] {
  return [
    `LD_PRELOAD=${FAKE_TIME}`,
    `FAKETIME_TIMESTAMP_FILE=${file}`,
    'FAKETIME_CACHE_DURATION=1',
    // Steady clocks stay steady, as on a machine whose wall clock is set.
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
    'DONT_FAKE_MONOTONIC=1',
    'FAKETIME_DONT_RESET=1',
    'NO_FAKE_STAT=1',
  ];
}

function ip(...words: readonly string[]): string {
  return execFileSync('ip', words, { encoding: 'utf8' });
}

function at(space: string, ...command: readonly string[]): void {
  execFileSync('ip', ['netns', 'exec', space, ...command], { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Waits until it holds; the sentence says what did not come. */
export async function until(what: string, withinMs: number, holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  for (;;) {
    if (await holds().catch(() => false)) return performance.now() - began;
    if (performance.now() - began > withinMs)
      throw new Error(`${what} did not come within ${withinMs / 1_000} s`);
    await sleep(200);
  }
}
