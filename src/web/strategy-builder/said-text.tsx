import type { ReadStrategy } from '#rules/strategy-builder/reading/conversation.ts';
import { Button } from '../kit/control/button.tsx';
import type { BuilderForm } from './kept-form.ts';

type Said = Pick<BuilderForm, 'description' | 'further' | 'answers'>;
import { isSamePart, markedParts, type Pointed, type Stretch } from './marked-parts.ts';
import { PointingButton } from './pointing-button.tsx';

/** What was written, each phrase marked: it made a part, it is asked about, or it is why nothing is built. */
export function SaidText({
  form,
  change,
  read,
  pointed,
  point,
}: Pointed & { form: Said; change: (part: Partial<Said>) => void; read: ReadStrategy }) {
  const { description, further, answers } = form;
  const without = (place: number) => change({ further: further.filter((_, one) => one !== place) });
  return (
    <section aria-labelledby="said">
      <h2 id="said" className="text-sm font-medium text-ink">
        How it was read
      </h2>
      <p className="mt-1 text-sm text-ink-faint">
        Underlined words made a rule. Marked words are still open.
      </p>
      <div className="mt-2 grid gap-2 border-l-2 pl-3">
        {[description, ...further].map((text, message) => (
          <div key={message} className="flex items-start gap-3">
            <p className="min-w-0 flex-1 leading-7 whitespace-pre-wrap">
              {markedParts(text, message, read).map((stretch) => (
                <Words key={stretch.from} stretch={stretch} pointed={pointed} point={point} />
              ))}
            </p>
            {message > 0 && (
              <Button
                size="small"
                variant="quiet"
                aria-label={`Take back “${text}”`}
                onClick={() => without(message - 1)}
              >
                Take back
              </Button>
            )}
          </div>
        ))}
        {answers.map(({ about, says }) => (
          <div key={about} className="flex items-start gap-3 text-sm">
            <p className="min-w-0 flex-1 text-ink-soft">
              “{about}”: {says === '' ? 'left out' : says}
            </p>
            <Button
              size="small"
              variant="quiet"
              aria-label={`Take back the answer about “${about}”`}
              onClick={() => change({ answers: answers.filter((one) => one.about !== about) })}
            >
              Take back
            </Button>
          </div>
        ))}
      </div>
    </section>
  );
}

function Words({ stretch, pointed, point }: Pointed & { stretch: Stretch }) {
  const { text, parts, state } = stretch;
  if (state === 'plain') return text;
  if (state === 'refused') return <mark className="rounded-sm bg-loss-wash text-ink">{text}</mark>;
  if (state === 'asked') return <mark className="rounded-sm bg-caution-wash text-ink">{text}</mark>;
  const [part = ''] = parts;
  const isPointed = pointed !== null && parts.some((one) => isSamePart(one, pointed));
  return (
    <PointingButton
      part={part}
      isPointed={isPointed}
      point={point}
      className={`inline rounded-sm text-left underline decoration-accent decoration-2 underline-offset-4 ${isPointed ? 'bg-accent-wash' : ''}`}
    >
      {text}
    </PointingButton>
  );
}
