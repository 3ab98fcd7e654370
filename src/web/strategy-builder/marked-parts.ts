// A message cut into stretches, each with the parts of the definition that its words made, or why they made none.
import type { ReadStrategy } from '#rules/strategy-builder/reading/conversation.ts';

/** Where the pointer or the focus is: at words, or at the part that they made. */
export type Pointed = { readonly pointed: string | null; readonly point: (part: string | null) => void };

export type Stretch = {
  readonly from: number;
  readonly text: string;
  readonly parts: readonly string[];
  /** asked: a question is open about it. refused: it is why nothing is built. */
  readonly state: 'plain' | 'used' | 'asked' | 'refused';
};

export function markedParts(text: string, message: number, read: ReadStrategy): readonly Stretch[] {
  const isHere = (span: { readonly message: number }) => span.message === message;
  const links = read.links.filter(({ span }) => isHere(span));
  const asked = read.questions
    .filter(({ topic }) => topic === 'words')
    .flatMap(({ spans }) => spans.filter(isHere));
  const refused = read.refusals.flatMap(({ spans }) => spans.filter(isHere));
  const spans = [...links.map(({ span }) => span), ...asked, ...refused];
  const cuts = [...new Set([0, text.length, ...spans.flatMap(({ from, to }) => [from, to])])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(0, -1).map((from, place) => {
    const to = cuts[place + 1]!;
    const covers = (span: { readonly from: number; readonly to: number }) =>
      span.from <= from && span.to >= to;
    const parts = [...new Set(links.filter(({ span }) => covers(span)).map(({ part }) => part))];
    const state = refused.some(covers)
      ? 'refused'
      : asked.some(covers)
        ? 'asked'
        : parts.length > 0
          ? 'used'
          : 'plain';
    return { from, text: text.slice(from, to), parts, state };
  });
}

/** Whether words about one part are words about the other: a rule has several lines, and a size may be a share of the money. */
export function isSamePart(one: string, other: string): boolean {
  const [a, b] = [SHOWN_AT[one] ?? one, SHOWN_AT[other] ?? other];
  return a === b || (a === 'rule' && b.startsWith('rule.')) || (b === 'rule' && a.startsWith('rule.'));
}

/** Parts that are shown in the line of another. */
const SHOWN_AT: Readonly<Record<string, string>> = { gross: 'weighting', 'rule.where': 'rule' };
