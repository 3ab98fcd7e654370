import { dollars } from '#rules/dollars.ts';
import type { ReadStrategy } from '#rules/strategy-builder/reading/conversation.ts';
import { toMicro } from '#units/money.ts';
import { describeDefinition, type RuleLine } from './describe-definition.ts';
import { isSamePart, type Pointed } from './marked-parts.ts';
import { PartEditor } from './part-editor.tsx';
import { PointingButton } from './pointing-button.tsx';

/** The definition as it stands, in words. A line that is pointed at shows the words that made it, and the other way round. */
export function RulesRead({
  read,
  pointed,
  point,
  say,
}: Pointed & {
  read: ReadStrategy;
  /** Changes a part by a sentence; without it the parts are only shown. */
  say?: (text: string) => void;
}) {
  const { definition, assumed, links, outcome } = read;
  if (definition === null) {
    return (
      <p className="text-ink-soft">
        {outcome === 'refused'
          ? 'Nothing is built until this is resolved.'
          : 'The rules appear here once the open questions are answered.'}
      </p>
    );
  }
  const lines = [...describeDefinition(definition), ...wishLines(read)];
  return (
    <>
      {outcome === 'asks' && (
        <p className="text-sm text-caution">Not complete yet: some words are still open.</p>
      )}
      <dl className="grid gap-3">
        {lines.map(({ part, title, text }) => {
          const isSaid = links.some((link) => isSamePart(link.part, part));
          const isPointed = pointed !== null && isSamePart(part, pointed);
          const notes = assumed.filter((one) => isSamePart(one.part, part));
          return (
            <div
              key={`${part} ${title}`}
              className={`rounded-control px-2 py-1 ${isPointed ? 'bg-accent-wash' : ''}`}
            >
              <dt className="flex items-baseline justify-between gap-2 text-sm text-ink-faint">
                {isSaid ? (
                  <PointingButton
                    part={part}
                    isPointed={isPointed}
                    point={point}
                    className="min-h-6 underline decoration-accent underline-offset-4"
                  >
                    {title}
                  </PointingButton>
                ) : (
                  title
                )}
                {!isSaid && <span>assumed</span>}
              </dt>
              <dd className="text-ink">
                {say ? <PartEditor part={part} title={title} text={text} say={say} /> : text}
              </dd>
              {notes.map((note) => (
                <dd key={note.text} className="text-sm text-ink-soft">
                  Assumed: {note.text.charAt(0).toLowerCase()}
                  {note.text.slice(1)}
                </dd>
              ))}
            </div>
          );
        })}
      </dl>
    </>
  );
}

function wishLines({ wishes }: ReadStrategy): readonly RuleLine[] {
  const { targetReturn, minimumInvestment } = wishes;
  return [
    ...(targetReturn === undefined
      ? []
      : [
          {
            part: 'wish.aim',
            title: 'Goal',
            text: `${targetReturn}% a year. It changes no rule and is not promised`,
          },
        ]),
    ...(minimumInvestment === undefined
      ? []
      : [{ part: 'wish.minimum', title: 'Minimum', text: `From ${dollars(toMicro(minimumInvestment))}` }]),
  ];
}
