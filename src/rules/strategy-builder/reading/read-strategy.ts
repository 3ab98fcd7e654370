// Reads a conversation about a strategy into a definition of the closed language. Every word either made a part, or is
// asked back, or stands as the reason why nothing is built; the parser of definitions has the last word.
import { benchmarkOf, nameOf, typeOf } from './titles.ts';
import { grossOf, weightingOf } from './sizes.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { Answer, Conversation, ReadStrategy } from './conversation.ts';
import { forgetCorrected } from './corrections.ts';
import { heardOf } from './heard.ts';
import { tokensOf } from './lexer.ts';
import { marketFund, type NamedInstrument } from './market-names.ts';
import { RuleWriter } from './rule.ts';
import { type Assumed, Said } from './said.ts';
import type { Span, Token } from './token.ts';
import { type Universe, universeOf } from './universe.ts';
import { askUnused } from './unused.ts';
import { type Vocabulary, vocabularyOf } from './vocabulary.ts';
import { walk } from './walk.ts';

export function readStrategy(
  conversation: Conversation,
  instruments: readonly NamedInstrument[],
): ReadStrategy {
  const vocabulary = vocabularyOf(instruments);
  const messages = conversation.messages.map((text, place) =>
    answered(tokensOf(text, place, vocabulary), conversation.answers, vocabulary),
  );
  const said = new Said();
  const isCrypto = speaksOfCoins(messages.flat(), instruments);
  for (const [place, tokens] of messages.entries()) {
    walk(tokens, said, { isCrypto, marketFund: marketFund(instruments) });
    forgetCorrected(said, place, tokens);
  }
  askUnread(said, conversation.messages, marketFund(instruments));
  askApart(said);
  adoptSubject(said, instruments);
  const universe = universeOf(said, { instruments, texts: conversation.messages });
  const built = build(said, universe, instruments);
  if (universe === null && said.refusals.length === 0) askWhat(said, instruments);
  if (isNonsense(said, messages.flat())) refuseAll(said, conversation.messages);
  const isRefused = said.refusals.length > 0;
  return {
    outcome: isRefused ? 'refused' : said.questions.length > 0 || built === null ? 'asks' : 'ready',
    definition: isRefused ? null : (built?.definition ?? null),
    strategyType: typeOf(said.get('style'), built?.definition ?? null),
    kind: universe?.kind ?? null,
    wishes: wishesOf(said),
    heard: heardOf(said),
    links: said.links,
    assumed: built?.assumed ?? [],
    questions: isRefused ? [] : said.questions,
    refusals: said.refusals,
  };
}

/** An answer stands in the place of the words that it is about. */
function answered(
  tokens: readonly Token[],
  answers: readonly Answer[],
  vocabulary: Vocabulary,
): readonly Token[] {
  return answers.reduce((known, { about, says }) => {
    const from = known.findIndex((_, place) => startsWith(known, place, about) > 0);
    if (from < 0) return known;
    const count = startsWith(known, from, about);
    const [first, last] = [known[from]!, known[from + count - 1]!];
    const put = tokensOf(says, first.message, vocabulary).map((token) => ({
      ...token,
      from: first.from,
      to: last.to,
    }));
    return [...known.slice(0, from), ...put, ...known.slice(from + count)];
  }, tokens);
}

function startsWith(tokens: readonly Token[], from: number, about: string): number {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}%.$]+/gu, ' ')
      .trim();
  const wanted = plain(about);
  if (wanted === '') return 0;
  for (let count = 1; from + count <= tokens.length; count++) {
    const text = plain(
      tokens
        .slice(from, from + count)
        .map((token) => token.text)
        .join(' '),
    );
    if (text === wanted && plain(tokens[from]!.text) !== '') return count;
    if (text.length > wanted.length) return 0;
  }
  return 0;
}

function speaksOfCoins(tokens: readonly Token[], instruments: readonly NamedInstrument[]): boolean {
  const coins = new Set(instruments.filter(({ kind }) => kind === 'crypto').map(({ symbol }) => symbol));
  const named = tokens.filter(({ category }) => category === 'instrument' || category === 'kind');
  const wanted = named.filter((token) => {
    const before = tokens[tokens.indexOf(token) - 1];
    return before?.category !== 'not';
  });
  const [first] = wanted;
  return first?.category === 'kind'
    ? first.value === 'crypto'
    : (first?.symbols?.every((symbol) => coins.has(symbol)) ?? false);
}

/** Of two letters or more: in an English text a single capital is a word. */
const LOOKS_LIKE_A_SYMBOL = /^[A-Z]{2,6}(?:[./-][A-Z]{1,4})?$/;

/** Words side by side that nothing took are one question. */
function askUnread(said: Said, texts: readonly string[], fund: string | undefined): void {
  const joined: Span[] = [];
  for (const span of said.unread) {
    const last = joined.at(-1);
    const between = last?.message === span.message ? texts[span.message]!.slice(last.to, span.from) : null;
    if (last !== undefined && between !== null && /^[^,.;:!?\n]{0,12}$/.test(between))
      joined[joined.length - 1] = { ...last, to: Math.max(last.to, span.to) };
    else joined.push(span);
  }
  for (const span of joined) {
    const text = texts[span.message]!.slice(span.from, span.to);
    const isAverage =
      /^(?:the |its )?\d+[- ]?(?:day|week|month)s?[- ](?:\w+ )?(?:average|mean|sma|ema|line)$/i.test(text);
    const above = { label: 'Hold while the price is above it', says: `while it is above the ${text}` };
    const isSymbol = !isAverage && LOOKS_LIKE_A_SYMBOL.test(text);
    const instead = isSymbol && fund !== undefined ? [{ label: `The market fund, ${fund}`, says: fund }] : [];
    said.ask({
      topic: 'words',
      spans: [span],
      sentence: isAverage
        ? 'What is done with it?'
        : isSymbol
          ? 'No instrument here has this symbol. Name another one, or leave it out.'
          : 'This was not understood. Say it in other words, or leave it out.',
      choices: [...(isAverage ? [above] : instead), { label: 'Leave it out', says: '' }],
      ...(isAverage || isSymbol ? {} : { isUnread: true }),
    });
  }
}

/** Rules that differ by instrument are several strategies. */
function askApart(said: Said): void {
  const names = said.instruments.filter(({ isNot }) => !isNot);
  const places = said.tests.flatMap(({ tests, message }) =>
    tests.map(({ spans }) => ({ message, span: spans[0]! })),
  );
  for (const { span, symbols, message } of names) {
    const isLater = places.some((one) => one.message === message && one.span.to <= span.from);
    const isRuled = places.some((one) => one.message === message && one.span.from >= span.to);
    const before = names.some(
      (one) =>
        one.message === message &&
        one.span.to < span.from &&
        places.some((place) => place.span.from >= one.span.to && place.span.to <= span.from),
    );
    const isNew = !names.some(
      (one) =>
        one.span.to <= span.from &&
        one.message === message &&
        one.symbols.some((symbol) => symbols.includes(symbol)),
    );
    if (isLater && isRuled && before && isNew) {
      said.ask({
        topic: 'words',
        spans: [span],
        sentence: 'One strategy has the same rule for all that it trades. Which is meant?',
        choices: [{ label: 'Leave it out', says: '' }],
      });
      return;
    }
  }
}

/** "If AAPL closes above its average, buy": what the condition is about is what is traded. */
function adoptSubject(said: Said, instruments: readonly NamedInstrument[]): void {
  if (said.instruments.some(({ isNot }) => !isNot) || said.kinds.some(({ isNot }) => !isNot)) return;
  for (const { tests, message } of said.tests) {
    for (const { left, spans } of tests) {
      const symbol = typeof left === 'object' ? left.symbol : undefined;
      if (symbol === undefined || !instruments.some((one) => one.symbol === symbol)) continue;
      const token = { category: 'instrument', value: symbol, text: symbol, ...spans[0]! } as const;
      said.instruments.push({ symbols: [symbol], token, span: spans[0]!, isNot: false, message });
      said.link(spans[0]!, 'universe');
      return;
    }
  }
}

type Built = { readonly definition: StrategyDefinition; readonly assumed: readonly Assumed[] };

function build(said: Said, universe: Universe | null, instruments: readonly NamedInstrument[]): Built | null {
  // Without instruments the rule is read for its contradictions and questions only.
  const traded = universe ?? { symbols: ['X'], kind: 'equity', isNamed: false };
  const writer = new RuleWriter(said, traded);
  const rule = writer.write();
  askUnused(said);
  const options = optionsOf(said, traded);
  const weighting = rule && weightingOf(said, traded, rule);
  if (rule === null || universe === null || weighting === null || options === 'asked') return null;
  if (rule.type !== 'signals' && said.get('direction') === 'long' && rule.type === 'pairs')
    said.refuse('A pair sells one of the two short.', [said.spanOf('direction')!, said.spanOf('pair')!]);
  refuseCrossesBetweenLooks(said);
  const sells = rule.type === 'pairs' || (rule.type === 'signals' && rule.enterShort !== undefined);
  const exits = {
    ...plainStop(said),
    ...(said.get('targetPercent') === undefined ? {} : { targetPercent: said.get('targetPercent') }),
    ...(said.get('maxBars') === undefined ? {} : { maxBars: said.get('maxBars') }),
  };
  const parsed = parseDefinition({
    language: 'bellwether-strategy/1',
    name: nameOf(said, traded, rule.type),
    notes: 'Built from a description, word by word.',
    universe: traded.symbols,
    benchmark: benchmarkOf(traded, instruments),
    schedule: { every: said.get('every') ?? 'day' },
    direction: sells || (options !== null && options.structure !== 'protective_put') ? 'long_short' : 'long',
    features: writer.features,
    rule,
    weighting,
    gross: grossOf(said, rule, {
      count: Math.min(said.get('basket') ?? Infinity, traded.symbols.length),
      isOptions: options !== null,
    }),
    exits: rule.type === 'signals' ? exits : {},
    ...wholeOf(said),
    ...(options === null ? {} : { options }),
    periodsPerYear: traded.kind === 'crypto' ? 365 : 252,
  });
  const isOfOptions =
    options !== null && (said.get('risk') !== undefined || said.get('drawdown') !== undefined);
  if (isOfOptions)
    writer.assumed.push({ part: 'weighting', text: 'With options, the level of risk does not set the size' });
  if (parsed.ok) return { definition: parsed.definition, assumed: writer.assumed };
  for (const { path, message } of parsed.errors) askAboutPart(said, writer, { path, message });
  return null;
}

/** Which of the universe take part, and how far a weight may be off. */
function wholeOf(said: Said): Pick<StrategyDefinition, 'basket' | 'band'> {
  const [most, percent] = [said.get('basket'), said.get('band')];
  return {
    ...(most === undefined ? {} : { basket: { by: 'turnover', length: TURNOVER_DAYS, most } }),
    ...(percent === undefined ? {} : { band: { percent } }),
  };
}

/** A quarter of trading. */
const TURNOVER_DAYS = 63;

function plainStop(said: Said): { readonly stopPercent?: number } {
  const stop = said.get('stopPercent');
  return stop === undefined || stop === 'none' ? {} : { stopPercent: stop };
}

function askAboutPart(
  said: Said,
  writer: RuleWriter,
  { path, message }: { readonly path: string; readonly message: string },
): void {
  const [, feature = ''] = path.split('.');
  const slot = {
    exits: path.slice('exits.'.length),
    gross: 'gross',
    options: 'options',
    weighting: 'sizing',
    basket: 'basket',
    band: 'band',
    rule: 'enterAt',
  }[path.split('.')[0]!];
  const own = slot === undefined ? undefined : said.spanOf(slot as 'gross');
  const spans = writer.made.get(feature) ?? (own === undefined ? [] : [own]);
  said.ask({
    topic: spans.length > 0 ? 'words' : 'parser',
    spans,
    sentence: `This cannot be built: it ${message}.`,
    choices: spans.length > 0 ? [{ label: 'Leave it out', says: '' }] : [],
  });
}

/** As the parser of definitions has it. */
const UNDERLYINGS_MAX = 20;

function optionsOf(said: Said, { symbols, kind }: Universe) {
  const wanted = said.get('options');
  const named = said.kinds.find((one) => one.kind === 'options' && !one.isNot);
  if (wanted === undefined) {
    if (named === undefined) return null;
    const says = ['Covered calls', 'Protective puts', 'Cash-secured puts'].map((label) => ({
      label,
      says: label,
    }));
    said.ask({ topic: 'words', spans: [named.span], sentence: 'Which options?', choices: says });
    return 'asked';
  }
  const { structure } = wanted;
  if (symbols.length > UNDERLYINGS_MAX) {
    said.ask({
      topic: 'words',
      spans: [said.spanOf('options')!],
      sentence: `Options can be on at most ${UNDERLYINGS_MAX} instruments, and these words name ${symbols.length}. Name those that you mean, or take the market fund.`,
      choices: [{ label: 'Leave it out', says: '' }],
    });
    return 'asked';
  }
  if (kind !== 'equity') said.refuse('Options are on shares and funds only.', [said.spanOf('options')!]);
  const given = wanted.strikePercent;
  const usual = structure === 'covered_call' ? 102 : 95;
  const isOut = given !== undefined && given < 60;
  const strikePercent =
    given === undefined ? usual : isOut ? (structure === 'covered_call' ? 100 + given : 100 - given) : given;
  return { structure, underlyings: symbols, strikePercent };
}

function refuseCrossesBetweenLooks(said: Said): void {
  const every = said.get('every');
  const crosses = said.tests.flatMap(({ tests }) => tests).find(({ op }) => op.startsWith('crosses'));
  if (every === undefined || every === 'day' || crosses === undefined) return;
  said.ask({
    topic: 'words',
    spans: [said.spanOf('every')!],
    sentence: 'A cross happens on one day. Looked at less often, most crosses are missed.',
    choices: [{ label: 'Look daily', says: 'daily' }],
  });
}

function askWhat(said: Said, instruments: readonly NamedInstrument[]): void {
  if (said.questions.some(({ topic }) => topic === 'what') || said.instruments.some(({ isNot }) => !isNot))
    return;
  const kinds = [
    ['All US shares', 'equity', 'US shares'],
    ['All currencies', 'forex', 'currencies'],
    ['All coins', 'crypto', 'coins'],
    ['All futures', 'futures', 'futures'],
  ] as const;
  const fund = marketFund(instruments);
  const choices = kinds
    .filter(([, kind]) => instruments.some((one) => one.kind === kind))
    .map(([label, , says]) => ({ label, says: `Trade ${says}.` }));
  said.ask({
    topic: 'what',
    spans: [],
    sentence: 'What does it trade?',
    choices: [
      ...(fund === undefined ? [] : [{ label: 'The market fund', says: `Trade ${fund}.` }]),
      ...choices,
    ],
  });
}

/** Where most words say nothing about a strategy, nothing is made of the rest. */
function isNonsense(said: Said, tokens: readonly Token[]): boolean {
  const content = tokens.filter(
    ({ category }) => !['glue', 'comma', 'end', 'and', 'period', 'when', 'or'].includes(category),
  );
  const unknown = content.filter(({ category }) => category === 'unknown').length;
  const hasRule = said.tests.length > 0 || said.get('hold') !== undefined || said.rank !== null;
  return (
    (unknown >= 2 && unknown * 2 > content.length && !hasRule) ||
    (unknown >= 4 && unknown * 2 >= content.length)
  );
}

function refuseAll(said: Said, texts: readonly string[]): void {
  said.refuse(
    'This does not read as a description of a strategy. Say what to trade, and by what rule: “Hold the market fund while it is above its 200-day average”.',
    texts.map((text, message) => ({ message, from: 0, to: text.length })),
  );
}

function wishesOf(said: Said): ReadStrategy['wishes'] {
  const [aim, minimum] = [said.get('aim'), said.get('minimum')];
  return {
    ...(aim === undefined ? {} : { targetReturn: aim }),
    ...(minimum === undefined ? {} : { minimumInvestment: minimum }),
  };
}
