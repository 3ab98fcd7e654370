// A proposal as a definition of the language, for the parser to judge. Names, notes, benchmark and calendar are ours.
import { LANGUAGE } from '#engine/strategy/definition.ts';
import type { NamedInstrument } from '../reading/market-names.ts';
import { benchmarkOf, nameBy } from '../reading/titles.ts';
import type { Universe } from '../reading/universe.ts';
import type { Groups, Proposal, ProposedFeature } from './proposal-shape.ts';

/** Or why it cannot even be written, in sentences. */
export type Written = { readonly definition: unknown } | { readonly errors: readonly string[] };

export function writeDefinition(proposal: Proposal, instruments: readonly NamedInstrument[]): Written {
  const listed = new Map(instruments.map((one) => [one.symbol, one]));
  const strangers = symbolsOf(proposal).filter((symbol) => !listed.has(symbol));
  if (strangers.length > 0)
    return {
      errors: strangers.slice(0, 5).map((one) => `${one.slice(0, 20)} is not on the list of instruments`),
    };
  const kinds = new Set(proposal.instruments.map((symbol) => listed.get(symbol)!.kind));
  if (kinds.size > 1) return { errors: ['instruments are of one kind, and these are of several'] };
  const [kind = 'equity'] = kinds;
  const universe: Universe = {
    symbols: [...new Set(proposal.instruments)],
    kind: kind as Universe['kind'],
    isNamed: true,
  };
  const { options, direction, pair } = proposal;
  const how =
    options?.structure.replaceAll('_', ' ') ??
    { ranking: 'strongest', pairs: 'pair', signals: 'own rules' }[proposal.rule];
  const given = {
    language: LANGUAGE,
    name: nameBy(how, universe),
    notes: 'Built from a description, proposed by a language model.',
    universe: universe.symbols,
    benchmark: benchmarkOf(universe, instruments),
    schedule: { every: proposal.schedule },
    direction:
      pair !== null || (options !== null && options.structure !== 'protective_put')
        ? 'long_short'
        : direction,
    features: Object.fromEntries(proposal.features.map((one) => [one.name, featureOf(one)])),
    rule: ruleOf(proposal),
    weighting: weightingOf(proposal),
    gross: proposal.gross_percent / 100,
    exits: present({
      stopPercent: proposal.stop_percent,
      targetPercent: proposal.target_percent,
      maxBars: proposal.bars_held,
    }),
    periodsPerYear: kind === 'crypto' ? 365 : 252,
  };
  if (options === null) return { definition: given };
  const overlay = {
    structure: options.structure,
    underlyings: universe.symbols,
    strikePercent: options.strike_percent,
  };
  return { definition: { ...given, options: overlay } };
}

function symbolsOf({ instruments, features, pair, weighting }: Proposal): readonly string[] {
  return [
    ...instruments,
    ...features.flatMap(({ symbol }) => symbol ?? []),
    ...(pair === null ? [] : [pair.first, pair.second]),
    ...weighting.weights.map(({ symbol }) => symbol),
  ];
}

function featureOf(feature: ProposedFeature): object {
  return present({ ...feature, name: null });
}

function ruleOf(proposal: Proposal): unknown {
  const { rule, ranking, pair } = proposal;
  if (rule === 'ranking') {
    if (ranking === null) return { type: 'ranking' };
    const where = conditionOf(ranking.where);
    return { type: 'ranking', by: ranking.by, top: ranking.top, bottom: 0, ...present({ where }) };
  }
  if (rule === 'pairs') {
    if (pair === null) return { type: 'pairs' };
    const { first, second, length, enter_at: enterAt, exit_at: exitAt, stop_at: stopAt } = pair;
    const pairs = [{ first, second }];
    return { type: 'pairs', pairs, spread: 'log_ratio', length, enterAt, exitAt, ...present({ stopAt }) };
  }
  return {
    type: 'signals',
    ...present({
      enterLong: conditionOf(proposal.enter_long),
      exitLong: conditionOf(proposal.exit_long),
      enterShort: conditionOf(proposal.enter_short),
      exitShort: conditionOf(proposal.exit_short),
    }),
  };
}

function conditionOf(groups: Groups): unknown {
  const written = groups
    .filter(({ all }) => all.length > 0)
    .map(({ all }) => {
      const of = all.map(({ left, op, right }) => ({ op, left: operandOf(left), right: operandOf(right) }));
      return of.length === 1 ? of[0] : { op: 'all', of };
    });
  if (written.length === 0) return null;
  return written.length === 1 ? written[0] : { op: 'any', of: written };
}

function operandOf(operand: string): number | string {
  return /^-?\d+(?:\.\d+)?$/.test(operand.trim()) ? Number(operand) : operand;
}

function weightingOf({ weighting }: Proposal): object {
  const { type, length, annual_percent: annualPercent, weights } = weighting;
  if (type === 'equal') return { type, over: 'universe' };
  if (type === 'equal_of_held') return { type: 'equal', over: 'held' };
  if (type === 'fixed')
    return {
      type,
      weights: Object.fromEntries(weights.map(({ symbol, percent }) => [symbol, percent / 100])),
    };
  if (type === 'inverse_volatility') return { type, length: length ?? USUAL_LENGTH };
  return { type, length: length ?? USUAL_LENGTH, over: 'held', ...present({ annualPercent }) };
}

const USUAL_LENGTH = 63;

function present(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
