import { PRICE_NAMES, type StrategyDefinition } from '#engine/strategy/definition.ts';
import { operandWords } from '#rules/strategies/feature-words.ts';
import { Field } from '../kit/control/field.tsx';
import { Select } from '../kit/control/select.tsx';
import type { Combined } from './whole-parts.ts';

/** One arithmetic between two columns: what, how, and with what. Units that do not go together are refused when it is saved. */
export function Arithmetic({
  name,
  title,
  features,
  value,
  onChange,
}: {
  /** Its own name, which it cannot read. */
  name: string;
  title: string;
  features: StrategyDefinition['features'];
  value: Combined;
  onChange: (value: Combined) => void;
}) {
  const operand = (side: 'left' | 'right', label: string) => (
    <Field label={label}>
      {(wiring) => (
        <Select
          {...wiring}
          options={figureOptions(features, { but: name, present: value[side] })}
          value={String(value[side])}
          onChange={({ target }) => onChange({ ...value, [side]: asOperand(target.value) })}
        />
      )}
    </Field>
  );
  return (
    <fieldset className="grid gap-4 sm:grid-cols-3">
      <legend className="mb-2 text-sm text-ink-soft">{title}</legend>
      {operand('left', 'Figure')}
      <Field label="Taken as">
        {(wiring) => (
          <Select
            {...wiring}
            options={WAYS}
            value={value.op}
            onChange={({ target }) => onChange({ ...value, op: target.value as Combined['op'] })}
          />
        )}
      </Field>
      {operand('right', 'Other figure')}
    </fieldset>
  );
}

/** Prices, and the figures of the rules in words; `present` is among them whatever it is. */
export function figureOptions(
  features: StrategyDefinition['features'],
  { but, present }: { but?: string; present?: string | number } = {},
): { value: string; label: string }[] {
  const names: string[] = [...PRICE_NAMES, ...Object.keys(features)].filter((one) => one !== but);
  if (present !== undefined && !names.includes(String(present))) names.unshift(String(present));
  return names.map((value) => ({ value, label: operandWords(value, { features, model: undefined }) }));
}

const WAYS = [
  { value: 'ratio', label: 'Divided by' },
  { value: 'difference', label: 'Less' },
  { value: 'spread', label: 'Distance from' },
];

/** A plain number stays one. */
function asOperand(value: string): string | number {
  return Number.isFinite(Number(value)) ? Number(value) : value;
}
