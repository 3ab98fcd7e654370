import type { CashLedger, cashLedgerEndpoints } from '#contract/cash-ledger.ts';
import { isOwnDeployment } from '#records/deployments/deployment-views.ts';
import { listCashEntries, sumCash } from '#records/portfolio/cash-ledger.ts';
import { CASH_ENTRY_KINDS } from '#rules/deployments/cash-entry-text.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { add, fromMicro, type Micro } from '#units/money.ts';
import { csvLine } from '../../answers/csv-line.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { cashEntryKind, showCashEntry } from './show-cash-entry.ts';
import { describeFile } from '../../answers/describe-file.ts';

export const listCash: Call<typeof cashLedgerEndpoints.listDeploymentCash> = async (
  { params, query: { before = null, limit }, caller },
  { records: { database, pool } },
) => {
  if (!(await isOwnDeployment(pool, { id: params.id, userId: caller.userId }))) return notFound();
  const deploymentId = params.id as DeploymentId;
  // One snapshot, so that the sums and the newest balance agree.
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      // One more than asked says whether there are older ones.
      const rows = await listCashEntries(trx, { deploymentId, before, limit: limit + 1 });
      const entries = rows.slice(0, limit).map(showCashEntry);
      return {
        entries,
        next: rows.length > limit ? entries.at(-1)!.id : null,
        ...totalsOf(await sumCash(trx, deploymentId)),
      };
    });
};

export const downloadCash: Call<typeof cashLedgerEndpoints.downloadDeploymentCash> = async (
  { params, caller, reply },
  { records: { database, pool } },
) => {
  if (!(await isOwnDeployment(pool, { id: params.id, userId: caller.userId }))) return notFound();
  const deploymentId = params.id as DeploymentId;
  const rows = await listCashEntries(database, { deploymentId, before: null, limit: null });
  describeFile(reply, 'cash-ledger.csv');
  const lines = rows
    .toReversed()
    .map(showCashEntry)
    .map((entry) => csvLine(COLUMNS.map((column) => entry[column] ?? '')));
  return new TextEncoder().encode([csvLine(COLUMNS), ...lines].join(''));
};

const COLUMNS = ['id', 'at', 'kind', 'text', 'symbol', 'amount', 'commission', 'balance'] as const;

function totalsOf(sums: Awaited<ReturnType<typeof sumCash>>): Pick<CashLedger, 'totals' | 'cash_balance'> {
  const byKind = Map.groupBy(sums, ({ cause }) => cashEntryKind(cause));
  const amounts = (parts: typeof sums): Micro => add(...parts.map(({ amount }) => amount));
  const totals = CASH_ENTRY_KINDS.flatMap((kind) => {
    const amount = amounts(byKind.get(kind) ?? []);
    return amount === 0 ? [] : [{ kind, amount: fromMicro(amount) }];
  });
  return { totals, cash_balance: fromMicro(amounts(sums)) };
}
