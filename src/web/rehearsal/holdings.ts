// What a strategy wants held now, decided in this browser by the function that decides in trading.
import type { EvidenceRunInput } from '#engine/evidence/evidence-run.ts';
import { evaluate } from '#engine/strategy/evaluate.ts';
import type { InstrumentReceipt } from '#engine/strategy/evaluate.ts';
import { type Instant, instant } from '#units/instant.ts';

export type Holdings = {
  /** The newest close that was read. */
  readonly asOf: Instant;
  readonly instruments: readonly (InstrumentReceipt & { readonly name: string })[];
};

/** Every instrument that the strategy reads for trading, the largest position first. */
export function holdingsOf({ definition, series, instruments, scores }: EvidenceRunInput): Holdings {
  const asOf = instant(Math.max(...[...series.values()].map(({ closedAt }) => closedAt.at(-1) ?? 0)));
  const { receipt } = evaluate(definition, series, asOf, scores);
  return {
    asOf,
    instruments: receipt.instruments
      .map((one) => ({ ...one, name: instruments.get(one.symbol)?.name ?? one.symbol }))
      .toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight)),
  };
}
