// A conversation about a strategy, what is read from it, and its text as it is kept with a draft.
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { Heard } from './heard.ts';
import type { Assumed, Link, Question, Refusal } from './said.ts';
import type { Span } from './token.ts';
import type { Universe } from './universe.ts';

export type Answer = {
  /** The words that were asked about. */
  readonly about: string;
  /** What is meant; empty leaves them out. */
  readonly says: string;
};

export type Conversation = { readonly messages: readonly string[]; readonly answers: readonly Answer[] };

export type ReadStrategy = {
  readonly outcome: 'ready' | 'asks' | 'refused';
  /** What was read so far, where that is a definition; it is the whole only when ready. */
  readonly definition: StrategyDefinition | null;
  readonly strategyType: 'trend_following' | 'momentum' | 'mean_reversion' | 'hybrid';
  readonly kind: Universe['kind'] | null;
  /** Percent a year; whole dollars. They change no rule. */
  readonly wishes: { readonly targetReturn?: number; readonly minimumInvestment?: number };
  /** Each phrase that was understood, whether or not there is a definition. */
  readonly heard: readonly Heard[];
  readonly links: readonly Link[];
  readonly assumed: readonly Assumed[];
  readonly questions: readonly Question[];
  readonly refusals: readonly Refusal[];
};

/** Everything that was said, a line each; an answer names the words that it is about. */
export function conversationText({ messages, answers }: Conversation): string {
  const said = answers.map(({ about, says }) =>
    says === '' ? `“${about}”: left out` : `“${about}”: ${says}`,
  );
  return [...messages, ...said].map((line) => line.trim()).join('\n');
}

export function wordsAt({ messages }: Conversation, spans: readonly Span[]): readonly string[] {
  return spans.map(({ message, from, to }) => messages[message]!.slice(from, to));
}
