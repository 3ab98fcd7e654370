// Where a proposal says something else than the grammar understood. The grammar is the referee of what it understood: each difference
// is asked back, and none is resolved in silence.
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { ReadStrategy } from '../reading/conversation.ts';
import type { Heard } from '../reading/heard.ts';
import type { NamedInstrument } from '../reading/market-names.ts';
import type { Span } from '../reading/token.ts';
import { isOfKind } from '../reading/universe.ts';
import { UNSUPPORTED } from '../reading/vague-words.ts';
import { onlyOf, subjectKey, testKey, testsOf, testWords } from './tests-of.ts';

export type Difference = {
  /** The same difference has the same name at each look. */
  readonly id: string;
  readonly part: string;
  readonly spans: readonly Span[];
  /** What the grammar read. */
  readonly heard: string;
  /** What the model proposes instead. */
  readonly proposed: string;
};

type Place = {
  readonly definition: StrategyDefinition;
  readonly instruments: readonly NamedInstrument[];
  /** Words that the model says it used. */
  readonly used: readonly Span[];
};

export function differencesOf(read: ReadStrategy, place: Place): readonly Difference[] {
  const said = read.heard.flatMap((heard) => differenceOf(heard, read, place) ?? []);
  const found = [
    ...said,
    ...sizeDifference(read, place),
    ...joinDifference(read, place),
    ...leftOver(read, place),
  ];
  return [...new Map(found.map((one) => [one.id, one])).values()];
}

type Sides = Pick<Difference, 'part' | 'heard' | 'proposed'>;

function differenceOf(heard: Heard, read: ReadStrategy, place: Place): Difference | null {
  const sides = sidesOf(heard, read, place);
  if (sides === null) return null;
  return { ...sides, id: `${sides.part}: ${sides.heard}`, spans: heard.spans };
}

function sidesOf(heard: Heard, read: ReadStrategy, { definition, instruments }: Place): Sides | null {
  const { universe, rule, features } = definition;
  switch (heard.what) {
    case 'slot':
      return slotSides(heard, definition);
    case 'instruments': {
      const some = heard.symbols.join(' or ');
      const readElsewhere = Object.values(features).flatMap(({ symbol }) => symbol ?? []);
      const isIn = (symbols: readonly string[]) => heard.symbols.some((one) => symbols.includes(one));
      const proposed = universeWords(universe);
      if (heard.isNot) return isIn(universe) ? { part: 'universe', heard: `not ${some}`, proposed } : null;
      const isExcluded = read.heard.some(
        (one) => one.what === 'instruments' && one.isNot && isIn(one.symbols),
      );
      return isExcluded || isIn([...universe, ...readElsewhere])
        ? null
        : { part: 'universe', heard: some, proposed };
    }
    case 'kind': {
      if (heard.kind === 'options') {
        if (heard.isNot === (definition.options === undefined)) return null;
        const none = definition.options === undefined;
        return {
          part: 'options',
          heard: none ? 'options' : 'no options',
          proposed: none ? 'no options' : 'options',
        };
      }
      const isOne = (symbol: string) =>
        instruments.some((one) => one.symbol === symbol && isOfKind(one, heard.kind));
      const proposed = universeWords(universe);
      if (heard.isNot)
        return universe.some(isOne) ? { part: 'universe', heard: `no ${heard.kind}`, proposed } : null;
      return universe.some(isOne) ? null : { part: 'universe', heard: heard.kind, proposed };
    }
    case 'count': {
      const top = rule.type === 'ranking' ? rule.top : null;
      if (top === heard.value) return null;
      return {
        part: 'rule',
        heard: `holds ${heard.value}`,
        proposed: top === null ? 'no ranking' : `holds ${top}`,
      };
    }
    case 'lookback': {
      const by = rule.type === 'ranking' ? features[rule.by] : undefined;
      const length = by !== undefined && 'length' in by ? by.length + (by.lag ?? 0) : null;
      if (length === heard.value) return null;
      const proposed = length === null ? 'no such ranking' : `the best over ${length} days`;
      return { part: 'rule', heard: `the best over ${heard.value} days`, proposed };
    }
    case 'test':
      return testSides(heard, definition);
  }
}

function testSides(
  { role, test }: Extract<Heard, { what: 'test' }>,
  definition: StrategyDefinition,
): Sides | null {
  const own = onlyOf(definition.universe);
  const at = role === 'cash' ? 'exitLong' : role;
  const there = testsOf(definition).get(at) ?? [];
  const key = testKey(test, own);
  if (there.some((one) => testKey(one, own) === key)) return null;
  const about = there.find((one) => subjectKey(one, own) === subjectKey(test, own)) ?? there[0];
  const words = ROLE_WORDS[at];
  return {
    part: `rule.${at}`,
    heard: `${words} when ${testWords(test)}`,
    proposed: about === undefined ? `no rule for it` : `${words} when ${testWords(about)}`,
  };
}

const ROLE_WORDS = {
  enterLong: 'buys',
  exitLong: 'sells',
  enterShort: 'sells short',
  exitShort: 'buys back',
} as const;

/** Sizes are compared as a whole, below. Wishes change no rule. */
function slotSides(
  { slot, value }: Extract<Heard, { what: 'slot' }>,
  { schedule, exits, direction, rule, options }: StrategyDefinition,
): Sides | null {
  const differ = (part: string, one: unknown, other: unknown, words: (value: unknown) => string) =>
    one === other ? null : { part, heard: words(one), proposed: words(other) };
  const percent = (what: string) => (some: unknown) =>
    some === undefined || some === 'none' ? `no ${what}` : `a ${what} of ${String(some)}%`;
  switch (slot) {
    case 'every':
      return differ('schedule', value, schedule.every, (every) => `looks every ${String(every)}`);
    case 'stopPercent':
      return differ(
        'exits.stopPercent',
        value === 'none' ? undefined : value,
        exits.stopPercent,
        percent('stop'),
      );
    case 'targetPercent':
      return differ('exits.targetPercent', value, exits.targetPercent, percent('target'));
    case 'maxBars':
      return differ('exits.maxBars', value, exits.maxBars, (bars) =>
        bars === undefined ? 'no time limit' : `out after ${String(bars)} days`,
      );
    case 'direction': {
      const sells = rule.type === 'pairs' || (rule.type === 'signals' && rule.enterShort !== undefined);
      const shorts = value === 'long' ? !sells : sells && direction === 'long_short';
      const words = { long: 'sells nothing short', long_short: 'buys and sells short', short: 'sells short' };
      if (shorts) return null;
      const proposed = sells ? 'sells short' : 'sells nothing short';
      return { part: 'direction', heard: words[value as keyof typeof words], proposed };
    }
    case 'options': {
      const { structure } = value as { readonly structure: string };
      return differ('options', structure, options?.structure, (some) =>
        some === undefined ? 'no options' : String(some).replaceAll('_', ' '),
      );
    }
    case 'pair':
      return rule.type === 'pairs' ? null : { part: 'rule', heard: 'a pair', proposed: 'no pair' };
    case 'enterAt':
    case 'exitAt':
    case 'stopAt':
      return differ('rule', value, rule.type === 'pairs' ? rule[slot] : undefined, (at) =>
        at === undefined ? 'no such distance' : `${SLOT_WORDS[slot]} ${String(at)} deviations`,
      );
    default:
      return null;
  }
}

const SLOT_WORDS = { enterAt: 'enters at', exitAt: 'leaves at', stopAt: 'gives up at' } as const;

const SIZES: ReadonlySet<string> = new Set(['sizing', 'gross', 'cap', 'each', 'risk', 'drawdown']);

/** Whatever was heard of sizes has to give the sizes of the grammar. */
function sizeDifference(read: ReadStrategy, { definition }: Place): readonly Difference[] {
  const spans = read.heard.flatMap((one) => (one.what === 'slot' && SIZES.has(one.slot) ? one.spans : []));
  const weighed = read.links
    .filter(({ part }) => part === 'weighting' || part === 'gross')
    .map(({ span }) => span);
  const all = [...spans, ...weighed];
  if (all.length === 0) return [];
  const { definition: own } = read;
  const same = own !== null && sizeKey(own) === sizeKey(definition);
  if (same) return [];
  const heard = own === null ? 'a size that the proposal does not show to be the same' : sizeKey(own);
  return [{ id: `weighting: ${heard}`, part: 'weighting', spans: all, heard, proposed: sizeKey(definition) }];
}

function sizeKey({ weighting, gross }: StrategyDefinition): string {
  const most = gross < 1 ? `, ${Math.round(gross * 1_000) / 10}% of the money` : '';
  switch (weighting.type) {
    case 'equal':
      return `equal sizes${most}`;
    case 'fixed':
      return `${Object.entries(weighting.weights)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([symbol, share]) => `${Math.round(share * 1_000) / 10}% ${symbol}`)
        .join(', ')}${most}`;
    case 'inverse_volatility':
      return `larger positions in calmer instruments${most}`;
    case 'volatility_target':
      return `sized for ${weighting.annualPercent}% volatility a year${most}`;
    case 'conviction':
      return `sized by conviction${most}`;
  }
}

/** The same comparisons, joined by "and" where "or" was heard. */
function joinDifference(read: ReadStrategy, { definition }: Place): readonly Difference[] {
  const own = read.definition;
  if (own === null || own.rule.type !== 'signals' || definition.rule.type !== 'signals') return [];
  const found: Difference[] = [];
  for (const [role, tests] of testsOf(own)) {
    const spans = read.heard.flatMap((one) => (one.what === 'test' && one.role === role ? one.spans : []));
    const theirs = testsOf(definition).get(role) ?? [];
    if (spans.length === 0 || tests.length < 2 || theirs.length !== tests.length) continue;
    const [heard, proposed] = [joinsOf(own.rule[role]), joinsOf(definition.rule[role])];
    if (heard !== proposed)
      found.push({ id: `rule.${role} joins: ${heard}`, part: `rule.${role}`, spans, heard, proposed });
  }
  return found;
}

function joinsOf(condition: unknown): string {
  const ops = [...JSON.stringify(condition ?? null).matchAll(/"op":"(all|any)"/g)].map(([, op]) => op);
  const words = [...new Set(ops)].map((op) =>
    op === 'all' ? 'all conditions have to hold' : 'one condition is enough',
  );
  return words.length === 0 ? 'one condition' : words.join(', and ');
}

/** What the grammar refuses, what the language does not have, and words that neither used. */
function leftOver(read: ReadStrategy, { used }: Place): readonly Difference[] {
  const isUsed = (span: Span) =>
    used.some((one) => one.message === span.message && one.from < span.to && span.from < one.to);
  const refused = read.refusals.map(({ sentence, spans }) => ({
    id: `refused: ${sentence} ${place(spans)}`,
    part: 'rule',
    spans,
    heard: sentence,
    proposed: 'the rules as they are shown',
  }));
  const asked = read.questions
    .filter(
      ({ topic, spans, sentence }) => topic === 'words' && (NOT_HERE.has(sentence) || !spans.some(isUsed)),
    )
    .map(({ sentence, spans }) => ({
      id: `words: ${sentence} ${place(spans)}`,
      part: 'words',
      spans,
      heard: sentence,
      proposed: 'the rules as they are shown, without these words',
    }));
  return [...refused, ...asked];
}

const NOT_HERE = new Set(UNSUPPORTED.map(({ why }) => why));

const place = (spans: readonly Span[]) =>
  spans.map(({ message, from, to }) => `${message}:${from}-${to}`).join(' ');

function universeWords(universe: readonly string[]): string {
  return universe.length <= 5 ? universe.join(', ') : `${universe.length} instruments`;
}
