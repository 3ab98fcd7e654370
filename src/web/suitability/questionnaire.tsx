import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ANSWER_REQUIRED, type Answers } from '#rules/suitability/assess-answers.ts';
import { type Question, QUESTIONS } from '#rules/suitability/questionnaire.ts';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { ProgressBar } from '../kit/state/progress-bar.tsx';

/** Six questions, one at a time. The surrounding page stores the answers and the current question. */
export function Questionnaire({
  answers,
  place,
  onAnswer,
  onPlace,
  onComplete,
  isEditing,
  isSaving,
  failure,
}: {
  answers: Answers;
  /** From 0. */
  place: number;
  onAnswer: (answers: Answers) => void;
  onPlace: (place: number) => void;
  onComplete: () => void;
  /** The answers replace those of a profile that exists. */
  isEditing: boolean;
  isSaving: boolean;
  failure: string | null;
}) {
  const [missing, setMissing] = useState(false);
  const at = Math.min(Math.max(0, place), QUESTIONS.length - 1);
  const question = QUESTIONS[at]!;
  const isLast = at === QUESTIONS.length - 1;

  const goOn = (event: FormEvent) => {
    event.preventDefault();
    const isAnswered = answers[question.id] !== undefined;
    setMissing(!isAnswered);
    if (!isAnswered) return;
    if (isLast) onComplete();
    else onPlace(at + 1);
  };
  const goBack = () => {
    setMissing(false);
    onPlace(at - 1);
  };

  return (
    <form noValidate onSubmit={goOn}>
      <Progress at={at} />
      <QuestionChoice
        question={question}
        value={answers[question.id]}
        error={missing ? ANSWER_REQUIRED : null}
        onChange={(value) => {
          setMissing(false);
          onAnswer({ ...answers, [question.id]: value });
        }}
      />
      {failure && (
        <div className="mt-6">
          <Notice tone="failure">{failure}</Notice>
        </div>
      )}
      <div className="mt-8 flex flex-wrap justify-between gap-3">
        <Button variant="secondary" disabled={at === 0} onClick={goBack}>
          Previous
        </Button>
        <Button type="submit" busy={isSaving} busyLabel="Saving...">
          {isLast ? (isEditing ? 'Update Assessment' : 'Complete Assessment') : 'Next Question'}
        </Button>
      </div>
    </form>
  );
}

function Progress({ at }: { at: number }) {
  const text = `${at + 1} of ${QUESTIONS.length}`;
  return (
    <>
      <p className="figures mb-2 text-sm text-ink-faint" aria-hidden="true">
        {text}
      </p>
      <ProgressBar label="Questions" value={at + 1} max={QUESTIONS.length} text={text} />
    </>
  );
}

function QuestionChoice({
  question,
  value,
  error,
  onChange,
}: {
  question: Question;
  value: string | undefined;
  error: string | null;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const legend = useRef<HTMLLegendElement>(null);
  const shown = useRef(question.id);
  // The next question is read out when it comes; the first one is not, so that the page can be read first.
  useEffect(() => {
    if (shown.current === question.id) return;
    shown.current = question.id;
    legend.current?.focus();
  }, [question.id]);
  return (
    <fieldset className="mt-8" aria-describedby={error ? `${id}-error` : undefined}>
      <legend ref={legend} tabIndex={-1} className="font-serif text-lg text-balance outline-none">
        {question.text}
      </legend>
      <div className="mt-5 grid gap-2">
        {question.options.map((option) => (
          <label
            key={option.value}
            className="flex cursor-pointer items-start gap-3 rounded-control border border-control-line/60 px-4 py-3.5 transition-colors hover:border-control-line has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={question.id}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
              className="mt-0.5 size-5 shrink-0 accent-accent-fill outline-none"
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-3 text-sm text-loss">
          {error}
        </p>
      )}
    </fieldset>
  );
}
