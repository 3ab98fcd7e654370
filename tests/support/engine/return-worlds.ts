// Worlds of daily returns for the tripwire: records whose spread does and does not change, and live days that continue them
// or decay. Promises the same days for the same seed.
import { afterDay, NO_EVIDENCE, worthOf } from '#engine/expectation/evidence-against.ts';
import { AMBER_AT, RED_AT } from '#engine/expectation/judge-day.ts';
import { publishedReturns } from '#engine/expectation/published-returns.ts';
import { drawBlocks } from '#engine/rehearsal/block-bootstrap.ts';
import { randomStream } from './search-for-luck.ts';

export type ReturnWorld = {
  readonly name: string;
  /** blocks: months of the record itself, in another order. fresh: what made the record goes on. */
  readonly live: 'blocks' | 'fresh';
  /** The next daily return, in standard deviations without its mean. */
  readonly shocks: (random: RandomStream) => () => number;
};

type RandomStream = ReturnType<typeof randomStream>;

const independent = ({ normal }: RandomStream) => normal;

/** Calm and wild weeks take turns (GARCH: Bollerslev, 1986), and one day in a hundred is three times as large. */
const changing = ({ normal, uniform }: RandomStream) => {
  let [last, variance] = [0, 1];
  return () => {
    variance = 0.03 + 0.1 * last * last + 0.87 * variance;
    last = Math.sqrt(variance) * normal() * (uniform() < 0.01 ? 3 : 1);
    return last;
  };
};

/** A part of each day goes on the next one. */
const lasting = ({ normal }: RandomStream) => {
  let last = 0;
  return () => (last = 0.15 * last + Math.sqrt(1 - 0.15 ** 2) * normal());
};

/** Better and worse times of three months on average. */
const regimes = ({ normal, uniform }: RandomStream) => {
  let isWorse = false;
  return () => {
    if (uniform() < 1 / 60) isWorse = !isWorse;
    return normal() + (isWorse ? -0.1 : 0.1);
  };
};

/** Many small gains and few large losses, as of a covered call. */
const lopsided =
  ({ normal, uniform }: RandomStream) =>
  () =>
    uniform() < 0.03 ? -3 * (0.5 + uniform()) : 0.0928 + 0.3 * normal();

const SHOCKS = {
  'independent days': independent,
  'changing spread, fat tails': changing,
  'days that hang together': lasting,
  'better and worse times': regimes,
  'small gains, large losses': lopsided,
} as const;

export const NULL_WORLDS: readonly ReturnWorld[] = Object.entries(SHOCKS).flatMap(([name, shocks]) => [
  { name: `${name}, the record’s own months`, live: 'blocks' as const, shocks },
  { name: `${name}, gone on`, live: 'fresh' as const, shocks },
]);

/** Days of an annual Sharpe ratio, with a daily deviation of one percent. */
export function worldOf(
  { shocks }: Pick<ReturnWorld, 'shocks'>,
  days: number,
  seed: number,
  annualSharpe = 1,
): Float64Array {
  const next = shocks(randomStream(seed));
  const mean = annualSharpe / Math.sqrt(DAYS_A_YEAR);
  return Float64Array.from({ length: days }, () => DEVIATION * (mean + next()));
}

/** A record of ten years, and live days that are no worse. */
export function nullWorld(world: ReturnWorld, { days, seed }: { days: number; seed: number }) {
  const past = worldOf(world, 10 * DAYS_A_YEAR, seed * 7_919);
  if (world.live === 'fresh') return { past, live: worldOf(world, days, seed * 104_729 + 11) };
  const live = new Float64Array(days);
  drawBlocks(live, { returns: past, random: randomStream(seed * 31 + 5).uniform });
  return { past, live };
}

/** The first day on which the evidence is worth so much; infinite for never. */
function dayWorth(worth: number, live: Float64Array, past: Float64Array): number {
  const published = publishedReturns(past)!;
  let evidence = NO_EVIDENCE;
  const at = live.findIndex((one) => worthOf((evidence = afterDay(evidence, one, published))) >= worth);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

type Runs = { readonly days: number; readonly runs: number; readonly seed: number };

/** In how many of the runs, each of its own seed, a record that still holds is ever doubted, and called worse. */
export function countAlarms(world: ReturnWorld, { days, runs, seed }: Runs): { amber: number; red: number } {
  let [amber, red] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const { past, live } = nullWorld(world, { days, seed: seed + run });
    if (Number.isFinite(dayWorth(AMBER_AT, live, past))) amber++;
    if (Number.isFinite(dayWorth(RED_AT, live, past))) red++;
  }
  return { amber, red };
}

/** Days from the decay until red, of the runs that were not red before; infinite for never. */
export function delayOf(
  world: ReturnWorld,
  { after, days, sharpe, runs, seed }: Runs & { readonly after: number; readonly sharpe: number },
): readonly number[] {
  const delays: number[] = [];
  for (let run = 0; run < runs; run++) {
    const { past, live } = nullWorld(world, { days: after + days, seed: seed + run });
    const lost = ((1 - sharpe) / Math.sqrt(DAYS_A_YEAR)) * DEVIATION;
    const decayed = live.map((one, day) => (day < after ? one : one - lost));
    const found = dayWorth(RED_AT, decayed, past);
    if (found >= after) delays.push(found - after);
  }
  return delays;
}

export const DAYS_A_YEAR = 252;
const DEVIATION = 0.01;
