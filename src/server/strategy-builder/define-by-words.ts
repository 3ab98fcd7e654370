// A definition from a conversation: as the grammar reads it, or as a model proposed it in a reading that the server kept, judged anew.
// Nothing that the browser read is believed.
import type { BuildStrategyRequest } from '#contract/strategies/strategy-builder.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { Database } from '#records/postgres/database.ts';
import { findReading } from '#records/strategy-builder/model-readings.ts';
import { type Decision, judgeProposal } from '#rules/strategy-builder/proposal/judge-proposal.ts';
import type { Proposal } from '#rules/strategy-builder/proposal/proposal-shape.ts';
import {
  type Conversation,
  type ReadStrategy,
  wordsAt,
} from '#rules/strategy-builder/reading/conversation.ts';
import type { NamedInstrument } from '#rules/strategy-builder/reading/market-names.ts';
import { readStrategy } from '#rules/strategy-builder/reading/read-strategy.ts';
import { withSuggestions } from '#rules/strategy-builder/tagger/suggest-answers.ts';
import type { UserId } from '#units/identifiers.ts';
import { isRefused, refuse, type Refused } from '../http/refusal.ts';
import { conversationOf } from './conversation-of.ts';
import { openWordTagger } from './word-tagger.ts';

export type ByWords = Omit<Extract<BuildStrategyRequest, { mode: 'ai' }>, 'mode'>;

export type DefinedByWords = {
  readonly definition: StrategyDefinition;
  readonly strategyType: ReadStrategy['strategyType'];
  readonly isOfShares: boolean;
  readonly wishes: ReadStrategy['wishes'];
  readonly conversation: Conversation;
  readonly readingId: string | null;
  readonly decisions: readonly Decision[];
};

type Place = {
  readonly database: Database;
  readonly userId: UserId;
  readonly instruments: readonly (NamedInstrument & { readonly expiry: unknown })[];
};

export async function defineByWords(
  body: ByWords,
  { database, userId, instruments }: Place,
): Promise<DefinedByWords | Refused> {
  const conversation = conversationOf(body);
  if (isRefused(conversation)) return conversation;
  const named = instruments.filter(({ expiry }) => expiry === null);
  const read = readStrategy(conversation, named);
  const { reading: readingId, decisions = [] } = body;
  if (readingId === undefined) {
    const { definition, strategyType, wishes } = read;
    if (read.outcome !== 'ready' || definition === null) {
      const given = { conversation, instruments: named, tagger: openWordTagger() };
      return unclear(withSuggestions(read, given), conversation);
    }
    const isOfShares = read.kind === 'equity';
    return { definition, strategyType, isOfShares, wishes, conversation, readingId: null, decisions: [] };
  }
  const reading = await findReading(database, readingId, userId);
  if (reading === undefined || reading.readBy !== 'model' || !isSame(reading.conversation, conversation))
    return refuse(
      'description_unclear',
      'The language model has not read these words. Have it read them, or build from the reading of the grammar.',
      { field: 'reading' },
    );
  const judged = judgeProposal(reading.proposal as Proposal, {
    conversation,
    instruments: named,
    read,
    decisions,
  });
  if (judged.outcome !== 'ready') return undecided(judged, conversation);
  const { definition, strategyType } = judged;
  const kinds = new Map(named.map(({ symbol, kind }) => [symbol, kind]));
  const isOfShares = definition.universe.every((symbol) => kinds.get(symbol) === 'equity');
  return { definition, strategyType, isOfShares, wishes: read.wishes, conversation, readingId, decisions };
}

function isSame(one: Conversation, other: Conversation): boolean {
  const text = ({ messages, answers }: Conversation) =>
    JSON.stringify([messages, answers.map(({ about, says }) => [about, says])]);
  return text(one) === text(other);
}

function unclear(read: ReadStrategy, conversation: Conversation): Refused {
  const questions = read.questions.map(({ sentence, spans, choices }) => ({
    sentence,
    words: wordsAt(conversation, spans),
    choices,
  }));
  const refusals = read.refusals.map(({ sentence, spans }) => ({
    sentence,
    words: wordsAt(conversation, spans),
  }));
  const [first] = refusals.length > 0 ? refusals : questions;
  const words = (first?.words ?? []).map((one) => `“${one.slice(0, 60)}”`).slice(0, 2);
  const about = words.length > 0 ? ` It is about ${words.join(' and ')}.` : '';
  const sentence = `${first?.sentence ?? 'This cannot be built.'}${about}`;
  return refuse('description_unclear', sentence, { field: 'description', details: { questions, refusals } });
}

function undecided(
  judged: Exclude<ReturnType<typeof judgeProposal>, { outcome: 'ready' }>,
  conversation: Conversation,
): Refused {
  if (judged.outcome === 'missing')
    return refuse('description_unclear', judged.sentence, { field: 'description' });
  if (judged.outcome === 'unfit')
    return refuse(
      'definition_invalid',
      'The proposal no longer fits what can be traded here. Read the words again.',
      {
        field: 'reading',
      },
    );
  const differences = judged.differences
    .filter(({ taken }) => taken === null)
    .map(({ id, heard, proposed, spans }) => ({ id, heard, proposed, words: wordsAt(conversation, spans) }));
  const sentence =
    judged.clash ?? 'The grammar and the language model read some words differently. Decide which is meant.';
  return refuse('description_unclear', sentence, { field: 'decisions', details: { differences } });
}
