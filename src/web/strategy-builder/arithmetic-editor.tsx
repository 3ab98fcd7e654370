import { PRICE_NAMES, type StrategyDefinition } from '#engine/strategy/definition.ts';
import { operandWords } from '#rules/strategies/feature-words.ts';
import { Field } from '../kit/control/field.tsx';
import { Select } from '../kit/control/select.tsx';
import type { Combined, WholeForm } from './whole-parts.ts';

/** One arithmetic between two columns: what, how, and with what. Units that do not go together are refused when it is saved. */
export function Arithmetic({
  name,
  definition: { features },
  form,
  change,
}: {
  name: string;
  definition: StrategyDefinition;
  form: WholeForm;
  change: (part: Partial<WholeForm>) => void;
}) {
  const shown = form.combined[name];
  if (shown === undefined) return null;
  const put = (part: Partial<Combined>) =>
    change({ combined: { ...form.combined, [name]: { ...shown, ...part } } });
  const operand = (side: 'left' | 'right', label: string) => (
    <Field label={label}>
      {(wiring) => (
        <Select
          {...wiring}
          options={operands(shown[side]).map((value) => ({
            value,
            label: operandWords(value, { features, model: undefined }),
          }))}
          value={String(shown[side])}
          onChange={({ target: { value } }) => put({ [side]: asOperand(value) })}
        />
      )}
    </Field>
  );
  const operands = (present: string | number): readonly string[] => {
    const names = [...PRICE_NAMES, ...Object.keys(features)].filter((one) => one !== name);
    return names.includes(String(present)) ? names : [String(present), ...names];
  };
  return (
    <fieldset className="grid gap-4 sm:grid-cols-3">
      <legend className="mb-2 text-sm text-ink-soft">
        {features[name] === undefined ? 'Arithmetic for the sizes' : 'Arithmetic of the rules'}
      </legend>
      {operand('left', 'Figure')}
      <Field label="Taken as">
        {(wiring) => (
          <Select
            {...wiring}
            options={WAYS}
            value={shown.op}
            onChange={({ target: { value } }) => put({ op: value as Combined['op'] })}
          />
        )}
      </Field>
      {operand('right', 'Other figure')}
    </fieldset>
  );
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
