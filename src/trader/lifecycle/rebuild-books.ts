// Sets the stored figures of a deployment to what its executions make of them, once two people have agreed on it. What was
// booked stays as it is: executions, ledger and day marks are not touched.
import { noticeTo } from '#engine/execution/deployment/notices.ts';
import { noTransition } from '#engine/execution/deployment/state-transition.ts';
import { valueHoldings } from '#engine/execution/deployment/value-holdings.ts';
import { findDifferingBooks } from '#records/books/differing-books.ts';
import {
  type AgreedForDeployment,
  closeProposal,
  lockApproved,
} from '#records/incidents/incident-proposals.ts';
import { endIncident } from '#records/incidents/incidents.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { loadSnapshots } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import { carryOutAgreed } from './carry-out-agreed.ts';
import type { TradingContext } from '../trading-context.ts';

/** Only if the figures still differ as both people saw them. */
export function rebuildBooks(context: TradingContext): Promise<void> {
  return carryOutAgreed(context, 'rebuild_books', { task: 'rebuild', work: rebuild });
}

async function rebuild(
  trx: Transaction,
  context: TradingContext,
  { id, seen, deploymentId }: AgreedForDeployment,
): Promise<void> {
  const [snapshot] = await loadSnapshots(trx, [deploymentId], context, { lock: 'for update' });
  if (snapshot === undefined || !(await lockApproved(trx, id))) return;
  const differing = await findDifferingBooks(trx, deploymentId);
  if (differing?.seen !== seen) return closeProposal(trx, id, 'void');
  const { record } = snapshot;
  const { replayed } = differing;
  const storedMarks = [...record.holdings.values()].map(
    ({ symbol, markPrice }) => [symbol, markPrice] as const,
  );
  const { holdings, equity } = valueHoldings(replayed, record.holdings, context.now, {
    instruments: context.instruments,
    // At the marks of its last valuation; the next one follows the market.
    marks: new Map([...context.marks, ...storedMarks]),
    unpriced: [...record.holdings.keys()],
  });
  const after = { ...record, cash: replayed.cash, realized: replayed.realized, holdings, equity };
  const facts = {
    kind: 'figures_rebuilt',
    strategyName: record.strategyName,
    before: record.equity,
    after: equity,
  } as const;
  const notices = [noticeTo(record, facts, { cause: `rebuilt:${id}`, at: context.now })];
  await saveTransitions(trx, context, [{ ...noTransition(record, context.now), after, notices }]);
  await closeProposal(trx, id, 'over');
  const incident = { kind: 'books_differ', subject: deploymentId } as const;
  await endIncident(trx, incident, { how: 'cleared', at: context.realNow() });
  // What the wrong figures broke besides is over once a check says so.
  await sendJobs(trx, 'due-work', [{ data: { work: 'invariants' }, key: 'invariants' }]);
}
