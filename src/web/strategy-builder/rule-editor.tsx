import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { Field } from '../kit/control/field.tsx';
import { Select } from '../kit/control/select.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { figureOptions } from './arithmetic-editor.tsx';
import { ConditionRows } from './condition-rows.tsx';
import { NewFigures } from './new-figures.tsx';
import { NumberField } from './number-field.tsx';
import {
  featuresWith,
  isComplete,
  type RuleEditing,
  type RuleForm,
  ruleForm,
  ruleParts,
  SIDES,
} from './rule-form.ts';
import { SaveParts } from './save-parts.tsx';
import { usePartsForm } from './use-parts-form.ts';

type Props = { draft: StrategyDraft; definition: StrategyDefinition; isBusy: boolean };

/** What is traded, when, the conditions or the ranking, and the exits: each a choice, all of them one new version. */
export function RuleEditor({ draft, definition, isBusy }: Props) {
  const { tune, form, change, reset } = usePartsForm(draft.id, () => ruleForm(definition));
  const editing = { definition, form, change };
  return (
    <details className="border-t pt-4">
      <summary className="cursor-pointer font-medium hover:text-accent">
        Conditions, ranking, exits and instruments
      </summary>
      <div className="mt-5 grid gap-8">
        <Frame {...editing} />
        {definition.rule.type === 'signals' && <Signals {...editing} />}
        {definition.rule.type === 'ranking' && <Ranking {...editing} />}
        {definition.rule.type === 'signals' && <Exits {...editing} />}
      </div>
      <SaveParts
        tune={tune}
        parts={ruleParts(definition, form)}
        draft={draft}
        isBusy={isBusy}
        isComplete={isComplete(form)}
        onReset={reset}
      />
    </details>
  );
}

function Frame({ definition, form, change }: RuleEditing) {
  return (
    <div className="grid items-start gap-x-12 gap-y-6 md:grid-cols-3">
      <Field label="Instruments" hint="Symbols, with commas between them.">
        {(wiring) => (
          <TextInput
            {...wiring}
            autoCapitalize="characters"
            value={form.universe}
            onChange={({ target }) => change({ universe: target.value })}
          />
        )}
      </Field>
      <Field label="Checked">
        {(wiring) => (
          <Select
            {...wiring}
            options={schedules(definition)}
            value={form.schedule}
            onChange={({ target }) => change({ schedule: target.value })}
          />
        )}
      </Field>
      {definition.rule.type !== 'pairs' && (
        <Field label="Sides">
          {(wiring) => (
            <Select
              {...wiring}
              options={DIRECTIONS}
              value={form.direction}
              onChange={({ target }) => change({ direction: target.value as RuleForm['direction'] })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

const DIRECTIONS = [
  { value: 'long', label: 'Buys only' },
  { value: 'long_short', label: 'Long and short' },
];

/** A schedule by a number of bars stays among the choices of a definition that has one. */
function schedules({ schedule, interval }: StrategyDefinition) {
  const counted =
    schedule.every === 'bars'
      ? [{ value: `bars ${schedule.count}`, label: `Every ${schedule.count} bars` }]
      : [];
  const bar = interval === undefined ? [] : [{ value: 'bar', label: 'Every bar' }];
  return [
    ...counted,
    ...bar,
    { value: 'day', label: 'Every trading day' },
    { value: 'week', label: 'Every week' },
    { value: 'month', label: 'Every month' },
  ];
}

function Signals({ definition, form, change }: RuleEditing) {
  const features = featuresWith(definition, form);
  const sides = SIDES.filter((side) => form.direction === 'long_short' || !side.endsWith('Short'));
  return (
    <>
      {sides.map((side) => (
        <ConditionRows
          key={side}
          title={SIDE_TITLES[side]}
          features={features}
          rows={form.conditions[side] ?? null}
          onChange={(rows) => change({ conditions: { ...form.conditions, [side]: rows } })}
        />
      ))}
      <NewFigures definition={definition} form={form} change={change} />
    </>
  );
}

const SIDE_TITLES = {
  enterLong: 'Buys when',
  exitLong: 'Sells when',
  enterShort: 'Sells short when',
  exitShort: 'Buys back when',
} as const;

function Ranking({ definition, form, change }: RuleEditing) {
  const features = featuresWith(definition, form);
  return (
    <>
      <div className="grid items-start gap-x-12 gap-y-6 md:grid-cols-3">
        <Field label="Ranked by" hint="The highest come first.">
          {(wiring) => (
            <Select
              {...wiring}
              options={figureOptions(features).filter(({ value }) => value in features || value === form.by)}
              value={form.by}
              onChange={({ target }) => change({ by: target.value })}
            />
          )}
        </Field>
        <NumberField label="Held, of the highest" value={form.top} onChange={(top) => change({ top })} />
        {form.direction === 'long_short' && (
          <Field label="Sold short, of the lowest">
            {(wiring) => (
              <TextInput
                {...wiring}
                inputMode="numeric"
                value={form.bottom}
                onChange={({ target }) => change({ bottom: target.value })}
              />
            )}
          </Field>
        )}
      </div>
      <ConditionRows
        title="Among those where"
        features={features}
        rows={form.conditions.where ?? null}
        onChange={(where) => change({ conditions: { where } })}
      />
      <NewFigures definition={definition} form={form} change={change} />
    </>
  );
}

function Exits({ form, change }: RuleEditing) {
  return (
    <div className="grid items-start gap-x-12 gap-y-6 md:grid-cols-3">
      <NumberField
        label="Stop, percent"
        hint="Empty: no stop."
        value={form.stopPercent}
        onChange={(stopPercent) => change({ stopPercent })}
      />
      <NumberField
        label="Profit target, percent"
        hint="Empty: no target."
        value={form.targetPercent}
        onChange={(targetPercent) => change({ targetPercent })}
      />
      <NumberField
        label="Days at most"
        hint="Empty: as long as the rules say."
        value={form.maxBars}
        onChange={(maxBars) => change({ maxBars })}
      />
    </div>
  );
}
