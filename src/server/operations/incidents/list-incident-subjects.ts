import type { OperationsDesk } from '#contract/operations/operations.ts';
import type {
  DifferingBooks as ShownBooks,
  MissingCommission as ShownCommission,
  QuarantinedDeployment as ShownQuarantine,
  UnprotectedPosition as ShownPosition,
  UnreadRow as ShownRow,
} from '#contract/operations/incident-subjects.ts';
import type { Proposal } from '#records/operations/proposals.ts';
import type { IncidentAction } from '#rules/operations/proposal-action.ts';
import {
  type DeskPosition,
  type DeskRow,
  listDeskPositions,
  listDeskRows,
  listMissingCommissions,
  type MissingCommission,
} from '#records/incidents/incident-subjects.ts';
import { type DifferingBooks, listDifferingBooks } from '#records/books/differing-books.ts';
import { listQuarantined, type QuarantinedDeployment } from '#records/incidents/quarantined-deployments.ts';
import type { Database } from '#records/postgres/database.ts';
import { failureQuote } from '#rules/reasons/failure-quote.ts';
import { orderReason } from '#rules/reasons/order-reason.ts';
import { proposalRefusal } from '#rules/reasons/proposal-refusal.ts';
import { failingTask } from '#rules/reasons/status-reason.ts';
import { releasedStatus } from '#engine/lifecycle/quarantine.ts';
import { DAY_MS, type Instant, instant } from '#units/instant.ts';
import { fromMicro, type Micro, parseMicro } from '#units/money.ts';
import { fromQuantity, type Quantity } from '#units/quantity.ts';
import type { Staff } from '../../http/call.ts';
import { showProposal } from '../proposals/show-proposal.ts';

type Lists = Pick<
  OperationsDesk,
  'unread_rows' | 'missing_commissions' | 'unprotected' | 'quarantined' | 'differing_books'
>;

type Shown = {
  readonly support: Staff;
  readonly proposals: readonly Proposal[];
  readonly marketAt: Instant;
  readonly max: number;
};

/** What incidents without a list of their own are about, with the proposal about its present state. */
export async function listIncidentSubjects(
  database: Database,
  { support, proposals, marketAt, max }: Shown,
): Promise<Lists> {
  const asked = max + 1;
  const [rows, commissions, positions, quarantined, books] = await Promise.all([
    listDeskRows(database, asked),
    listMissingCommissions(database, instant(marketAt - DAY_MS), asked),
    listDeskPositions(database, asked),
    listQuarantined(database, asked),
    listDifferingBooks(database, asked),
  ]);
  const showSubject = ({ accountId, subject, seen, brokerName }: Named, action: IncidentAction) => {
    const isAboutIt = (one: Proposal) =>
      one.action === action && one.accountId === accountId && one.subject === subject && one.seen === seen;
    const proposal = proposals.find(isAboutIt);
    return {
      account: accountId,
      subject,
      seen,
      broker_name: brokerName,
      proposal: proposal === undefined ? null : showProposal(proposal, support),
    };
  };
  const list = <Row extends Named, Shown>(
    found: readonly Row[],
    action: IncidentAction,
    show: (row: Row) => Shown,
  ) => ({
    results: found.slice(0, max).map((row) => ({ ...showSubject(row, action), ...show(row) })),
    has_more: found.length > max,
  });
  return {
    unread_rows: list(rows, 'ignore_row', showRow),
    missing_commissions: list(commissions, 'state_commission', showCommission),
    unprotected: list(positions, 'acknowledge', showPosition),
    quarantined: list(quarantined, 'release', showQuarantined),
    differing_books: list(books, 'rebuild_books', showBooks),
  };
}

type Named = {
  readonly accountId: string;
  readonly subject: string;
  readonly seen: string;
  readonly brokerName: string;
};
type Own<Shown> = Omit<Shown, 'account' | 'subject' | 'seen' | 'broker_name' | 'proposal'>;

function showRow({ clients, list, part, raw, effect, symbols, since, refusal }: DeskRow): Own<ShownRow> {
  return {
    clients: [...clients],
    list,
    part,
    raw,
    effect,
    symbols: [...symbols],
    since: since.toISOString(),
    refusal: refusal && proposalRefusal(refusal),
  };
}

function showCommission(fill: MissingCommission): Own<ShownCommission> {
  return {
    deployment: fill.deploymentId,
    client: fill.client,
    strategy_name: fill.strategyName,
    symbol: fill.symbol,
    side: fill.side,
    quantity: fromQuantity(fill.quantity),
    price: fill.price,
    estimate: fromMicro(fill.estimate),
    executed_at: fill.executedAt.toISOString(),
  };
}

function showPosition(position: DeskPosition): Own<ShownPosition> {
  return {
    deployment: position.deploymentId,
    client: position.client,
    strategy_name: position.strategyName,
    symbol: position.symbol,
    quantity: fromQuantity(position.quantity),
    cause: failureQuote(orderReason(position.reason)) ?? '',
    refusals: position.refusals,
    retry_refusal: position.refusedStop === null ? proposalRefusal('tried_soon') : null,
  };
}

function showQuarantined({ reason, ...deployment }: QuarantinedDeployment): Own<ShownQuarantine> {
  const to = releasedStatus(reason.from);
  return {
    client: deployment.client,
    strategy_name: deployment.strategyName,
    cause: `It could not continue: ${failingTask(reason.failing)}.`,
    released_as: to === 'paused' || to === 'frozen' ? to : 'closing',
    equity: fromMicro(parseMicro(deployment.equityMicro)),
    positions: deployment.positions,
  };
}

function showBooks({ client, strategyName, differences }: DifferingBooks): Own<ShownBooks> {
  return {
    client,
    strategy_name: strategyName,
    differences: differences.map(({ figure, symbol, stored, replayed }) => {
      const show = (value: number | null) =>
        value === null
          ? null
          : figure === 'quantity'
            ? fromQuantity(value as Quantity)
            : fromMicro(value as Micro);
      return { figure, symbol, stored: show(stored), replayed: show(replayed) };
    }),
  };
}
