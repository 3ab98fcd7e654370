// The sandbox's clock: simulated time that runs linearly while the process lives and stops while it does not.
// It never goes back, not even after a kill -9: it returns no instant before a later one is safely on disk.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DAY_MS, type Instant, instant, isoText, parseInstant, SECOND_MS } from '#units/instant.ts';

export type Advance = { readonly from: Instant; readonly to: Instant };

export type SandboxClock = {
  /** The simulated instant. Never less than an answer given before, also across restarts. */
  now(): Instant;
  /** Real seconds that one simulated calendar day takes. */
  readonly daySeconds: number;
  readonly paused: boolean;
  /** Jumps forward. An instant that is already past is refused, and nothing changes. */
  advanceTo(to: Instant): 'advanced' | 'already_past';
  pause(): void;
  resume(): void;
  /** Calls back with each stretch of time that passed, in order and without holes. Returns how to stop it. */
  onAdvance(listener: (advance: Advance) => void): () => void;
  /** Writes the exact time and stops ticking. */
  close(): void;
};

type ClockSettings = {
  /** Where the clock remembers how far it came. */
  readonly file: string;
  /** Where a clock without a file begins. */
  readonly start: Instant;
  readonly daySeconds: number;
  /** Real milliseconds since some fixed moment, never going back; not counted while the machine sleeps. */
  readonly monotonicMs?: () => number;
};

export function openSandboxClock(settings: ClockSettings): SandboxClock {
  const { file, daySeconds } = settings;
  if (!(daySeconds > 0))
    throw new RangeError(`a simulated day must take more than 0 seconds, not ${daySeconds}`);
  const monotonicMs = settings.monotonicMs ?? (() => performance.now());
  const rate = DAY_MS / (daySeconds * SECOND_MS);
  const listeners = new Set<(advance: Advance) => void>();

  let anchor = readReached(file) ?? settings.start;
  let anchorRealMs = monotonicMs();
  let paused = false;
  let reserved = anchor;
  let sent = anchor;
  write(file, reserved);

  const reserve = (at: Instant) => {
    if (at <= reserved) return;
    reserved = instant(Math.ceil(at + RESERVE_REAL_MS * rate));
    write(file, reserved);
  };
  const now = () => {
    const ran = paused ? 0 : Math.floor((monotonicMs() - anchorRealMs) * rate);
    const at = instant(anchor + Math.max(0, ran));
    reserve(at);
    return at;
  };
  const tell = () => {
    const to = now();
    if (to === sent) return;
    const advance = { from: sent, to };
    sent = to;
    for (const listener of listeners) listener(advance);
  };
  const setAnchor = (at: Instant) => {
    anchor = at;
    anchorRealMs = monotonicMs();
  };
  const timer = setInterval(tell, TICK_REAL_MS);
  timer.unref();

  return {
    now,
    daySeconds,
    get paused() {
      return paused;
    },
    advanceTo(to) {
      if (to < now()) return 'already_past';
      setAnchor(to);
      reserve(to);
      tell();
      return 'advanced';
    },
    pause() {
      setAnchor(now());
      paused = true;
    },
    resume() {
      if (paused) setAnchor(anchor);
      paused = false;
    },
    onAdvance(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearInterval(timer);
      setAnchor(now());
      paused = true;
      write(file, anchor);
    },
  };
}

/** How far the disk is ahead of the returned time, in real time: the most that a kill -9 can skip. */
const RESERVE_REAL_MS = 100;
const TICK_REAL_MS = 50;

function readReached(file: string): Instant | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const saved: unknown = JSON.parse(text);
  if (typeof saved === 'object' && saved !== null && 'reached' in saved && typeof saved.reached === 'string')
    return parseInstant(saved.reached);
  throw new Error(`${file} is not a sandbox clock; move it away to start a new clock`);
}

function write(file: string, reached: Instant): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.next`, `${JSON.stringify({ reached: isoText(reached) })}\n`);
  renameSync(`${file}.next`, file);
}
