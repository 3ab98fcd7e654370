// Searches through variants of which none, or one, has any skill, and what the evidence grade says of the best: the
// experiment that shows how often luck is mistaken for skill. Promises the same searches for the same seed.
import { log } from '#engine/math/log.ts';
import { type EvidenceGrade, gradeEvidence } from '#engine/evidence/evidence-grade.ts';
import { uniforms } from '#engine/rehearsal/block-bootstrap.ts';
import { sharpePerPeriod } from '#engine/performance/sharpe-ratio.ts';

export type Search = {
  /** True annual Sharpe ratio of the first variant; all others have none. */
  readonly annualSharpe: number;
  /** Share of the variants' variance that is common to all. */
  readonly marketShare: number;
  /** One in fifty weeks moves five times as far. */
  readonly hasFatTails?: boolean;
  /** Whether the grade counts all trials; otherwise it sees only the best one. */
  readonly isLedgerKept?: boolean;
};

const VARIANTS = 200;
export const WEEKS_A_YEAR = 52;
export const YEARS = 10;

/** The grade of the best of 200 variants over ten years of weeks. */
export function gradeBestOf(search: Search, seed: number): EvidenceGrade {
  const variants = variantsOf(search, seed);
  const sharpes = Float64Array.from(variants, sharpePerPeriod);
  let best = 0;
  for (let v = 1; v < VARIANTS; v++) if (sharpes[v]! > sharpes[best]!) best = v;
  const isLedgerKept = search.isLedgerKept ?? true;
  return gradeEvidence({
    inSample: variants[best]!,
    outOfSample: new Float64Array(),
    periodsPerYear: WEEKS_A_YEAR,
    ledger: isLedgerKept
      ? { count: VARIANTS, sharpes }
      : { count: 1, sharpes: sharpes.subarray(best, best + 1) },
    variants: isLedgerKept ? variants : [],
  }).grade;
}

/** In how many of `runs` searches, each of its own seed, the best is called supported. */
export function countSupported(search: Search, { runs, seed }: { runs: number; seed: number }): number {
  let supported = 0;
  for (let run = 1; run <= runs; run++) {
    if (gradeBestOf(search, seed * run) === 'supported') supported += 1;
  }
  return supported;
}

function variantsOf(
  { annualSharpe, marketShare, hasFatTails = false }: Search,
  seed: number,
): Float64Array[] {
  const { normal, uniform } = randomStream(seed);
  const weeks = YEARS * WEEKS_A_YEAR;
  const shock = hasFatTails ? () => normal() * (uniform() < 0.02 ? 5 : 1) : normal;
  const market = Float64Array.from({ length: weeks }, shock);
  const [common, own] = [Math.sqrt(marketShare), Math.sqrt(1 - marketShare)];
  return Array.from({ length: VARIANTS }, (_, variant) => {
    const edge = variant === 0 ? annualSharpe / Math.sqrt(WEEKS_A_YEAR) : 0;
    return market.map((both) => WEEKLY_DEVIATION * (edge + common * both + own * shock()));
  });
}

/** Random numbers from a seed, as normal draws by the polar method. */
export function randomStream(seed: number) {
  const uniform = uniforms(seed);
  const normal = (): number => {
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square > 0 && square < 1) return x * Math.sqrt((-2 * log(square)) / square);
    }
  };
  return { uniform, normal };
}

const WEEKLY_DEVIATION = 0.02;
