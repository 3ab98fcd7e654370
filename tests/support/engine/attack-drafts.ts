// What the attack says of the best of a person's thirty drafts, on prices with or without anything to find. Promises the same
// verdicts for the same seed.
import type { AttackVerdict } from '#engine/evidence/attack/attack-result.ts';
import { transplants } from '#engine/evidence/attack/other-instruments.ts';
import { runAttacks } from '#engine/evidence/attack/run-attacks.ts';
import { verdictOf } from '#engine/evidence/attack/verdict.ts';
import { sharpePerPeriod } from '#engine/performance/sharpe-ratio.ts';
import { uniforms } from '#engine/rehearsal/block-bootstrap.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import {
  DAYS,
  type DraftSearch,
  findBestDraft,
  inputOver,
  NOISE_SYMBOL,
  noiseSeries,
} from './search-by-drafts.ts';

/** Two years that nobody has seen while choosing. */
const UNSEEN_DAYS = 730;
const RATE = 0.0002;
const OTHERS = ['BBBUSD', 'CCCUSD', 'DDDUSD'] as Symbol[];

export function attackBestDraft(search: DraftSearch, seed: number) {
  const { definition, evidence, variants } = findBestDraft(search, seed);
  const known = inputOver([noiseSeries(search.drift, seed, NOISE_SYMBOL)], RATE);
  const whole = inputOver([noiseSeries(search.drift, seed, NOISE_SYMBOL, DAYS + UNSEEN_DAYS)], RATE);
  const elsewhere = inputOver(
    [NOISE_SYMBOL, ...OTHERS].map((symbol, place) => noiseSeries(search.drift, seed + place, symbol)),
    RATE,
  );
  const random = uniforms(seed);
  const others = transplants(definition, [...elsewhere.instruments.values()], random);
  const results = runAttacks(
    {
      known: { ...known, definition },
      whole: { ...whole, definition },
      committedAt: instant(known.series.get(NOISE_SYMBOL)!.closedAt.at(-1)!),
      deflatedSharpe: evidence.deflatedSharpe,
      neighbours: variants.slice(1).map(sharpePerPeriod),
      others: typeof others === 'string' ? others : others.map((one) => ({ ...elsewhere, definition: one })),
      isSimulated: true,
      random,
    },
    { reached: () => undefined, ran: () => undefined },
  );
  return { verdict: verdictOf(results), results };
}

/** In how many of `runs` searches, each of its own seed, the verdict is this one. */
export function countVerdicts(
  search: DraftSearch,
  verdict: AttackVerdict,
  { runs, seed }: { runs: number; seed: number },
): number {
  let count = 0;
  for (let run = 1; run <= runs; run++) if (attackBestDraft(search, seed * run).verdict === verdict) count++;
  return count;
}
