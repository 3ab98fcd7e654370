// Books adjustments that two people agreed on, each once: in one transaction with the difference or execution it answers,
// under the locks of a fill. An adjustment whose difference has changed is void; one that cannot be judged yet waits.
import {
  type AdjustmentDecision,
  decideAdjustment,
  decideDifference,
} from '#engine/adjustments/decide-adjustment.ts';
import { judgeDifference } from '#engine/adjustments/judge-difference.ts';
import {
  listApproved,
  lockApproved,
  markApplied,
  type Proposal,
  voidProposal,
} from '#records/adjustments/adjustments.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { loadSnapshot } from '../rebalance/load-snapshots.ts';
import { readPositions } from '../reconciliation/reconcile-positions.ts';
import { suspend } from '../reconciliation/suspense-account.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { bookAdjustment } from './book-adjustment.ts';
import {
  loadAccountPosition,
  loadAdjustmentFacts,
  loadExternalEntries,
  loadWrittenDifference,
} from './load-adjustment.ts';

/** Throws when the broker does not report its positions: a difference is judged by the current ones. */
export async function applyAdjustments(context: TradingContext, active: ActiveConnection): Promise<void> {
  const approved = await listApproved(context.database, active.connection.id);
  if (approved.length === 0) return;
  if (approved.some(({ answers }) => answers.difference !== null)) await readPositions(context, active);
  const before = context.report.adjustmentsBooked;
  for (const proposal of approved) {
    try {
      const present = await context.atPresent();
      const isBooked = await present.database
        .transaction()
        .execute((trx) => applyAdjustment(trx, present, active, proposal));
      if (isBooked) context.report.adjustmentsBooked += 1;
    } catch (error) {
      const { id, accountId } = active.connection;
      const about = { subject: proposal.id, connectionId: id, accountId, task: 'booking' };
      noteProblem(context, `adjustment ${proposal.id}`, error, { kind: 'adjustment_failing', ...about });
    }
  }
  if (context.report.adjustmentsBooked > before) await readPositions(context, active);
}

/** Whether it was booked: false when it waits, is void, or was applied or declined meanwhile. */
async function applyAdjustment(
  trx: Transaction,
  context: TradingContext,
  active: ActiveConnection,
  proposal: Proposal,
): Promise<boolean> {
  const { id, deploymentId } = proposal;
  const snapshot = deploymentId === null ? null : await loadSnapshot(trx, deploymentId, context);
  if (snapshot === null) await context.lease.fence(trx, [active.connection.id]);
  const locked = await lockApproved(trx, proposal);
  if (locked === 'over') return false;
  const unsound =
    locked === 'changed' ? decideDifference('changed') : await judge(trx, context, active, proposal);
  const loaded =
    unsound === null && snapshot !== null
      ? await loadAdjustmentFacts(trx, context, snapshot, proposal)
      : null;
  const decision = unsound ?? (loaded === null ? null : decideAdjustment(loaded.facts));
  if (decision?.outcome === 'wait') return false;
  if (decision?.outcome === 'void') {
    await voidProposal(trx, id, decision.reason);
    return false;
  }
  if (snapshot === null || loaded === null || decision === null) {
    for (const entry of await loadExternalEntries(trx, context, proposal)) await suspend(trx, entry);
    await markApplied(trx, proposal, { at: context.now });
    return true;
  }
  const { adjustment } = decision;
  await bookAdjustment(trx, context, { snapshot, proposal, adjustment, ...loaded });
  return true;
}

/** Null when the subject is unchanged since the agreement. */
async function judge(
  trx: Transaction,
  context: TradingContext,
  active: ActiveConnection,
  { answers, symbol, units }: Proposal,
): Promise<Exclude<AdjustmentDecision, { outcome: 'book' }> | null> {
  if (answers.difference === null) return null;
  const account = await loadAccountPosition(trx, context, active, symbol);
  const written = await loadWrittenDifference(trx, answers.difference);
  return decideDifference(judgeDifference(written, account, units));
}
