// Whom the law lets us charge a performance fee, on rules of the provider. Every other bill asks for nothing, at a rate of nothing, and raises the mark
// all the same: what was made until they attest is never charged.
import type { BilledDeployment } from '#records/fees/fee-bills.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { readFeeStandings, recordDecisions } from '#records/suitability/eligibility-records.ts';
import { decidePerformanceFee } from '#rules/eligibility/qualified-client.ts';
import { billAt, type FeeBill } from '#rules/fees/fee-bill.ts';
import { PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { type Instant, utcDate } from '#units/instant.ts';

type Due = { readonly id: DeploymentId; readonly end: Instant };

/** By the standing of each client now and the rules of the day on which the period ends. Each decision is kept. */
export async function decideCharges(
  trx: Transaction,
  deployments: readonly BilledDeployment[],
  due: readonly Due[],
): Promise<ReadonlyMap<DeploymentId, boolean>> {
  const billed = new Map(deployments.map((deployment) => [deployment.id, deployment]));
  const standings = await readFeeStandings(trx, [...new Set(deployments.map(({ userId }) => userId))]);
  const decided = due.map(({ id, end }) => {
    const { userId, isOwnStrategy } = billed.get(id)!;
    const { country, basis, attestedAt } = standings.get(userId)!;
    const day = utcDate(end);
    const decision = decidePerformanceFee({ country, basis, isOwnStrategy }, day);
    return {
      id,
      userId,
      ...decision,
      inputs: {
        deployment: id,
        country,
        basis,
        attested_at: attestedAt,
        day,
        ...(isOwnStrategy && { own_strategy: true }),
      },
    };
  });
  await recordDecisions(
    trx,
    decided.map(({ userId, ruleVersion, inputs, isCharged, reason }) => ({
      userId,
      rule: 'performance_fee',
      ruleVersion,
      occasion: 'billing',
      inputs,
      isAllowed: isCharged,
      reasons: [reason],
    })),
  );
  return new Map(decided.map(({ id, isCharged }) => [id, isCharged]));
}

export function chargedTo(isCharged: boolean, bill: FeeBill): { bill: FeeBill; feePercent: number } {
  const feePercent = isCharged ? PERFORMANCE_FEE_PERCENT : 0;
  return { bill: billAt(feePercent, bill), feePercent };
}
