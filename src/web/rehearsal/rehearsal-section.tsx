import { useEffect, useId, useMemo, useState } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { toMicro } from '#units/money.ts';
import { useHasProvider } from '../call/installation.ts';
import { Field } from '../kit/control/field.tsx';
import { SegmentedControl } from '../kit/control/segmented-control.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import { showMoney } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Surface } from '../kit/page/surface.tsx';
import { keepTerms, type KeptTerms, readKeptTerms, usualTerms } from './kept-terms.ts';
import { LimitSliders } from './limit-sliders.tsx';
import { readAmount } from './read-amount.ts';
import { RehearsalResult } from './rehearsal-result.tsx';
import { rehearsalTerms } from './rehearsal-terms.ts';
import { type RehearsalState, useRehearsal } from './use-rehearsal.ts';

const UNITS = [
  { value: 'whole', label: 'Whole shares' },
  { value: 'fractions', label: 'Fractions' },
] as const;

/** A strategy's history with the visitor's own amount and limits. It begins to load when it comes into view. */
export function RehearsalSection({ strategy }: { strategy: Strategy }) {
  const id = useId();
  const [section, isWanted] = useComesIntoView();
  const [{ amountText, settings }, setTerms] = useState(
    () => readKeptTerms(strategy.id) ?? usualTerms(strategy),
  );
  const [units, setUnits] = useState<(typeof UNITS)[number]['value']>('whole');
  const feePercent = useHasProvider() ? strategy.fees : 0;
  const amount = readAmount(amountText, LEAST);
  const change = (part: Partial<KeptTerms>) => {
    const next = { amountText, settings, ...part };
    setTerms(next);
    keepTerms(strategy.id, next);
  };
  const terms = useMemo(
    () =>
      amount.ok
        ? rehearsalTerms({
            amount: amount.micro,
            settings,
            feePercent,
            takesFractions: units === 'fractions',
          })
        : null,
    [amount.ok, amount.micro, settings, feePercent, units],
  );
  const state = useRehearsal(strategy, terms, isWanted);
  return (
    <Surface aria-labelledby={id} ref={section}>
      <SectionTitle
        id={id}
        note="This history again with your amount and your limits, computed by your browser with the engine that trades."
        aside={<Hypothetical />}
      >
        Rehearsal
      </SectionTitle>
      <div className="mt-6 grid gap-x-10 gap-y-8 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <div className="grid content-start gap-6 max-lg:sm:grid-cols-2">
          <Field
            label="Your amount"
            hint={`Minimum to deploy: ${showMoney(strategy.min_investment, { cents: 'auto' })}`}
            error={amount.ok ? null : amount.problem}
          >
            {(wiring) => (
              <TextInput
                {...wiring}
                type="number"
                inputMode="decimal"
                lead="$"
                min={0}
                step="0.01"
                value={amountText}
                onChange={(event) => change({ amountText: event.target.value })}
              />
            )}
          </Field>
          <LimitSliders settings={settings} onChange={(next) => change({ settings: next })} />
          {strategy.asset_class === 'equity' && tradesWholeShares(state) && (
            <div>
              <SegmentedControl label="Units" options={UNITS} value={units} onChange={setUnits} />
            </div>
          )}
        </div>
        <RehearsalResult strategy={strategy} state={state} />
      </div>
    </Surface>
  );
}

/** Until it is known, most do. */
function tradesWholeShares(state: RehearsalState): boolean {
  return state.at !== 'done' || state.rehearsal.tradesWholeShares;
}

/** Less than the minimum is rehearsed too: the result says what it would have come to. */
const LEAST = toMicro(1);

function useComesIntoView(): readonly [(node: HTMLElement | null) => void, boolean] {
  const [isWanted, setIsWanted] = useState(false);
  const [node, setNode] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (node === null || isWanted) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsWanted(true),
      { rootMargin: '200px' },
    );
    observer.observe(node);
    return () => observer.disconnect();
  }, [node, isWanted]);
  return [setNode, isWanted];
}
