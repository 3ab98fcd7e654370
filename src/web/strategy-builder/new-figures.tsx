import { Plus } from 'lucide-react';
import { featureWords } from '#rules/strategies/feature-words.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { Select } from '../kit/control/select.tsx';
import { Arithmetic } from './arithmetic-editor.tsx';
import { NumberField } from './number-field.tsx';
import { featuresWith, FIGURES, type NewFigure, nextFigure, type RuleEditing } from './rule-form.ts';

/** Figures that conditions and the ranking can then be chosen from; one that nothing reads is left out when it is saved. */
export function NewFigures({ definition, form, change }: RuleEditing) {
  const features = featuresWith(definition, form);
  const put = (name: string, figure: NewFigure) => change({ figures: { ...form.figures, [name]: figure } });
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-2 font-medium">Further figures</legend>
      {Object.entries(form.figures).map(([name, figure]) => (
        <div key={name} className="grid items-start gap-x-12 gap-y-4 md:grid-cols-2">
          <Field label="Measures">
            {(wiring) => (
              <Select
                {...wiring}
                options={MEASURES}
                value={figure.indicator}
                onChange={({ target }) =>
                  put(name, { ...figure, indicator: target.value as NewFigure['indicator'] })
                }
              />
            )}
          </Field>
          {figure.indicator === 'combine' ? (
            <Arithmetic
              name={name}
              title={`Named in the lists as: ${featureWords(features[name]!, features)}`}
              features={features}
              value={figure.combined}
              onChange={(combined) => put(name, { ...figure, combined })}
            />
          ) : (
            <NumberField
              label="Days"
              value={figure.length}
              onChange={(length) => put(name, { ...figure, length })}
            />
          )}
        </div>
      ))}
      <div>
        <Button
          variant="secondary"
          size="small"
          icon={<Plus className="size-4" aria-hidden="true" />}
          onClick={() => put(nextFigure(definition, form), NEW_FIGURE)}
        >
          Add a figure
        </Button>
      </div>
    </fieldset>
  );
}

const NEW_FIGURE: NewFigure = {
  indicator: 'sma',
  length: '50',
  combined: { op: 'ratio', left: 'close', right: 'open' },
};

const WORDS: Readonly<Record<(typeof FIGURES)[number], string>> = {
  sma: 'Average price',
  ema: 'Weighted average price',
  roc: 'Change of the price',
  rsi: 'Relative strength index',
  volatility: 'Volatility',
  highest: 'Highest price',
  lowest: 'Lowest price',
  zscore: 'Distance from the average in standard deviations',
  drawdown: 'Distance below the highest close',
  atr: 'Average true range',
  turnover: 'Average turnover',
};

const MEASURES = [
  ...FIGURES.map((value) => ({ value, label: WORDS[value] })),
  { value: 'combine', label: 'Arithmetic of two figures' },
];
