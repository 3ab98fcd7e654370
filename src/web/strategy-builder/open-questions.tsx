import type { Answer, ReadStrategy } from '#rules/strategy-builder/reading/conversation.ts';
import { Button } from '../kit/control/button.tsx';

type Question = ReadStrategy['questions'][number];

/** What is vague or missing, with answers to press; and why nothing is built, where two things contradict. */
export function OpenQuestions({
  messages,
  read,
  onAnswer,
  onSay,
}: {
  messages: readonly string[];
  read: ReadStrategy;
  onAnswer: (answer: Answer) => void;
  onSay: (says: string) => void;
}) {
  const { questions, refusals } = read;
  const quoted = ({ spans }: Pick<Question, 'spans'>) =>
    spans
      .map(({ message, from, to }) => messages[message]?.slice(from, to) ?? '')
      .filter((text) => text !== '');
  return (
    <div aria-live="polite" className="grid gap-4">
      {refusals.map((refusal, place) => (
        <div key={place} className="rounded-surface bg-loss-wash p-4 text-sm">
          <p className="text-ink">{refusal.sentence}</p>
          <Quotes texts={quoted(refusal)} />
        </div>
      ))}
      {questions.map((question, place) => {
        const texts = quoted(question);
        return (
          <div key={place} className="rounded-surface bg-caution-wash p-4 text-sm">
            <p className="text-ink">{question.sentence}</p>
            <Quotes texts={texts} />
            {question.choices.length > 0 && (
              <div className="mt-3 flex flex-wrap gap-2">
                {question.choices.map(({ label, says, about = texts[0] ?? '' }) => (
                  <Button
                    key={label}
                    size="small"
                    variant="secondary"
                    onClick={() => (question.topic === 'words' ? onAnswer({ about, says }) : onSay(says))}
                  >
                    {label}
                  </Button>
                ))}
              </div>
            )}
          </div>
        );
      })}
    </div>
  );
}

function Quotes({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <p className="mt-1 text-ink-soft">
      {texts.map((text, place) => (
        <q key={place} className="mr-2">
          {text}
        </q>
      ))}
    </p>
  );
}
