import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { featureWords } from '#rules/strategies/feature-words.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { Select } from '../kit/control/select.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Arithmetic } from './arithmetic-editor.tsx';
import { type Parts, useBuilderInstruments, useTuneStrategy } from './builder-queries.ts';
import { draftAddress } from './draft-address.ts';
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
  const tune = useTuneStrategy(draft.id);
  const navigate = useNavigate();
  const [form, setForm] = useState<WholeForm>(() => wholeForm(definition));
  const change = (part: Partial<WholeForm>) => {
    tune.reset();
    setForm((present) => ({ ...present, ...part }));
  };
  const parts = wholeParts(definition, form);
  const isNew = Object.keys(parts).length > 0;
  const save = () =>
    tune.mutate(
      { parts: parts as Parts, ...(draft.is_traded && { copy: true }) },
      { onSuccess: ({ draft: made }) => void (made.id !== draft.id && navigate(draftAddress(made.id))) },
    );
  return (
    <details className="border-t pt-4">
      <summary className="cursor-pointer font-medium hover:text-accent">
        Market filter, most traded, band, sizes and weeks
      </summary>
      <div className="mt-5 grid items-start gap-x-12 gap-y-6 md:grid-cols-2">
        <Whole definition={definition} form={form} change={change} />
        {Object.keys(combinedIn(definition.features)).map((name) => (
          <Arithmetic key={name} name={name} definition={definition} form={form} change={change} />
        ))}
        <Periods definition={definition} form={form} change={change} />
      </div>
      {tune.isError && (
        <div className="mt-5">
          <Notice tone="failure" title="These rules were not accepted">
            {sentenceOf(tune.error, 'The draft has not changed. Please try again.')}
          </Notice>
        </div>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button busy={tune.isPending} busyLabel="Saving..." disabled={!isNew || isBusy} onClick={save}>
          {draft.is_traded ? 'Copy with these parts' : 'Save these parts'}
        </Button>
        {isNew && (
          <Button variant="quiet" onClick={() => setForm(wholeForm(definition))}>
            Take back
          </Button>
        )}
      </div>
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
        <Arithmetic name={ARITHMETIC} definition={definition} form={form} change={change} />
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

function NumberField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const isWrong = value !== '' && !(Number(value) > 0);
  return (
    <Field label={label} hint={hint} error={isWrong ? 'Enter a number above zero' : null}>
      {(wiring) => (
        <TextInput
          {...wiring}
          inputMode="decimal"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
