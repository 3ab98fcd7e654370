import type { suitabilityEndpoints } from '#contract/suitability.ts';
import { listAdvice as list } from '#records/suitability/advice-records.ts';
import { adviceOn, adviceText } from '#rules/suitability/advice.ts';
import { isoText } from '#units/instant.ts';
import type { Call } from '../http/call.ts';

export const listAdvice: Call<typeof suitabilityEndpoints.listAdvice> = async ({ caller }, { records }) => {
  const found = await list(records.database, caller.userId);
  return found.map((record) => {
    const { jointFallPercent } = adviceOn(record.inputs);
    const { outcome } = record;
    return {
      id: record.id,
      strategy_name: record.strategyName,
      deployment: record.deploymentId,
      occasion: record.occasion,
      outcome,
      text: adviceText(record.inputs, { outcome, jointFallPercent }),
      rule_version: record.ruleVersion,
      joint_fall: jointFallPercent,
      tolerance: record.inputs.tolerancePercent,
      client_score: record.inputs.clientScore,
      strategy_score: record.inputs.strategyScore,
      at: isoText(record.at),
    };
  });
};
