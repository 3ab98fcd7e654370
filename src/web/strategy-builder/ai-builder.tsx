import { useState } from 'react';
import { DESCRIPTION_MAX, FURTHER_MAX, SENTENCE_MAX } from '#rules/strategy-builder/builder-input.ts';
import type { Answer } from '#rules/strategy-builder/reading/conversation.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { CONTROL_CLASSES, TextInput } from '../kit/control/text-input.tsx';
import { Notice } from '../kit/state/notice.tsx';
import type { BuilderForm } from './kept-form.ts';
import { openOf, type Read } from './kept-reading.ts';
import { ModelReading } from './model-reading.tsx';
import type { Pointed } from './marked-parts.ts';
import { OpenQuestions } from './open-questions.tsx';
import { SaidText } from './said-text.tsx';

/** Specification section 2: three prompts to begin with. */
const EXAMPLES = [
  {
    label: 'Trend-following crypto',
    text: 'Trend-following crypto: hold Bitcoin and Ethereum above their 50-day average, max drawdown 20%',
  },
  {
    label: 'Mean reversion forex',
    text: 'Mean reversion forex: buy currency pairs when RSI(14) is under 30, sell when it is above 55, stop loss 3%',
  },
  {
    label: 'Low-risk options on blue chips',
    text: 'Low-risk options on blue chips: covered calls, checked monthly',
  },
] as const;

export function AiBuilder({
  form,
  change,
  read,
  error,
  pointed,
  point,
}: Pointed & {
  form: BuilderForm;
  change: (part: Partial<BuilderForm>) => void;
  /** Null while nothing is written. */
  read: Read | null;
  error: string | null;
}) {
  const { description, further, answers } = form;
  const answer = (one: Answer) =>
    change({ answers: [...answers.filter(({ about }) => about !== one.about), one] });
  return (
    <div className="grid gap-6">
      <Field
        label="Describe your strategy"
        hint="What to trade, when to buy, when to sell, and how much risk."
        error={error}
      >
        {(wiring) => (
          <textarea
            {...wiring}
            rows={6}
            maxLength={DESCRIPTION_MAX}
            value={description}
            onChange={(event) => change({ description: event.target.value })}
            className={`${CONTROL_CLASSES} py-2.5`}
          />
        )}
      </Field>
      <Examples onChoose={(text) => change({ description: text, further: [], answers: [] })} />
      {read && (
        <>
          <SaidText form={form} change={change} read={read.shown} pointed={pointed} point={point} />
          <ModelReading
            messages={[description, ...further]}
            answers={[...answers]}
            read={read}
            keep={(reading) => change({ reading })}
          />
          <OpenQuestions
            messages={[description, ...further]}
            read={openOf(read)}
            onAnswer={answer}
            onSay={(says) => change({ further: [...further, says] })}
          />
          {further.length < FURTHER_MAX && (
            <Correction onSay={(says) => change({ further: [...further, says] })} />
          )}
        </>
      )}
      <Notice title="How it works">
        The AI Builder creates entry and exit rules, position sizing and risk parameters from your words, and
        you can fine-tune them before anything is deployed. It reads by a grammar as you write. Where a
        language model is set up, it reads when you ask it to, and the grammar checks what it proposes.
        Nothing is guessed: what is vague is asked back, and what cannot be read is marked.
      </Notice>
    </div>
  );
}

function Examples({ onChoose }: { onChoose: (text: string) => void }) {
  return (
    <div>
      <p className="text-sm text-ink-faint">Examples</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {EXAMPLES.map(({ label, text }) => (
          <Button key={label} size="small" variant="secondary" onClick={() => onChoose(text)}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}

export function Correction({ onSay }: { onSay: (says: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        onSay(text.trim());
        setText('');
      }}
    >
      <Field label="Change it" hint="Say what should be different: “make it monthly”, “no shorts”.">
        {(wiring) => (
          <div className="flex gap-2">
            <TextInput
              {...wiring}
              className="min-w-0 flex-1"
              maxLength={SENTENCE_MAX}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <Button type="submit" variant="secondary" disabled={text.trim() === ''}>
              Change
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
