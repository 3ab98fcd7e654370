import { coveredDeployments } from '#engine/execution/connection/account-cash.ts';
import type { GateReason } from '#engine/lifecycle/status-reason.ts';
import {
  findCashCheck,
  findFreshCash,
  lockAccountCash,
  noteCashChecked,
} from '#records/brokerage/account-cash.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { DeploymentId } from '#units/identifiers.ts';

/**
 * Whether the account covers a deployment that was made before its cash was known; null when it does, or when that was
 * known from the beginning. Deployments of one account are checked one after another.
 */
export async function checkCash(trx: Transaction, id: DeploymentId): Promise<GateReason | null> {
  const waiting = await findCashCheck(trx, id);
  if (waiting === null) return null;
  await lockAccountCash(trx, waiting.accountId);
  const cash = await findFreshCash(trx, waiting.accountId);
  if (cash === null) return { code: 'cash_not_reported' };
  // Read once more: under the lock nobody else is checked.
  const check = await findCashCheck(trx, id);
  if (check === null) return null;
  if (!coveredDeployments(cash, check.awaiting).has(id)) return { code: 'cash_not_enough' };
  await noteCashChecked(trx, id);
  return null;
}
