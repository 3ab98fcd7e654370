import { useMemo, useState } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import type { RehearsalTerms } from '#engine/rehearsal/rehearsal.ts';
import { toMicro } from '#units/money.ts';
import { useHasProvider } from '../call/installation.ts';
import { keepTerms, type KeptTerms, readKeptTerms, usualTerms } from './kept-terms.ts';
import { type Amount, readAmount } from './read-amount.ts';
import { rehearsalTerms } from './rehearsal-terms.ts';

export type OwnTerms = KeptTerms & {
  readonly amount: Amount;
  readonly takesFractions: boolean;
  readonly feePercent: number;
  /** What the engine takes; null while the amount cannot be read. */
  readonly terms: RehearsalTerms | null;
  readonly change: (part: Partial<KeptTerms>) => void;
  readonly takeFractions: (takes: boolean) => void;
};

/** The amount and the limits of whoever looks at a strategy, kept in this window. */
export function useOwnTerms(strategy: Strategy): OwnTerms {
  const [kept, setKept] = useState(() => readKeptTerms(strategy.id) ?? usualTerms(strategy));
  const [takesFractions, takeFractions] = useState(false);
  const feePercent = useHasProvider() ? strategy.fees : 0;
  const { amountText, settings } = kept;
  const amount = readAmount(amountText, LEAST);
  const change = (part: Partial<KeptTerms>) => {
    const next = { ...kept, ...part };
    setKept(next);
    keepTerms(strategy.id, next);
  };
  const terms = useMemo(
    () => (amount.ok ? rehearsalTerms({ amount: amount.micro, settings, feePercent, takesFractions }) : null),
    [amount.ok, amount.micro, settings, feePercent, takesFractions],
  );
  return { ...kept, amount, takesFractions, feePercent, terms, change, takeFractions };
}

/** Less than the minimum is rehearsed too: the result says what it would have come to. */
const LEAST = toMicro(1);
