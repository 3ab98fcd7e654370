import { type ReactNode, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { FURTHER_MAX } from '#rules/strategy-builder/builder-input.ts';
import { keepTuned } from '#rules/strategy-builder/keep-tuned.ts';
import type { Answer, ReadStrategy } from '#rules/strategy-builder/reading/conversation.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Surface } from '../kit/page/surface.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Correction } from './ai-builder.tsx';
import { draftAddress } from './draft-address.ts';
import { useDraftWords, useReviseStrategy } from './builder-queries.ts';
import { type KeptReading, openOf, type Read, readingOf, useRead } from './kept-reading.ts';
import { costWords, modelName, ModelReading } from './model-reading.tsx';
import { OpenQuestions } from './open-questions.tsx';
import { RulesRead } from './rules-read.tsx';
import { SaidText } from './said-text.tsx';

type Words = NonNullable<ReturnType<typeof useDraftWords>['data']>[number];
type Said = {
  readonly description: string;
  readonly further: readonly string[];
  readonly answers: readonly Answer[];
};

/** The conversation goes on where the draft stands. A draft that was built by controls has none. */
export function DraftConversation({ draft, isBusy }: { draft: StrategyDraft; isBusy: boolean }) {
  const words = useDraftWords(draft.id);
  if (words.isError)
    return <Notice tone="failure">What was said could not be loaded. Please try again shortly.</Notice>;
  const [last] = words.data ?? [];
  if (last === undefined) return null;
  return (
    <section aria-labelledby="conversation">
      <SectionTitle
        id="conversation"
        note="Say what should be different. Numbers that you moved by hand stay where your words do not speak of them."
      >
        Change it by words
      </SectionTitle>
      <Conversation key={last.version} draft={draft} last={last} isBusy={isBusy} />
      <History words={words.data ?? []} />
    </section>
  );
}

function Conversation({ draft, last, isBusy }: { draft: StrategyDraft; last: Words; isBusy: boolean }) {
  const before = useMemo(() => saidBefore(last), [last]);
  const [said, setSaid] = useState<Said>(() => readKept(draft.version_id) ?? before);
  const [kept, setKept] = useState<KeptReading | null>(() => keptOf(last));
  const [pointed, point] = useState<string | null>(null);
  const [isByPart, setByPart] = useState(false);
  const revise = useReviseStrategy(draft.id);
  const navigate = useNavigate();
  const { description, further, answers } = said;
  const conversation = useMemo(
    () => ({ messages: [description, ...further], answers }),
    [description, further, answers],
  );
  const read = useRead(conversation, kept);
  const rules = useNextDefinition(draft, last, read);
  const change = (part: Partial<Said>) => {
    revise.reset();
    const next = { ...said, ...part };
    keep(draft.version_id, next);
    setSaid(next);
  };
  const say = (text: string) => change({ further: [...further, text] });
  if (read === null || rules === null) return null;
  const isNew = JSON.stringify(said) !== JSON.stringify(before);
  const save = () =>
    revise.mutate(
      {
        description,
        further: [...further],
        answers: answers.map((one) => ({ ...one })),
        ...readingOf(read),
        ...(draft.is_traded && { copy: true }),
      },
      { onSuccess: ({ draft: made }) => void (made.id !== draft.id && navigate(draftAddress(made.id))) },
    );
  return (
    <div className="mt-6 grid items-start gap-10 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-14">
      <div className="grid gap-6">
        <SaidText form={said} change={change} read={read.shown} pointed={pointed} point={point} />
        <ModelReading messages={conversation.messages} answers={[...answers]} read={read} keep={setKept} />
        <OpenQuestions
          messages={conversation.messages}
          read={openOf(read)}
          onAnswer={(one) =>
            change({ answers: [...answers.filter(({ about }) => about !== one.about), one] })
          }
          onSay={say}
        />
        {further.length < FURTHER_MAX && <Correction onSay={say} />}
      </div>
      {isNew || isByPart ? (
        <NextRules
          read={read.shown}
          isNew={isNew}
          isBusy={isBusy}
          isTraded={draft.is_traded}
          revise={revise}
          save={save}
          takeBack={() => change(before)}
        >
          <RulesRead read={rules} pointed={pointed} point={point} say={say} />
        </NextRules>
      ) : (
        <ByPart open={() => setByPart(true)} />
      )}
    </div>
  );
}

/** As they would be saved: with the numbers that were moved by hand. */
function useNextDefinition(draft: StrategyDraft, last: Words, read: Read | null): ReadStrategy | null {
  const [conversation, kept] = useMemo(
    () => [{ messages: last.messages, answers: last.answers }, keptOf(last)] as const,
    [last],
  );
  const before = useRead(conversation, kept)?.shown.definition ?? null;
  return useMemo(() => {
    const next = read?.shown.definition ?? null;
    const now = parseDefinition(draft.definition);
    if (read === null || next === null || before === null || !now.ok) return read?.shown ?? null;
    return { ...read.shown, definition: keepTuned({ before, now: now.definition, next }) };
  }, [read, before, draft.definition]);
}

function keptOf({ reading, decisions }: Words): KeptReading | null {
  return reading && { reading, decisions };
}

const keyOf = (versionId: string) => `draft-words ${versionId}`;

/** Until it is saved, what is said stays in this window. */
function keep(versionId: string, said: Said): void {
  sessionStorage.setItem(keyOf(versionId), JSON.stringify(said));
}

/** Only this file writes the key; what cannot be read is as good as absent. */
function readKept(versionId: string): Said | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(versionId)) ?? 'null') as Said | null;
  } catch {
    return null;
  }
}

function ByPart({ open }: { open: () => void }) {
  return (
    <p>
      <Button variant="secondary" onClick={open}>
        Change part by part
      </Button>
    </p>
  );
}

/** What the words make of the draft, and the press that saves it. */
function NextRules({
  read,
  isNew,
  isBusy,
  isTraded,
  revise,
  save,
  takeBack,
  children,
}: {
  read: ReadStrategy;
  isNew: boolean;
  isBusy: boolean;
  /** A deployment trades these rules: other rules make another draft. */
  isTraded: boolean;
  revise: ReturnType<typeof useReviseStrategy>;
  save: () => void;
  takeBack: () => void;
  children: ReactNode;
}) {
  return (
    <Surface aria-labelledby="next-rules">
      <h3 id="next-rules" className="font-serif text-lg">
        {isNew ? 'The rules after this' : 'The rules as they were read'}
      </h3>
      <div aria-live="polite" className="mt-3 grid gap-3">
        {children}
      </div>
      {revise.isError && (
        <div className="mt-4">
          <Notice tone="failure" title="The strategy was not changed">
            {sentenceOf(revise.error, 'Nothing that you wrote is lost. Please try again.')}
          </Notice>
        </div>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          disabled={!isNew || isBusy || read.outcome !== 'ready'}
          busy={revise.isPending}
          busyLabel="Saving..."
          onClick={save}
        >
          {isTraded ? 'Copy with these rules' : 'Save these rules'}
        </Button>
        {isNew && (
          <Button variant="secondary" onClick={takeBack}>
            Take all back
          </Button>
        )}
      </div>
    </Surface>
  );
}

function saidBefore({ messages, answers }: Words): Said {
  const [description = '', ...further] = messages;
  return { description, further, answers };
}

/** Every version that words made: who read them, and what it took. */
function History({ words }: { words: readonly Words[] }) {
  return (
    <details className="mt-6 text-sm">
      <summary className="cursor-pointer text-ink-soft">What was said, version by version</summary>
      <ol className="mt-3 grid gap-4">
        {words.map(({ version, messages, answers, reading }) => (
          <li key={version} className="border-l-2 pl-3">
            <p className="figures text-ink-faint">
              Version {version}, read by {reading === null ? 'the grammar' : modelName(reading)}.
              {reading !== null && ` ${costWords(reading)} Prompt ${reading.prompt_hash.slice(0, 12)}.`}
              {reading?.is_stand_in && ' A stand-in, no language model.'}
            </p>
            {messages.map((text, place) => (
              <p key={place} className="whitespace-pre-wrap">
                {text}
              </p>
            ))}
            {answers.map(({ about, says }) => (
              <p key={about} className="text-ink-soft">
                “{about}”: {says === '' ? 'left out' : says}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </details>
  );
}
