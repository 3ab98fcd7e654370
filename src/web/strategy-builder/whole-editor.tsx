import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { featureWords } from '#rules/strategies/feature-words.ts';
import { Field } from '../kit/control/field.tsx';
import { Select } from '../kit/control/select.tsx';
import { Arithmetic } from './arithmetic-editor.tsx';
import { useBuilderInstruments } from './builder-queries.ts';
import { NumberField } from './number-field.tsx';
import { SaveParts } from './save-parts.tsx';
import { usePartsForm } from './use-parts-form.ts';
import {
  ARITHMETIC,
  combinedIn,
  isOfForm,
  periodical,
  type WholeForm,
  wholeForm,
  wholeParts,
} from './whole-parts.ts';

type Props = { draft: StrategyDraft; definition: StrategyDefinition; isBusy: boolean };

/** Regime, basket, band, sizes by conviction and weeks or months in place of days: each a choice, all of them one new version. */
export function WholeEditor({ draft, definition, isBusy }: Props) {
  const { tune, form, change, reset } = usePartsForm(draft.id, () => wholeForm(definition));
  const parts = wholeParts(definition, form);
  return (
    <details className="border-t pt-4">
      <summary className="cursor-pointer font-medium hover:text-accent">
        Market filter, most traded, band, sizes and weeks
      </summary>
      <div className="mt-5 grid items-start gap-x-12 gap-y-6 md:grid-cols-2">
        <Whole definition={definition} form={form} change={change} />
        {Object.keys(combinedIn(definition.features)).map((name) => (
          <FormArithmetic
            key={name}
            name={name}
            title="Arithmetic of the rules"
            definition={definition}
            form={form}
            change={change}
          />
        ))}
        <Periods definition={definition} form={form} change={change} />
      </div>
      <SaveParts tune={tune} parts={parts} draft={draft} isBusy={isBusy} onReset={reset} />
    </details>
  );
}

type Editing = {
  definition: StrategyDefinition;
  form: WholeForm;
  change: (part: Partial<WholeForm>) => void;
};

function Whole({ definition, form, change }: Editing) {
  const { data: instruments } = useBuilderInstruments();
  const symbols = [...new Set([...definition.universe, ...(instruments ?? []).map(({ symbol }) => symbol)])];
  return (
    <>
      {isOfForm(definition) && (
        <>
          <Field label="Only while this is above its average" hint="Otherwise all of the money is cash.">
            {(wiring) => (
              <Select
                {...wiring}
                options={[
                  { value: '', label: 'No market filter' },
                  ...symbols.map((symbol) => ({ value: symbol, label: symbol })),
                ]}
                value={form.regimeSymbol}
                onChange={(event) => change({ regimeSymbol: event.target.value })}
              />
            )}
          </Field>
          <NumberField
            label="Days of that average"
            hint="The filter is looked at where the rules are checked."
            value={form.regimeDays}
            onChange={(regimeDays) => change({ regimeDays })}
          />
        </>
      )}
      {definition.rule.type !== 'pairs' && (
        <NumberField
          label="Only so many of the most traded"
          hint="Empty: all take part. The list itself is of today, so what has vanished is missing."
          value={form.basketMost}
          onChange={(basketMost) => change({ basketMost })}
        />
      )}
      <NumberField
        label="Band in points of the money"
        hint="Empty: every new target is traded."
        value={form.bandPercent}
        onChange={(bandPercent) => change({ bandPercent })}
      />
      <Conviction definition={definition} form={form} change={change} />
    </>
  );
}

function Conviction({ definition, form, change }: Editing) {
  const features = Object.entries(definition.features);
  if (definition.rule.type === 'pairs' || features.length === 0) return null;
  return (
    <>
      <Field label="Sizes by conviction" hint="Larger positions where this is larger.">
        {(wiring) => (
          <Select
            {...wiring}
            options={[
              { value: '', label: 'As the rules say' },
              ...features.map(([name, feature]) => ({
                value: name,
                label: featureWords(feature, definition.features),
              })),
              ...(definition.features[ARITHMETIC] === undefined
                ? [{ value: ARITHMETIC, label: 'Arithmetic of two figures' }]
                : []),
            ]}
            value={form.convictionBy}
            onChange={(event) => change({ convictionBy: event.target.value })}
          />
        )}
      </Field>
      {form.convictionBy === ARITHMETIC && definition.features[ARITHMETIC] === undefined && (
        <FormArithmetic
          name={ARITHMETIC}
          title="Arithmetic for the sizes"
          definition={definition}
          form={form}
          change={change}
        />
      )}
      <NumberField
        label="Largest position, percent"
        hint="Empty: no position has a limit of its own."
        value={form.convictionMost}
        onChange={(convictionMost) => change({ convictionMost })}
      />
    </>
  );
}

function FormArithmetic({
  name,
  title,
  definition: { features },
  form,
  change,
}: Editing & { name: string; title: string }) {
  const value = form.combined[name];
  if (value === undefined) return null;
  return (
    <Arithmetic
      name={name}
      title={title}
      features={features}
      value={value}
      onChange={(combined) => change({ combined: { ...form.combined, [name]: combined } })}
    />
  );
}

function Periods({ definition, form, change }: Editing) {
  return periodical(definition.features).map(([name, feature]) => (
    <Field
      key={name}
      label={`Bars of the ${featureWords({ ...feature, every: undefined } as typeof feature)}`}
      hint="Only weeks and months that are over count."
    >
      {(wiring) => (
        <Select
          {...wiring}
          options={PERIODS}
          value={form.periods[name] ?? 'day'}
          onChange={(event) =>
            change({ periods: { ...form.periods, [name]: event.target.value as 'day' | 'week' | 'month' } })
          }
        />
      )}
    </Field>
  ));
}

const PERIODS = [
  { value: 'day', label: 'Days' },
  { value: 'week', label: 'Weeks' },
  { value: 'month', label: 'Months' },
];
