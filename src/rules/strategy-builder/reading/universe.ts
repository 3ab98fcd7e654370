// Which instruments are meant: those that are named, or all of a kind, without those that are excluded. All of one kind.
import type { Said, InstrumentMention } from './said.ts';
import { isFund, type NamedInstrument } from './market-names.ts';
import type { Span } from './token.ts';

export type Universe = {
  readonly symbols: readonly string[];
  readonly kind: 'equity' | 'forex' | 'crypto' | 'futures';
  /** Named one by one, in the order in which they were said. */
  readonly isNamed: boolean;
};

type Market = { readonly instruments: readonly NamedInstrument[]; readonly texts: readonly string[] };

/** Null when none can be said: then there is a question or a refusal about it, or nothing was named. */
export function universeOf(said: Said, { instruments, texts }: Market): Universe | null {
  const wanted = said.instruments.filter(({ isNot }) => !isNot);
  const kinds = said.kinds.filter(({ isNot, kind }) => !isNot && kind !== 'options');
  if (refusesExclusion(said, instruments)) return null;
  const resolved = wanted.map((mention) => ({ mention, symbols: resolve(mention, { said, instruments }) }));
  const unclear = resolved.filter(({ symbols }) => symbols.length !== 1);
  for (const { mention, symbols } of unclear) askWhich(said, mention, { symbols, instruments });
  if (unclear.length > 0) return null;
  const names = [...new Set(resolved.flatMap(({ symbols }) => symbols))];
  if (names.length > 0) return named(said, { names, resolved, kinds, instruments, texts });
  const [first] = kinds;
  if (first === undefined) return null;
  const other = kinds.find(({ kind }) => kindOf(kind) !== kindOf(first.kind));
  if (other !== undefined) {
    said.refuse('These two contradict each other: a strategy trades one kind of instrument.', [
      first.span,
      other.span,
    ]);
    return null;
  }
  const excluded = new Set(said.instruments.filter(({ isNot }) => isNot).flatMap(({ symbols }) => symbols));
  const both = kinds.some(({ kind }) => kind === 'funds') && kinds.some(({ kind }) => kind === 'shares');
  const symbols = instruments
    .filter((one) => (both && one.kind === 'equity') || isOfKind(one, first.kind))
    .map(({ symbol }) => symbol)
    .filter((symbol) => !excluded.has(symbol));
  if (symbols.length === 0) {
    said.ask({
      topic: 'what',
      spans: [first.span],
      sentence: 'There are no prices of this kind here. What else?',
      choices: [],
    });
    return null;
  }
  return { symbols: symbols.slice(0, MOST), kind: kindOf(first.kind), isNamed: false };
}

const MOST = 200;

export function isOfKind(one: NamedInstrument, kind: string): boolean {
  if (kind === 'shares') return one.kind === 'equity' && !isFund(one);
  if (kind === 'funds') return one.kind === 'equity' && isFund(one);
  return one.kind === kind;
}

export function kindOf(kind: string): Universe['kind'] {
  return kind === 'shares' || kind === 'funds' || kind === 'options' ? 'equity' : (kind as Universe['kind']);
}

type Resolved = readonly { readonly mention: InstrumentMention; readonly symbols: readonly string[] }[];

function named(
  said: Said,
  {
    names,
    resolved,
    kinds,
    instruments,
    texts,
  }: Market & {
    readonly names: readonly string[];
    readonly resolved: Resolved;
    readonly kinds: Said['kinds'];
  },
): Universe | null {
  const kindBy = new Map(instruments.map(({ symbol, kind }) => [symbol, kind]));
  const kind = kindBy.get(names[0]!)!;
  const stranger = resolved.find(({ symbols }) => kindBy.get(symbols[0]!) !== kind);
  if (stranger !== undefined) {
    said.refuse('A strategy trades one kind of instrument; these are of two.', [
      resolved[0]!.mention.span,
      stranger.mention.span,
    ]);
    return null;
  }
  const misfit = kinds.find((one) => kindOf(one.kind) !== kind);
  if (misfit !== undefined) {
    said.refuse('These two contradict each other: the instrument is of another kind.', [
      resolved[0]!.mention.span,
      misfit.span,
    ]);
    return null;
  }
  const byName = new Map(instruments.map((one) => [one.symbol, one]));
  const outsider = resolved.find(({ symbols }) => {
    const one = byName.get(symbols[0]!)!;
    return (
      kinds.some((own) => kind === 'equity' && !isOfKind(one, own.kind)) &&
      !kinds.some((own) => isOfKind(one, own.kind))
    );
  });
  if (outsider !== undefined) {
    said.ask({
      topic: 'words',
      spans: [outsider.mention.span],
      sentence: 'Is this traded too? It is not one of the kind that is named.',
      choices: [{ label: 'Leave it out', says: '' }],
    });
    return null;
  }
  const member = kinds.find((one) =>
    resolved.some(({ mention }) => isListedWith(one.span, mention.span, texts)),
  );
  if (member !== undefined) {
    said.ask({
      topic: 'words',
      spans: [member.span],
      sentence: 'Is the market fund meant, or each one by itself?',
      choices: [
        { label: 'The market fund', says: 'the market fund' },
        { label: 'Leave it out', says: '' },
      ],
    });
    return null;
  }
  return { symbols: names, kind: kind as Universe['kind'], isNamed: true };
}

/** In one list: only commas and joining words between them. */
function isListedWith(one: Span, other: Span, texts: readonly string[]): boolean {
  if (one.message !== other.message) return false;
  const [from, to] = one.to <= other.from ? [one.to, other.from] : [other.to, one.from];
  if (to < from) return false;
  return /^\s*(?:,|and|or|&|,\s*and)\s*$/i.test(texts[one.message]!.slice(from, to));
}

function refusesExclusion(said: Said, instruments: readonly NamedInstrument[]): boolean {
  const kindBy = new Map(instruments.map((one) => [one.symbol, one]));
  for (const no of said.instruments.filter(({ isNot }) => isNot)) {
    const same = said.instruments.find(
      (one) =>
        !one.isNot && one.message === no.message && one.symbols.some((symbol) => no.symbols.includes(symbol)),
    );
    if (same !== undefined) return refuseBoth(said, same.span, no.span);
  }
  for (const no of said.kinds.filter(({ isNot }) => isNot)) {
    const kind = said.kinds.find((one) => !one.isNot && one.message === no.message && one.kind === no.kind);
    const own = said.instruments.find(
      (one) =>
        !one.isNot &&
        one.symbols.length > 0 &&
        one.symbols.every((symbol) => isOfKind(kindBy.get(symbol)!, no.kind)),
    );
    const clash = kind ?? own;
    if (clash !== undefined) return refuseBoth(said, clash.span, no.span);
  }
  return false;
}

function refuseBoth(said: Said, one: Span, other: Span): true {
  said.refuse('These two contradict each other: it is wanted and excluded.', [one, other]);
  return true;
}

/** A name of several, such as gold, is the one of the kind that is spoken of. */
function resolve(
  { symbols }: InstrumentMention,
  { said, instruments }: { readonly said: Said; readonly instruments: readonly NamedInstrument[] },
): readonly string[] {
  if (symbols.length <= 1) return symbols;
  const all = instruments.filter(({ symbol }) => symbols.includes(symbol));
  const kinds = said.kinds.filter(({ isNot }) => !isNot).map(({ kind }) => kind);
  const certain = said.instruments
    .filter((one) => !one.isNot && one.symbols.length === 1)
    .map((one) => instruments.find(({ symbol }) => symbol === one.symbols[0])?.kind);
  const fits = all.filter(
    (one) => kinds.some((kind) => kindOf(kind) === one.kind) || certain.includes(one.kind),
  );
  return (fits.length > 0 ? fits : all).map(({ symbol }) => symbol);
}

function askWhich(
  said: Said,
  { span }: InstrumentMention,
  {
    symbols,
    instruments,
  }: { readonly symbols: readonly string[]; readonly instruments: readonly NamedInstrument[] },
): void {
  const choices = instruments
    .filter(({ symbol }) => symbols.includes(symbol))
    .map(({ symbol, name }) => ({ label: `${symbol}, ${name}`, says: symbol }));
  said.ask({ topic: 'words', spans: [span], sentence: 'Which of these is meant?', choices });
}
