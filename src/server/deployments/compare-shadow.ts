import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { explainShadow, inCents, SHADOW_CAUSES } from '#engine/practice/explain-shadow.ts';
import { findShadowFacts } from '#records/practice/shadow-facts.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro, toCents } from '#units/money.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';

/** By the id of either. */
export const compareShadow: Call<typeof deploymentsEndpoints.compareShadow> = async (
  { params, caller },
  { records },
) => {
  const facts = await findShadowFacts(records.database, { id: params.id, userId: caller.userId });
  if (facts === null) return notFound();
  const { practice, real } = facts.pair;
  const values = { practice: practice.value, real: real.value };
  const { difference, causes } = inCents(explainShadow(facts.pair), values);
  return {
    practice: facts.practiceId,
    real: facts.realId,
    practice_value: toCents(practice.value),
    real_value: toCents(real.value),
    difference: fromMicro(difference),
    causes: SHADOW_CAUSES.filter((cause) => causes[cause] !== 0).map((cause) => ({
      cause,
      amount: fromMicro(causes[cause]),
    })),
    as_of: isoText(facts.asOf),
  };
};
