// A clock that the product's processes and the stand-ins have in common, and that the test moves: a live market keeps the wall's
// time, and no test can wait for hours of it, or until an exchange opens.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Instant, instant, parseInstant } from '#units/instant.ts';

export type MovedClock = {
  now(): Instant;
  goTo(at: string): void;
  /** Of the product's processes; its database keeps the machine's time. */
  readonly settings: Readonly<Record<string, string>>;
  remove(): void;
};

export function movedClock(at: string): MovedClock {
  const folder = mkdtempSync(path.join(tmpdir(), 'moved-clock-'));
  const file = path.join(folder, 'by');
  let byMs = 0;
  const goTo = (to: string) => {
    byMs = parseInstant(to) - Date.now();
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(byMs);
    // In place: the processes have it open.
    writeFileSync(file, bytes, { flag: 'r+' });
  };
  writeFileSync(file, Buffer.alloc(8));
  goTo(at);
  const preload = new URL('./preload-clock.ts', import.meta.url).href;
  return {
    now: () => instant(Math.round(Date.now() + byMs)),
    goTo,
    settings: { MOVED_CLOCK: file, NODE_OPTIONS: `--import ${preload}` },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
