// A conversation as text: what is kept with a draft, and the words at a place of it.
import type { Conversation } from './read-strategy.ts';
import type { Span } from './token.ts';

/** Everything that was said, a line each; an answer names the words that it is about. */
export function conversationText({ messages, answers }: Conversation): string {
  const said = answers.map(({ about, says }) => (says === '' ? `“${about}”: left out` : `“${about}”: ${says}`));
  return [...messages, ...said].map((line) => line.trim()).join('\n');
}

export function wordsAt({ messages }: Conversation, spans: readonly Span[]): readonly string[] {
  return spans.map(({ message, from, to }) => messages[message]!.slice(from, to));
}
