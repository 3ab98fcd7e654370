import { DESCRIPTION_MAX } from '#rules/strategy-builder/builder-input.ts';
import type { DescriptionRead } from '#rules/strategy-builder/read-description.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { CONTROL_CLASSES } from '../kit/control/text-input.tsx';

/** Specification section 2: three prompts to begin with. */
const EXAMPLES = [
  {
    label: 'Trend-following crypto',
    text: 'Trend-following crypto: hold Bitcoin and Ethereum above their 50-day average, max drawdown 20%',
  },
  {
    label: 'Mean reversion forex',
    text: 'Mean reversion forex: buy oversold pairs and sell overbought ones, 20-day, stop loss 3%',
  },
  {
    label: 'Low-risk options on blue chips',
    text: 'Low-risk options on blue chips: covered calls, checked monthly',
  },
] as const;

export function AiBuilder({
  description,
  onChange,
  read,
  error,
}: {
  description: string;
  onChange: (description: string) => void;
  /** What the words were taken to mean; null while nothing is written. */
  read: DescriptionRead | null;
  error: string | null;
}) {
  return (
    <div className="grid gap-6">
      <Field label="Describe your strategy" hint="What to trade, how, and how much risk." error={error}>
        {(wiring) => (
          <textarea
            {...wiring}
            rows={6}
            maxLength={DESCRIPTION_MAX}
            value={description}
            onChange={(event) => onChange(event.target.value)}
            className={`${CONTROL_CLASSES} py-2.5`}
          />
        )}
      </Field>
      <div>
        <p className="text-sm text-ink-faint">Examples</p>
        <div className="mt-2 flex flex-wrap gap-2">
          {EXAMPLES.map(({ label, text }) => (
            <Button key={label} size="small" variant="secondary" onClick={() => onChange(text)}>
              {label}
            </Button>
          ))}
        </div>
      </div>
      <div aria-live="polite">{read && <WhatWasRead read={read} />}</div>
      <Notice title="How it works">
        The AI Builder creates entry and exit rules, position sizing and risk parameters from your words, and
        you can fine-tune them before anything is deployed. It recognises a fixed vocabulary, not free
        language, and shows how it understood each word.
      </Notice>
    </div>
  );
}

function WhatWasRead({ read }: { read: DescriptionRead }) {
  const { understood, assumed, notUnderstood } = read;
  return (
    <div className="grid gap-4 text-sm">
      {understood.length > 0 && (
        <div>
          <h2 className="text-ink-faint">Understood</h2>
          <ul className="mt-2 flex flex-wrap gap-2">
            {understood.map(({ text, meaning }, place) => (
              <li key={place} className="rounded-control border px-2.5 py-1">
                <span className="text-ink">{meaning}</span> <span className="text-ink-faint">“{text}”</span>
              </li>
            ))}
            {assumed.map((meaning) => (
              <li key={meaning} className="rounded-control border border-dashed px-2.5 py-1 text-ink-soft">
                {meaning} <span className="text-ink-faint">assumed</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {notUnderstood.length > 0 && (
        <div>
          <h2 className="text-ink-faint">Not understood (ignored)</h2>
          <ul className="mt-2 flex flex-wrap gap-2">
            {notUnderstood.map(({ text, why }, place) => (
              <li key={place} className="rounded-control bg-caution-wash px-2.5 py-1 text-ink">
                “{text}”{why && <span className="text-ink-soft"> {why}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
