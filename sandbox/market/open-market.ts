// The market of this sandbox process: its clock and its prices, simulated or replayed, by the environment that the
// process was started with (see .env.example).
import path from 'node:path';
import { type Instant, type IsoDate, instantOfDate, parseInstant } from '#units/instant.ts';
import { openSandboxClock, type SandboxClock } from './clock.ts';
import type { PriceSource } from './price-source.ts';
import { seedFromText } from './price-models/random.ts';
import { openTape } from './replay.ts';
import { withFutures } from './futures-market.ts';
import { withOptionMarket } from './option-market.ts';
import { withShareActions } from './share-actions.ts';
import { DEFAULT_SEED, simulatedMarket } from './simulated-market.ts';

export type Market = {
  readonly mode: 'sandbox' | 'replay';
  readonly clock: SandboxClock;
  readonly prices: PriceSource;
  /** Where a tape ends; null for the simulated market, which never does. */
  readonly endsAt: Instant | null;
};

/** Reads DATA_DIR, MARKET, SANDBOX_SEED, SANDBOX_DAY_SECONDS, SANDBOX_START, SANDBOX_TAPE and REPLAY_FROM. */
export function openMarket(variables: NodeJS.ProcessEnv): Market {
  const folder = path.join(variables.DATA_DIR ?? 'data', 'sandbox');
  const daySeconds = readDaySeconds(variables.SANDBOX_DAY_SECONDS);
  if (variables.MARKET === 'replay') {
    const start = readDay('REPLAY_FROM', variables.REPLAY_FROM ?? variables.SANDBOX_START);
    const prices = openTape(variables.SANDBOX_TAPE ?? path.join(folder, 'tape'));
    const file = path.join(folder, `clock-replay-${start.date}.json`);
    const clock = openSandboxClock({ file, start: start.at, daySeconds });
    return { mode: 'replay', clock, prices, endsAt: prices.endsAt };
  }
  const start =
    variables.SANDBOX_START === undefined || variables.SANDBOX_START === ''
      ? DEFAULT_START
      : readDay('SANDBOX_START', variables.SANDBOX_START).at;
  const clock = openSandboxClock({ file: path.join(folder, 'clock.json'), start, daySeconds });
  const { SANDBOX_SEED } = variables;
  const seed = SANDBOX_SEED === undefined || SANDBOX_SEED === '' ? DEFAULT_SEED : seedFromText(SANDBOX_SEED);
  return {
    mode: 'sandbox',
    clock,
    prices: withOptionMarket(withFutures(withShareActions(simulatedMarket(seed)))),
    endsAt: null,
  };
}

/** A Monday, so that the first session opens within seconds. */
const DEFAULT_START = parseInstant('2026-01-05T00:00:00Z');

/** One trading day takes twenty seconds by default (design, section 3). */
const DEFAULT_DAY_SECONDS = 20;

function readDaySeconds(text: string | undefined): number {
  const value = text === undefined || text === '' ? DEFAULT_DAY_SECONDS : Number(text);
  if (!(value > 0 && value <= 86_400))
    throw new Error(`SANDBOX_DAY_SECONDS must be above 0 and at most 86400, not "${text}"`);
  return value;
}

function readDay(name: string, text: string | undefined): { date: IsoDate; at: Instant } {
  try {
    return { date: text as IsoDate, at: instantOfDate(text ?? '') };
  } catch {
    throw new Error(`${name} must be a day as YYYY-MM-DD, not "${text ?? ''}"`);
  }
}
