// Sets the stored figures of a deployment to what its executions make of them, once two people have agreed on it. What was
// booked stays as it is: executions, ledger and day marks are not touched.
import { noTransition } from '#engine/execution/deployment/state-transition.ts';
import { valueHoldings } from '#engine/execution/deployment/value-holdings.ts';
import { findDifferingBooks } from '#records/books/differing-books.ts';
import {
  type AgreedForDeployment,
  closeProposal,
  listAgreedForDeployments,
  lockApproved,
} from '#records/incidents/incident-proposals.ts';
import { endIncident } from '#records/incidents/incidents.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import { replayBooks } from '#records/books/replay-books.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { loadSnapshots } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

/** Only if the figures still differ as both people saw them. */
export async function rebuildBooks(context: TradingContext): Promise<void> {
  const { database, lease } = context;
  for (const agreed of await listAgreedForDeployments(database, 'rebuild_books', lease.shards)) {
    const id = agreed.deploymentId;
    try {
      const present = await context.atPresent();
      await present.database.transaction().execute((trx) => rebuild(trx, present, agreed));
    } catch (error) {
      const about = { kind: 'deployment_failing', subject: id, deploymentId: id, task: 'rebuild' } as const;
      noteProblem(context, `rebuild of the books of deployment ${id}`, error, about);
    }
  }
}

async function rebuild(
  trx: Transaction,
  context: TradingContext,
  { id, seen, deploymentId }: AgreedForDeployment,
): Promise<void> {
  const [snapshot] = await loadSnapshots(trx, [deploymentId], context, { lock: 'for update' });
  if (snapshot === undefined || !(await lockApproved(trx, id))) return;
  if ((await findDifferingBooks(trx, deploymentId))?.seen !== seen) return closeProposal(trx, id, 'void');
  const { record } = snapshot;
  const { portfolio } = await replayBooks(trx, record, context.instruments);
  const storedMarks = [...record.holdings.values()].map(
    ({ symbol, markPrice }) => [symbol, markPrice] as const,
  );
  const { holdings, equity } = valueHoldings(portfolio, record.holdings, context.now, {
    instruments: context.instruments,
    // At the marks of its last valuation; the next one follows the market.
    marks: new Map([...context.marks, ...storedMarks]),
    unpriced: [...record.holdings.keys()],
  });
  const after = { ...record, cash: portfolio.cash, realized: portfolio.realized, holdings, equity };
  await saveTransitions(trx, context, [{ ...noTransition(record, context.now), after }]);
  await closeProposal(trx, id, 'over');
  const differing = { kind: 'books_differ', subject: deploymentId } as const;
  await endIncident(trx, differing, { how: 'cleared', at: context.realNow() });
  // What the wrong figures broke besides is over once a check says so.
  await sendJobs(trx, 'due-work', [{ data: { work: 'invariants' }, key: 'invariants' }]);
}
