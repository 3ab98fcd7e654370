import type { AdjustmentChoices } from '#contract/operations/adjustments.ts';
import { Field } from '../../kit/control/field.tsx';
import { Select } from '../../kit/control/select.tsx';
import { showPrice, showQuantity } from '../../kit/figure/show-figure.ts';
import { TextInput } from '../../kit/control/text-input.tsx';
import { booksThen } from './books-then.ts';

/** As it is typed. */
export type AdjustmentDraft = {
  readonly deployment: string;
  /** Empty when every booked execution counts. */
  readonly replaces: string;
  readonly quantity: string;
  readonly price: string;
  readonly commission: string;
};

export function firstDraft({
  replaces,
  booked,
  deployments,
  ...reported
}: AdjustmentChoices): AdjustmentDraft {
  const replaced = booked.find(({ id }) => id === replaces);
  const text = (figure: number | null) => (figure === null ? '' : String(figure));
  return {
    deployment: replaced?.deployment ?? deployments[0]?.id ?? '',
    replaces: replaces ?? '',
    quantity: text(reported.quantity),
    price: text(reported.price),
    commission: text(reported.commission),
  };
}

const NUMBER = /^[-+−]?\d+(\.\d+)?$/;
const numberOf = (text: string): number | null => {
  const plain = text.trim().replaceAll(/[,\s’]/g, '');
  return NUMBER.test(plain) ? Number(plain.replace('−', '-')) : null;
};

export function isComplete({ deployment, replaces, quantity, price, commission }: AdjustmentDraft): boolean {
  const units = numberOf(quantity);
  if (deployment === '' || units === null) return false;
  if (units === 0) return replaces !== '';
  return (numberOf(price) ?? 0) > 0 && numberOf(commission) !== null;
}

export function sentOf({ deployment, replaces, quantity, price, commission }: AdjustmentDraft) {
  const units = numberOf(quantity) ?? 0;
  return {
    deployment,
    replaces: replaces === '' ? null : replaces,
    quantity: units,
    price: units === 0 ? null : numberOf(price),
    commission: units === 0 ? 0 : (numberOf(commission) ?? 0),
  };
}

/** Which deployment, what no longer counts, and what is booked; with the resulting books. */
export function AdjustmentFields({
  choices,
  draft,
  onChange,
}: {
  choices: AdjustmentChoices;
  draft: AdjustmentDraft;
  onChange: (draft: AdjustmentDraft) => void;
}) {
  const { symbol, deployments } = choices;
  const booked = choices.booked.filter(({ deployment }) => deployment === draft.deployment);
  const chosen = deployments.find(({ id }) => id === draft.deployment);
  const replaced = booked.find(({ id }) => id === draft.replaces);
  const units = numberOf(draft.quantity);
  const input = (key: 'quantity' | 'price' | 'commission', label: string, hint?: string) => (
    <Field label={label} hint={hint}>
      {(wiring) => (
        <TextInput
          {...wiring}
          inputMode="decimal"
          autoComplete="off"
          value={draft[key]}
          onChange={(event) => onChange({ ...draft, [key]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <div className="grid gap-5">
      <Field label="Deployment">
        {(wiring) => (
          <Select
            {...wiring}
            value={draft.deployment}
            onChange={(event) => onChange({ ...draft, deployment: event.target.value, replaces: '' })}
            options={deployments.map(({ id, client, strategy_name: strategy, quantity }) => ({
              value: id,
              label: `${strategy}, ${client}: ${showQuantity(quantity)} ${symbol}`,
            }))}
          />
        )}
      </Field>
      {choices.booked.length > 0 && (
        <ReversedExecution
          booked={booked}
          value={draft.replaces}
          onChange={(replaces) => onChange({ ...draft, replaces })}
        />
      )}
      <div className="grid items-start gap-5 sm:grid-cols-3">
        {input('quantity', 'Units to book', 'Negative to remove units')}
        {input('price', 'Price', choices.currency ?? undefined)}
        {input('commission', 'Commission', 'USD')}
      </div>
      <p aria-live="polite" className="figures border-y py-3 text-sm text-ink-soft">
        {units === null
          ? 'Enter the number of units.'
          : booksThen({ symbol, held: chosen?.quantity ?? 0, units, replaced: replaced ?? null })}
      </p>
    </div>
  );
}

function ReversedExecution({
  booked,
  value,
  onChange,
}: {
  booked: AdjustmentChoices['booked'];
  value: string;
  onChange: (id: string) => void;
}) {
  return (
    <Field label="Execution to reverse" hint="An execution that the broker cancelled or changed.">
      {(wiring) => (
        <Select
          {...wiring}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          options={[
            { value: '', label: 'None' },
            ...booked.map(({ id, quantity, price }) => ({
              value: id,
              label: `${quantity > 0 ? 'Bought' : 'Sold'} ${showQuantity(Math.abs(quantity))} at ${showPrice(price)}, ${id}`,
            })),
          ]}
        />
      )}
    </Field>
  );
}
