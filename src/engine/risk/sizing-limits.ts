// What a broker takes of a size, beyond what the instrument itself allows. Promises the coarser of both steps, so that no
// order is sized that its broker refuses for its fraction.
import type { Quantity } from '#units/quantity.ts';
import { type Instrument, type InstrumentKind, orderStep } from '../market/instrument.ts';

export type SizingLimits = {
  /** The smallest step by kind; that of the instrument where nothing is said. A short position has its own. */
  readonly steps: {
    readonly [Kind in InstrumentKind]?: { readonly long?: Quantity; readonly short?: Quantity };
  };
  /** No order goes from long to short or back: a position is closed first, and opened on the other side afterwards. */
  readonly closesBeforeTurning: boolean;
};

/** The step of a position of this sign: zero counts as long. */
export function stepOf(
  instrument: Pick<Instrument, 'kind' | 'quantityStep' | 'terms'>,
  position: number,
  limits: SizingLimits | undefined,
): number {
  const own = orderStep(instrument);
  const step = limits?.steps[instrument.kind]?.[position < 0 ? 'short' : 'long'];
  return step === undefined ? own : Math.max(own, step);
}
