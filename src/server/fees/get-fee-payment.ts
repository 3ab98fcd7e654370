import type { FeePayment, feesEndpoints } from '#contract/fees.ts';
import { paysFeesAutomatically } from '#records/fees/unpaid-fees.ts';
import { readFeeStandings } from '#records/suitability/eligibility-records.ts';
import { decidePerformanceFee } from '#rules/eligibility/qualified-client.ts';
import { PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';
import type { UserId } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';

export const getFeePayment: Call<typeof feesEndpoints.getFeePayment> = ({ caller }, dependencies) =>
  showFeePayment(caller.userId, dependencies);

export async function showFeePayment(
  userId: UserId,
  { records, payments, now, config }: Pick<Dependencies, 'records' | 'payments' | 'now' | 'config'>,
): Promise<FeePayment> {
  return {
    automatic: await paysFeesAutomatically(records.database, userId),
    takes_money: payments.takesMoney,
    fee_percent: await feePercentOf({ userId }, { records, now, config }),
  };
}

/** What the law allows of this client today, on rules of the provider or on their own. */
export async function feePercentOf(
  { userId, isOwnStrategy = false }: { readonly userId: UserId; readonly isOwnStrategy?: boolean },
  { records, now, config: { installation } }: Pick<Dependencies, 'records' | 'now' | 'config'>,
): Promise<number> {
  const { country, basis } = (await readFeeStandings(records.database, [userId])).get(userId)!;
  return decidePerformanceFee({ country, basis, installation, isOwnStrategy }, utcDate(now())).isCharged
    ? PERFORMANCE_FEE_PERCENT
    : 0;
}
