import { Plus, X } from 'lucide-react';
import { COMPARISONS, type Comparison, type StrategyDefinition } from '#engine/strategy/definition.ts';
import { COMPARISON_WORDS } from '#rules/strategies/feature-words.ts';
import { Button } from '../kit/control/button.tsx';
import { ICON_BUTTON } from '../kit/control/icon-button.ts';
import { Select } from '../kit/control/select.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { figureOptions } from './arithmetic-editor.tsx';
import { isPercent, LEVEL, type Row, type Rows } from './rule-form.ts';

type Features = StrategyDefinition['features'];

/** Comparisons that hold together, or any of them; one line each. */
export function ConditionRows({
  title,
  features,
  rows,
  onChange,
}: {
  title: string;
  features: Features;
  rows: Rows;
  onChange: (rows: NonNullable<Rows>) => void;
}) {
  if (rows === null)
    return (
      <p className="text-sm text-ink-soft">
        {title}: these conditions are nested deeper than this form shows. Describe the change in words, and
        they are written for you.
      </p>
    );
  const put = (changed: readonly Row[]) => onChange({ ...rows, rows: changed });
  const add = () =>
    put([...rows.rows, { left: 'close', op: 'above', right: Object.keys(features)[0] ?? LEVEL, level: '' }]);
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-medium">{title}</legend>
      {rows.rows.length > 1 && (
        <Select
          aria-label={`${title}: together`}
          className="w-56"
          options={JOINS}
          value={rows.join}
          onChange={({ target }) => onChange({ ...rows, join: target.value as 'all' | 'any' })}
        />
      )}
      {rows.rows.length === 0 && <p className="text-sm text-ink-faint">No condition.</p>}
      {rows.rows.map((row, index) => (
        // Rows have no name of their own, and none keeps state.
        // oxlint-disable-next-line react/no-array-index-key
        <ConditionRow
          key={index}
          label={`${title}, condition ${index + 1}`}
          features={features}
          row={row}
          onChange={(changed) => put(rows.rows.with(index, changed))}
          onRemove={() => put(rows.rows.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button
          variant="secondary"
          size="small"
          icon={<Plus className="size-4" aria-hidden="true" />}
          onClick={add}
        >
          Add a condition
        </Button>
      </div>
    </fieldset>
  );
}

const JOINS = [
  { value: 'all', label: 'All of these hold' },
  { value: 'any', label: 'Any of these holds' },
];

function ConditionRow({
  label,
  features,
  row,
  onChange,
  onRemove,
}: {
  label: string;
  features: Features;
  row: Row;
  onChange: (row: Row) => void;
  onRemove: () => void;
}) {
  const isLevel = row.right === LEVEL;
  const unit = isPercent(row.left, features) ? 'percent' : 'number';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 max-md:mb-3 md:grid-cols-[minmax(0,2fr)_10rem_minmax(0,2fr)_8rem_auto]">
      <Select
        aria-label={`${label}: figure`}
        options={figureOptions(features, { present: row.left })}
        value={row.left}
        onChange={({ target }) => onChange({ ...row, left: target.value })}
      />
      <button
        type="button"
        className={`${ICON_BUTTON} md:order-last`}
        aria-label={`Remove ${label}`}
        onClick={onRemove}
      >
        <X className="size-4" aria-hidden="true" />
      </button>
      <Select
        aria-label={`${label}: comparison`}
        className="max-md:col-span-2"
        options={COMPARISONS.map((value) => ({ value, label: COMPARISON_WORDS[value] }))}
        value={row.op}
        onChange={({ target }) => onChange({ ...row, op: target.value as Comparison })}
      />
      <Select
        aria-label={`${label}: compared with`}
        className={isLevel ? 'max-md:col-span-1' : 'max-md:col-span-2 md:col-span-2'}
        options={[
          { value: LEVEL, label: unit === 'percent' ? 'this percent' : 'this number' },
          ...figureOptions(features, { present: isLevel ? undefined : row.right }),
        ]}
        value={row.right}
        onChange={({ target }) => onChange({ ...row, right: target.value })}
      />
      {isLevel && (
        <TextInput
          aria-label={`${label}: ${unit}`}
          inputMode="decimal"
          {...(unit === 'percent' && { trail: '%' })}
          value={row.level}
          onChange={({ target }) => onChange({ ...row, level: target.value })}
        />
      )}
    </div>
  );
}
