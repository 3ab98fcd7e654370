import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, type Instant, parseInstant } from '#units/instant.ts';
import { type Advance, openSandboxClock, type SandboxClock } from './clock.ts';

const start = parseInstant('2026-01-05T00:00:00Z');
let folder: string;
let realMs: number;
const opened: SandboxClock[] = [];

function open(daySeconds = 20): SandboxClock {
  const clock = openSandboxClock({
    file: join(folder, 'sandbox', 'clock.json'),
    start,
    daySeconds,
    monotonicMs: () => realMs,
  });
  opened.push(clock);
  return clock;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clock-'));
  realMs = 5_000;
});

afterEach(() => {
  for (const clock of opened.splice(0)) clock.close();
  rmSync(folder, { recursive: true });
});

describe('the sandbox clock', () => {
  it('begins at its start and runs a day in daySeconds', () => {
    const clock = open(20);
    expect(clock.now()).toBe(start);
    realMs += 10_000;
    expect(clock.now()).toBe(start + DAY_MS / 2);
  });

  it('runs in real time when a day takes 86400 seconds', () => {
    const clock = open(86_400);
    realMs += 3_600_000;
    expect(clock.now()).toBe(start + HOUR_MS);
  });

  it('resumes exactly where it was closed and does not count the downtime', () => {
    const first = open();
    realMs += 7_000;
    const stood = first.now();
    first.close();
    realMs += 1_000_000;
    expect(open().now()).toBe(stood);
  });

  it('never goes back after a kill, and skips at most the reserve', () => {
    const killed = open();
    let last = killed.now();
    for (let i = 0; i < 50; i++) {
      realMs += 33;
      last = killed.now();
    }
    const next = open().now();
    expect(next).toBeGreaterThanOrEqual(last);
    expect(next - last).toBeLessThanOrEqual(0.1 * (DAY_MS / 20) + 1);
  });

  it('jumps forward, never back, and reports the interval to its listeners', () => {
    const clock = open();
    const seen: Advance[] = [];
    const stop = clock.onAdvance((advance) => seen.push(advance));
    const to = (start + 3 * DAY_MS) as Instant;
    expect(clock.advanceTo(to)).toBe('advanced');
    expect(clock.advanceTo((to - 1) as Instant)).toBe('already_past');
    expect(clock.now()).toBe(to);
    stop();
    clock.advanceTo((to + DAY_MS) as Instant);
    expect(seen).toEqual([{ from: start, to }]);
  });

  it('stops while paused and continues from there', () => {
    const clock = open();
    realMs += 1_000;
    clock.pause();
    const stood = clock.now();
    realMs += 60_000;
    expect(clock.now()).toBe(stood);
    expect(clock.paused).toBe(true);
    clock.resume();
    realMs += 20_000;
    expect(clock.now()).toBe(stood + DAY_MS);
  });

  it('refuses a foreign file and does not start over', () => {
    open().close();
    writeFileSync(join(folder, 'sandbox', 'clock.json'), '{"now":1}');
    expect(() => open()).toThrow('not a sandbox clock');
  });
});
