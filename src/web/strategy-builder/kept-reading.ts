// A reading by the language model as the page uses it: only for the words that it read, judged again with each decision.
import { useMemo } from 'react';
import type { BuilderReading } from '#contract/strategies/builder-readings.ts';
import {
  type Decision,
  type JudgedProposal,
  judgeProposal,
} from '#rules/strategy-builder/proposal/judge-proposal.ts';
import type { Proposal } from '#rules/strategy-builder/proposal/proposal-shape.ts';
import type { Conversation, ReadStrategy } from '#rules/strategy-builder/reading/conversation.ts';
import { readStrategy } from '#rules/strategy-builder/reading/read-strategy.ts';
import { withSuggestions } from '#rules/strategy-builder/tagger/suggest-answers.ts';
import { useBuilderInstruments } from './builder-queries.ts';
import { useWordTagger } from './word-tagger.ts';

export type KeptReading = { readonly reading: BuilderReading; readonly decisions: readonly Decision[] };

export type Read = {
  /** The grammar's. */
  readonly grammar: ReadStrategy;
  /** What stands: the model's, where it read these words and proposed rules; else the grammar's. */
  readonly shown: ReadStrategy;
  /** Of these words; null where the model has not read them. */
  readonly byModel: KeptReading | null;
  /** Null where the grammar's reading stands. */
  readonly judged: JudgedProposal | null;
};

/** Null while nothing is written, or the instruments are not known yet. */
export function useRead(conversation: Conversation | null, kept: KeptReading | null): Read | null {
  const { data: instruments } = useBuilderInstruments();
  const plain = useMemo(
    () =>
      conversation === null || conversation.messages[0]?.trim() === '' || instruments === undefined
        ? null
        : readStrategy(conversation, instruments),
    [conversation, instruments],
  );
  const tagger = useWordTagger(plain?.questions.some(({ isUnread }) => isUnread) ?? false);
  return useMemo(() => {
    if (conversation === null || plain === null || instruments === undefined) return null;
    const grammar =
      tagger === undefined ? plain : withSuggestions(plain, { conversation, instruments, tagger });
    const byModel = kept !== null && isOf(kept.reading, conversation) ? kept : null;
    const proposal = byModel?.reading.read_by === 'model' ? (byModel.reading.proposal as Proposal) : null;
    if (byModel === null || proposal === null) return { grammar, shown: grammar, byModel, judged: null };
    const { decisions } = byModel;
    const judged = judgeProposal(proposal, { conversation, instruments, read: grammar, decisions });
    return { grammar, shown: shownOf(grammar, judged), byModel, judged };
  }, [conversation, kept, instruments, plain, tagger]);
}

/** What the service is told of it, beside the words. */
export function readingOf(read: Read | null): { reading?: string; decisions?: Decision[] } {
  if (read?.byModel == null || read.judged === null || read.judged.outcome === 'unfit') return {};
  return { reading: read.byModel.reading.id, decisions: [...read.byModel.decisions] };
}

/** What is open besides the differences, which are asked with both readings beside the model. */
export function openOf({ shown, judged }: Read): ReadStrategy {
  if (judged === null || judged.outcome === 'unfit') return shown;
  return { ...shown, questions: shown.questions.filter(({ topic }) => topic !== 'words') };
}

function isOf({ messages, answers }: BuilderReading, conversation: Conversation): boolean {
  const text = (one: Conversation) =>
    JSON.stringify([one.messages, one.answers.map(({ about, says }) => [about, says])]);
  return text({ messages, answers }) === text(conversation);
}

function shownOf(grammar: ReadStrategy, judged: JudgedProposal): ReadStrategy {
  if (judged.outcome === 'unfit') return grammar;
  if (judged.outcome === 'missing')
    return {
      ...grammar,
      outcome: 'asks',
      definition: null,
      refusals: [],
      questions: [{ topic: 'parser', spans: [], sentence: judged.sentence, choices: [] }],
    };
  const { definition, assumed, links, differences, outcome } = judged;
  const open = differences.filter(({ taken }) => taken === null);
  return {
    ...grammar,
    outcome,
    definition,
    assumed,
    links,
    refusals: [],
    // Marks their words; the differences themselves are asked with both readings.
    questions: open.map(({ spans, heard }) => ({ topic: 'words', spans, sentence: heard, choices: [] })),
  };
}
