import type { Decider } from '#contract/strategies/decider.ts';
import type { DeciderRule } from '#engine/decider/decider-rule.ts';
import type { ModelRecord } from '#records/deciders/model-record.ts';
import { deciderLines, noAnswerReason, PROBE_NAMES } from '#rules/strategies/decider-words.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';

export function showDecider(rule: DeciderRule, record: ModelRecord): Decider {
  const percent = (value: number | null) => (value === null ? null : value * 100);
  return {
    asks: rule.asks,
    model: rule.model,
    is_stand_in: record.isStandIn,
    knowledge_until: rule.knowledgeUntil,
    without_answer: rule.withoutAnswer,
    lines: [...deciderLines(rule)],
    decisions: record.decisions,
    answered: record.answered,
    cost: fromMicro(record.cost),
    agreement: record.agreement,
    probes: record.probes.map((probe) => ({
      form: probe.form,
      name: PROBE_NAMES[probe.form],
      decisions: probe.decisions,
      known_annual_return: percent(probe.knownAnnualReturn),
      annual_return: percent(probe.annualReturn),
      sharpe_ratio: probe.sharpe,
      alike: probe.alike,
      agreement: probe.agreement,
    })),
    newest: record.newest.map((one) => ({
      as_of: isoText(one.asOf),
      asked_at: one.askedAt,
      prompt_hash: one.promptHash,
      weights: one.weights,
      cost: fromMicro(one.cost),
      agreement: one.agreement,
      failures: one.failures.map(noAnswerReason),
    })),
  };
}
