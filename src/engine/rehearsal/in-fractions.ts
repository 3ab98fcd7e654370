import { toQuantity } from '#units/quantity.ts';
import type { EvidenceRunInput } from '../evidence/evidence-run.ts';

/** The same instruments at a broker that takes fractions of shares; what else is traded keeps its own steps. */
export function inFractions(instruments: EvidenceRunInput['instruments']): EvidenceRunInput['instruments'] {
  return new Map(
    [...instruments].map(([symbol, one]) => [
      symbol,
      one.kind === 'equity' ? { ...one, quantityStep: FINEST_STEP } : one,
    ]),
  );
}

const FINEST_STEP = toQuantity(1e-6);
