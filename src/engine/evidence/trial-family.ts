// The family of a backtest: everything that one person has tried of one kind, over all drafts. A deflated figure counts
// the family, because whoever shows the best of ten drafts has searched ten times, whatever each draft knows of itself.
//
// A try belongs to the family of a candidate when the same person (or the provider) ran it and
//   - it is of the same strategy, in any version; or
//   - it trades a kind of instrument that the candidate trades, by a kind of rule that the candidate uses; or
//   - its weekly growth correlates with the candidate's at ALIKE or more, whatever it trades and by whatever rule.
// A kind of rule is chosen, too: each further kind that the person has tried counts as one try more.
import type { Instrument, InstrumentKind } from '../market/instrument.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import { type RuleKind, ruleKinds } from '../strategy/rule-kinds.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { TrialLedger } from './trials.ts';
import { weeklyCorrelation, type WeeklyGrowth } from './weekly-growth.ts';

/** What is traded, and by which kinds of rule. */
export type SearchKind = {
  readonly markets: readonly InstrumentKind[];
  readonly ruleKinds: readonly RuleKind[];
};

export type CountedTry = SearchKind & {
  readonly strategyId: string;
  /** In-sample, per period; null where it is not defined. */
  readonly sharpe: number | null;
  /** Null where it has no result, or is of a kind of the candidate's. */
  readonly weekly: WeeklyGrowth | null;
};

/** Whose family is counted. */
export type Candidate = Omit<CountedTry, 'sharpe'>;

export type TrialFamily = {
  /** As the deflated figures count: the tries of the family, and one for each further kind. */
  readonly ledger: TrialLedger;
  /** Tries of the family. */
  readonly tries: number;
  /** Drafts and strategies that they were made in, removed ones included. */
  readonly strategies: number;
  /** Of the tries, those that only their returns make part of it. */
  readonly byReturns: number;
  /** Kinds of rule, each on one market, that the same person has tried outside of the family. */
  readonly furtherKinds: number;
};

export function searchKind(
  definition: StrategyDefinition,
  instruments: ReadonlyMap<Symbol, Pick<Instrument, 'kind'>>,
): SearchKind {
  const kinds = new Set<InstrumentKind>(definition.options === undefined ? [] : ['options']);
  for (const symbol of definition.universe) {
    const kind = instruments.get(symbol)?.kind;
    if (kind !== undefined) kinds.add(kind);
  }
  return { markets: [...kinds].toSorted(), ruleKinds: ruleKinds(definition) };
}

/** `tries`: all of the same person, the candidate's own included. */
export function familyOf(candidate: Candidate, tries: readonly CountedTry[]): TrialFamily {
  const family: CountedTry[] = [];
  const further = new Set<string>();
  let byReturns = 0;
  for (const one of tries) {
    if (isOfKind(candidate, one)) family.push(one);
    else if (isAlike(candidate, one)) {
      family.push(one);
      byReturns++;
    } else further.add(`${one.markets.join()} by ${one.ruleKinds.join()}`);
  }
  return {
    ledger: {
      count: family.length + further.size,
      sharpes: Float64Array.from(family.flatMap(({ sharpe }) => (sharpe === null ? [] : [sharpe]))),
    },
    tries: family.length,
    strategies: new Set(family.map(({ strategyId }) => strategyId)).size,
    byReturns,
    furtherKinds: further.size,
  };
}

function isOfKind(candidate: Omit<Candidate, 'weekly'>, one: Omit<CountedTry, 'weekly'>): boolean {
  if (candidate.strategyId === one.strategyId) return true;
  return (
    candidate.markets.some((market) => one.markets.includes(market)) &&
    candidate.ruleKinds.some((kind) => one.ruleKinds.includes(kind))
  );
}

function isAlike({ weekly }: Candidate, one: CountedTry): boolean {
  if (weekly === null || one.weekly === null) return false;
  return (weeklyCorrelation(weekly, one.weekly) ?? 0) >= ALIKE;
}

/** Our own choice: two thirds of the variance is common. */
const ALIKE = 0.8;
