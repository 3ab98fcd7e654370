import type { Strategy } from '#contract/strategies/strategies.ts';
import { AmountField } from '../kit/control/amount-field.tsx';
import { SegmentedControl } from '../kit/control/segmented-control.tsx';
import { showMoney } from '../kit/figure/show-figure.ts';
import { LimitSliders } from './limit-sliders.tsx';
import type { OwnTerms } from './use-own-terms.ts';

const UNITS = [
  { value: 'whole', label: 'Whole shares' },
  { value: 'fractions', label: 'Fractions' },
] as const;

export function OwnAmount({ strategy, own }: { strategy: Strategy; own: OwnTerms }) {
  return (
    <AmountField
      label="Your amount"
      hint={`Minimum to deploy: ${showMoney(strategy.min_investment, { cents: 'auto' })}`}
      error={own.amount.ok ? null : own.amount.problem}
      value={own.amountText}
      onChange={(amountText) => own.change({ amountText })}
    />
  );
}

/** The three limits, and for shares whether the broker divides them. */
export function LimitFields({
  strategy,
  own,
  tradesWholeShares,
}: {
  strategy: Strategy;
  own: OwnTerms;
  tradesWholeShares: boolean;
}) {
  return (
    <div className="grid gap-5">
      <LimitSliders settings={own.settings} onChange={(settings) => own.change({ settings })} />
      {strategy.asset_class === 'equity' && tradesWholeShares && (
        <div>
          <SegmentedControl
            label="Units"
            options={UNITS}
            value={own.takesFractions ? 'fractions' : 'whole'}
            onChange={(units) => own.takeFractions(units === 'fractions')}
          />
        </div>
      )}
    </div>
  );
}
