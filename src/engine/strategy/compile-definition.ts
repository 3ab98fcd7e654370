// Turns a definition and its bars into columns: features, conditions, sides and at last the table of all targets. The
// backtest reads the whole table; evaluate reads its last line over the bars known so far.
import { deciderTargets } from '../decider/decider-targets.ts';
import { NO_SCORES, type ScoreColumns } from '../model/score-columns.ts';
import type { Regime, Rule, StrategyDefinition } from './definition.ts';
import type { SeriesBySymbol } from './feature-column.ts';
import { bandTargets } from './targets/band-targets.ts';
import { regimeTargets } from './targets/regime-targets.ts';
import { pairTargets } from './targets/pair-targets.ts';
import { prepare, type Prepared } from './prepare.ts';
import { rankingTargets } from './targets/ranking-targets.ts';
import type { ExitWatch } from './targets/signal-machine.ts';
import { SharedColumns } from './shared-columns.ts';
import { signalTargets } from './targets/signal-targets.ts';
import type { TargetTable } from './targets/target-table.ts';

export type CompiledDefinition = { readonly prepared: Prepared; readonly table: TargetTable };

export type CompileOptions = {
  /** When the stop and target of a signal rule are looked at. */
  readonly exits?: ExitWatch;
  /** Of the same series. */
  readonly shared?: SharedColumns;
};

/** Throws RangeError when bars of a symbol that the definition reads are missing from `series`, or a model's scores. */
export function compileDefinition(
  definition: StrategyDefinition,
  series: SeriesBySymbol,
  scores: ScoreColumns = NO_SCORES,
  { exits = 'at closes', shared = new SharedColumns(series) }: CompileOptions = {},
): CompiledDefinition {
  const prepared = prepare(definition, shared, scores);
  return { prepared, table: targetsOf(prepared, exits) };
}

function targetsOf(prepared: Prepared, exits: ExitWatch): TargetTable {
  const { rule, regime, band } = prepared.definition;
  const main = ruleTargets(prepared, rule, exits);
  const ruled = regime === undefined ? main : withRegime(prepared, regime, { main, exits });
  return band === undefined ? ruled : bandTargets(prepared, ruled, band);
}

function withRegime(
  prepared: Prepared,
  regime: Regime,
  { main, exits }: { readonly main: TargetTable; readonly exits: ExitWatch },
): TargetTable {
  const { otherwise } = regime;
  const other = otherwise.type === 'cash' ? null : ruleTargets(prepared, otherwise, exits);
  return regimeTargets(prepared, regime, { main, other });
}

function ruleTargets(prepared: Prepared, rule: Rule, exits: ExitWatch): TargetTable {
  switch (rule.type) {
    case 'signals':
      return signalTargets(prepared, rule, exits);
    case 'ranking':
      return rankingTargets(prepared, rule);
    case 'pairs':
      return pairTargets(prepared, rule);
    case 'decider':
      return deciderTargets(prepared, rule);
  }
}
