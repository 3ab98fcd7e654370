// What words that were not understood may mean: the tagger offers, the grammar judges, a person presses. Nothing is read by it
// alone, and where it offers nothing, the question stays as it was.
import type { Conversation, ReadStrategy } from '../reading/conversation.ts';
import { tokensOf } from '../reading/lexer.ts';
import type { NamedInstrument } from '../reading/market-names.ts';
import { readStrategy } from '../reading/read-strategy.ts';
import type { Question } from '../reading/said.ts';
import type { Choice } from '../reading/vague-words.ts';
import type { Span, Token } from '../reading/token.ts';
import { vocabularyOf } from '../reading/vocabulary.ts';
import { tagFeatures } from './tag-features.ts';
import type { Tag, WordTagger } from './word-tagger.ts';

/** The first must be this probable, further ones that. */
export const OFFERED = { first: 0.4, further: 0.15, most: 3 } as const;

/** The classes that are probable enough to be offered; none where the words are most probably of something else. */
export function offered(tags: readonly Tag[]): readonly Tag[] {
  const [first] = tags;
  if (first === undefined || first.is === 'none' || first.probability < OFFERED.first) return [];
  return tags
    .filter(({ is, probability }) => is !== 'none' && probability >= OFFERED.further)
    .slice(0, OFFERED.most);
}

/** The same reading, with what words that were not understood may mean among the choices of their questions. */
export function withSuggestions(read: ReadStrategy, given: Given): ReadStrategy {
  if (!read.questions.some(({ isUnread }) => isUnread)) return read;
  const questions = read.questions.map((question) => {
    const choices = question.isUnread === true ? suggestionsFor(question, given) : [];
    return choices.length === 0
      ? question
      : { ...question, sentence: OFFERS, choices: [...choices, ...question.choices] };
  });
  return { ...read, questions };
}

type Given = {
  readonly conversation: Conversation;
  readonly instruments: readonly NamedInstrument[];
  readonly tagger: WordTagger;
};

const OFFERS =
  'These words are not known here. Is this what is meant? If not, say it in other words, or leave it out.';

function suggestionsFor(question: Question, { conversation, instruments, tagger }: Given): readonly Choice[] {
  const [span] = question.spans;
  const text = span && conversation.messages[span.message];
  if (span === undefined || text === undefined) return [];
  const tokens = tokensOf(text, span.message, vocabularyOf(instruments));
  const isOpen = ({ category, from, to }: Token) =>
    category === 'unknown' && from >= span.from && to <= span.to;
  const runs = runsOf(tokens, isOpen);
  return runs.flatMap((run) => {
    const about =
      runs.length === 1 ? span : { ...span, from: tokens[run.first]!.from, to: tokens[run.last]!.to };
    const fits = (choice: Choice & { readonly about: string }) => {
      const again = readStrategy(
        { ...conversation, answers: [...conversation.answers, choice] },
        instruments,
      );
      return again.refusals.length === 0 && !again.questions.some((one) => overlaps(one, about));
    };
    // "Scoop up": a word that belongs to it may follow.
    const ends = [run.last, run.last + 1].filter((end) => end < tokens.length && !isApart(tokens[end]!));
    return offered(tagger(tagFeatures(tokens, run.first, run.last + 1))).flatMap(({ says }) => {
      const choices = ends.map((end) => {
        const words = text.slice(tokens[run.first]!.from, tokens[end]!.to);
        return { label: `“${words}” means “${says}”`, says, about: words };
      });
      return choices.find(fits) ?? [];
    });
  });
}

type Run = { readonly first: number; readonly last: number };

/** Where such words stand together; each such place may mean something of its own. */
function runsOf(tokens: readonly Token[], isOpen: (token: Token) => boolean): readonly Run[] {
  const runs: Run[] = [];
  for (const [place, token] of tokens.entries()) {
    if (!isOpen(token)) continue;
    const before = runs.at(-1);
    if (before?.last === place - 1) runs[runs.length - 1] = { ...before, last: place };
    else runs.push({ first: place, last: place });
  }
  return runs;
}

function isApart({ category }: Token): boolean {
  return APART.has(category);
}

const APART: ReadonlySet<string> = new Set(['number', 'instrument', 'kind', 'comma', 'end', 'and', 'or']);

function overlaps({ spans }: Question, { message, from, to }: Span): boolean {
  return spans.some((span) => span.message === message && span.from < to && from < span.to);
}
