import type { Evidence } from '#contract/strategies/evidence.ts';
import type { BarSource } from '#records/market/instruments.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import { evidenceReason } from '#rules/reasons/evidence-reason.ts';
import { familyReasons } from '#rules/reasons/family-reason.ts';
import { outOfSampleSpan } from '#rules/strategies/out-of-sample.ts';
import { type IsoDate, isoText } from '#units/instant.ts';

/** The evidence grade shown next to the figures, computed from the trial ledger when the result was created. */
export function showEvidence(record: StrategyRecord): Evidence {
  const { evidence, samples, costs, committedAt, hashes } = record;
  const { trials, family } = evidence;
  const span = outOfSampleSpan(committedAt, record.lastDate as IsoDate);
  const percent = (fraction: number | null | undefined) =>
    typeof fraction === 'number' ? fraction * 100 : null;
  return {
    grade: evidence.grade,
    reasons: evidence.reasons.map(evidenceReason),
    probabilistic_sharpe: evidence.probabilisticSharpe,
    beyond_benchmark: evidence.beyondBenchmark,
    deflated_sharpe: evidence.deflatedSharpe,
    lucky_sharpe: evidence.luckySharpe,
    minimum_track_record_years: evidence.minimumTrackRecordYears,
    track_record_years: (samples.inSample?.periods ?? 0) / record.periodsPerYear,
    overfitting_probability: evidence.overfittingProbability,
    loss_probability: evidence.lossProbability,
    family: {
      counted: family.counted,
      tries: family.tries,
      strategies: family.strategies,
      by_returns: family.byReturns,
      further_kinds: family.furtherKinds,
      all: family.all,
      by_provider: family.byProvider,
      sentences: [...familyReasons(family)],
    },
    trials: {
      tries: trials.tries,
      failed: trials.failed,
      variants: trials.variants,
      by_persons: trials.byPersons,
      renewals: trials.renewals,
    },
    out_of_sample: {
      from: isoText(committedAt),
      days: span.days,
      months: span.months,
      is_enough: span.isEnough,
      total_return: percent(samples.outOfSample?.gross.totalReturn),
      probability: evidence.outOfSampleProbability,
    },
    after_fee: {
      fee_percent: costs.performanceFeePercent,
      annual_return: percent(samples.whole.net.annualReturn),
      return_inception: percent(samples.whole.net.totalReturn),
    },
    world: WORLDS[record.barsRead.source],
    version: record.versionNumber,
    input_hash: hashes.input,
    result_hash: hashes.result,
  };
}

const WORLDS: Readonly<Record<BarSource, Evidence['world']>> = {
  sandbox: 'simulated',
  import: 'replayed',
  live: 'live',
};
