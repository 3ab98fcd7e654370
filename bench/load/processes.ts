// Processor time and memory of processes, and of all their children, by /proc: Linux only.
import { readdirSync, readFileSync } from 'node:fs';

export type Usage = {
  /** Since it began. */
  readonly cpuMs: number;
  /** Pages that several processes map are divided between them. */
  readonly pssMib: number;
};

/** Of a process and all its descendants. */
export function usageOf(root: number): Usage {
  const all = descendants(root);
  const cpuMs = all.reduce((sum, pid) => sum + cpuOf(pid), 0);
  const pssKib = all.reduce((sum, pid) => sum + fieldOf(pid, 'smaps_rollup', 'Pss'), 0);
  return { cpuMs, pssMib: pssKib / 1_024 };
}

export function parentOf(pid: number): number {
  return fieldOf(pid, 'status', 'PPid');
}

function descendants(root: number): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = processes.map((name) => ({ pid: Number(name), parent: parentOf(Number(name)) }));
  const under = (of: number): number[] =>
    parents.filter(({ parent }) => parent === of).flatMap(({ pid }) => [pid, ...under(pid)]);
  return [root, ...under(root)];
}

/** Its own, and that of children which have ended. */
function cpuOf(pid: number): number {
  // The name in brackets may contain spaces.
  const fields = read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0);
  return ticks * MS_A_TICK;
}

function fieldOf(pid: number, file: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(read(pid, file))?.[1] ?? 0);
}

/** Empty for a process that has just ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** USER_HZ of Linux is 100 on every machine that Node runs on. */
const MS_A_TICK = 10;
