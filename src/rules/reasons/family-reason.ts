// How the tries behind a grade were counted, as the panel of the evidence says it.
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { RuleKind } from '#engine/strategy/rule-kinds.ts';

type Counted = {
  readonly markets: readonly InstrumentKind[];
  readonly ruleKinds: readonly RuleKind[];
  readonly tries: number;
  readonly strategies: number;
  readonly variants: number;
  readonly byReturns: number;
  readonly furtherKinds: number;
  readonly all: number;
  readonly byProvider: boolean;
};

/** First what was searched, then how each part of it counts. */
export function familyReasons(count: Counted): readonly string[] {
  const { tries, variants, byReturns, furtherKinds, all, byProvider } = count;
  const who = byProvider ? 'The provider' : 'You';
  const sentences = [
    `${who} tried ${rules(tries)} of this kind (${listed(count.ruleKinds.map((kind) => RULE_WORDS[kind]))}) on ${listed(count.markets.map((kind) => MARKET_WORDS[kind]))}, over ${places(count)}.`,
  ];
  if (variants > 0)
    sentences.push(`${some(variants, 'was a neighbour', 'were neighbours')} of the rules, run to test them.`);
  if (byReturns > 0)
    sentences.push(
      `${some(byReturns, 'is of another kind, but its', 'are of other kinds, but their')} returns were nearly the same.`,
    );
  if (furtherKinds > 0)
    sentences.push(
      `${who} also tried ${furtherKinds === 1 ? 'one other kind of rule, which counts' : `${furtherKinds} other kinds of rules, each of which counts`} as one more try.`,
    );
  if (byProvider) sentences.push(`Its whole catalogue took ${rules(all)}.`);
  return sentences;
}

function rules(count: number): string {
  return count === 1 ? '1 rule' : `${count} rules`;
}

function some(count: number, one: string, many: string): string {
  return count === 1 ? `1 of them ${one}` : `${count} of them ${many}`;
}

function places({ strategies, byProvider }: Counted): string {
  const [one, many] = byProvider ? ['strategy', 'strategies'] : ['draft', 'drafts'];
  return strategies === 1 ? `1 ${one}` : `${strategies} ${many}`;
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const RULE_WORDS: Readonly<Record<RuleKind, string>> = {
  trend: 'trends',
  momentum: 'momentum',
  reversion: 'reversion',
  breakout: 'breakouts',
  volatility: 'volatility',
  relation: 'correlation',
  pairs: 'pairs',
  model: 'a trained model',
  options: 'options',
  price: 'prices alone',
};

const MARKET_WORDS: Readonly<Record<InstrumentKind, string>> = {
  equity: 'stocks and funds',
  forex: 'currencies',
  crypto: 'coins',
  futures: 'futures',
  options: 'options',
};
