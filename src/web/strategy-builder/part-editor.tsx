import { Pencil } from 'lucide-react';
import { useId, useState } from 'react';
import { SENTENCE_MAX } from '#rules/strategy-builder/builder-input.ts';
import { Button } from '../kit/control/button.tsx';
import { TextInput } from '../kit/control/text-input.tsx';

type Editing = {
  /** Sentences to press. */
  readonly choices: readonly { readonly label: string; readonly says: string }[];
  /** Where a number is asked: the sentence around it. */
  readonly number?: { readonly unit: string; readonly says: (value: number) => string };
};

/** A line of the rules that is pressed to change it by a sentence, as if that had been said: it can be taken back like any other. */
export function PartEditor({
  part,
  title,
  text,
  say,
}: {
  part: string;
  title: string;
  /** The line. */
  text: string;
  say: (text: string) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  if (part.startsWith('wish.')) return text;
  const close = (says: string) => {
    say(says);
    setOpen(false);
  };
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        className="group -mx-1 flex w-full items-baseline justify-between gap-3 rounded-control px-1 text-left hover:bg-accent-wash"
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          <span className="sr-only">Change: {title}. </span>
          {text}
        </span>
        <Pencil
          className="size-3.5 shrink-0 self-center text-accent opacity-60 group-hover:opacity-100 group-aria-expanded:opacity-100"
          aria-hidden="true"
        />
      </button>
      {isOpen && <Sentence {...(EDITS[part] ?? { choices: [] })} title={title} say={close} />}
    </>
  );
}

function Sentence({ choices, number, title, say }: Editing & { title: string; say: (text: string) => void }) {
  const [text, setText] = useState('');
  const id = useId();
  const value = Number(text);
  const isNumber = number !== undefined && text.trim() !== '' && Number.isFinite(value) && value > 0;
  const says = isNumber ? number.says(value) : text.trim();
  return (
    <form
      className="mt-2 grid w-full gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (says !== '') say(says);
      }}
    >
      {choices.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {choices.map(({ label, says: choice }) => (
            <Button key={label} size="small" variant="secondary" onClick={() => say(choice)}>
              {label}
            </Button>
          ))}
        </div>
      )}
      <label htmlFor={id} className="text-sm text-ink-soft">
        {number === undefined
          ? `${title}: say it in words`
          : `${title}: a number in ${number.unit}, or words`}
      </label>
      <div className="flex gap-2">
        <TextInput
          id={id}
          className="min-w-0 flex-1"
          maxLength={SENTENCE_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" size="small" variant="secondary" disabled={says === ''}>
          Change
        </Button>
      </div>
    </form>
  );
}

const EDITS: Readonly<Record<string, Editing>> = {
  schedule: {
    choices: [
      { label: 'Daily', says: 'Check it daily.' },
      { label: 'Weekly', says: 'Check it weekly.' },
      { label: 'Monthly', says: 'Check it monthly.' },
    ],
  },
  'exits.stopPercent': {
    choices: [{ label: 'No stop', says: 'No stop loss.' }],
    number: { unit: 'percent', says: (value) => `Stop loss ${value}%.` },
  },
  'exits.targetPercent': {
    choices: [],
    number: { unit: 'percent', says: (value) => `Take profit at ${value}%.` },
  },
  'exits.maxBars': {
    choices: [],
    number: { unit: 'trading days', says: (value) => `Sell after ${value} days.` },
  },
  direction: {
    choices: [
      { label: 'Buy only', says: 'Long only.' },
      { label: 'Long and short', says: 'Long and short.' },
    ],
  },
  weighting: {
    choices: [
      { label: 'The same for each', says: 'Equal weights.' },
      { label: 'Calmer ones larger', says: 'Weighted by inverse volatility.' },
    ],
  },
};
