import type { ReactNode } from 'react';
import {
  ASSET_CLASSES,
  BUILDER_RANGES,
  BUILDER_RISKS,
  LEAST_MINIMUM_INVESTMENT,
} from '#rules/strategy-builder/builder-input.ts';
import { Field } from '../kit/control/field.tsx';
import { SegmentedControl } from '../kit/control/segmented-control.tsx';
import { showMoney, showPercent, showWord } from '../kit/figure/show-figure.ts';
import { Slider } from '../kit/control/slider.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import type { BuilderForm } from './kept-form.ts';

const asOption = <Value extends string>(value: Value) => ({ value, label: showWord(value) });
const whole = (value: number) => showPercent(value, { decimals: 0 });

/** The typed dollars, or the error in them. */
export function readMinimum(text: string): { readonly dollars: number } | { readonly problem: string } {
  const dollars = Number.parseInt(text, 10);
  if (!/^\s*\d+(\.\d*)?\s*$/.test(text) || !Number.isSafeInteger(dollars))
    return { problem: 'Please enter the minimum investment in whole dollars.' };
  if (dollars < LEAST_MINIMUM_INVESTMENT)
    return { problem: `Please enter at least ${showMoney(LEAST_MINIMUM_INVESTMENT, { cents: 'never' })}.` };
  return { dollars };
}

export function UiBuilder({
  form,
  change,
}: {
  form: BuilderForm;
  change: (part: Partial<BuilderForm>) => void;
}) {
  const minimum = readMinimum(form.minimumText);
  return (
    <div className="grid gap-8">
      <Choice label="Asset class">
        <SegmentedControl
          label="Asset class"
          options={ASSET_CLASSES.map(asOption)}
          value={form.assetClass}
          onChange={(assetClass) => change({ assetClass })}
        />
      </Choice>
      <Choice label="Risk level">
        <SegmentedControl
          label="Risk level"
          options={BUILDER_RISKS.map(asOption)}
          value={form.riskLevel}
          onChange={(riskLevel) => change({ riskLevel })}
        />
      </Choice>
      <Slider
        label="Maximum drawdown"
        hint="The drawdown that the strategy is sized for. It can fall further."
        value={form.maxDrawdown}
        onChange={(maxDrawdown) => change({ maxDrawdown })}
        {...BUILDER_RANGES.maxDrawdown}
        show={whole}
      />
      <Slider
        label="Target annual return"
        hint="Your goal, for comparison only; it does not change the strategy."
        value={form.targetReturn}
        onChange={(targetReturn) => change({ targetReturn })}
        {...BUILDER_RANGES.targetReturn}
        show={whole}
      />
      <Field
        label="Minimum investment"
        hint={`At least ${showMoney(LEAST_MINIMUM_INVESTMENT, { cents: 'never' })}`}
        error={'problem' in minimum ? minimum.problem : null}
      >
        {(wiring) => (
          <TextInput
            {...wiring}
            type="number"
            inputMode="numeric"
            lead="$"
            min={LEAST_MINIMUM_INVESTMENT}
            step={1}
            value={form.minimumText}
            onChange={(event) => change({ minimumText: event.target.value })}
            className="max-w-60"
          />
        )}
      </Field>
    </div>
  );
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-2">
      <span className="text-sm font-medium text-ink" aria-hidden="true">
        {label}
      </span>
      {children}
    </div>
  );
}
