import type { OperationsDesk } from '#contract/operations/operations.ts';
import { showCounted } from '../../kit/figure/show-figure.ts';
import { isListedBelow } from './decision-place.ts';

type Waiting = {
  /** What a member of staff must look at. */
  readonly yours: number;
  /** Incidents that others end, or that pass. */
  readonly others: number;
  readonly hasMore: boolean;
};

/** Nothing is counted twice: an incident whose decision is in a list of its own counts there. */
export function countWaiting(desk: OperationsDesk): Waiting {
  const closable = {
    ...desk.unpaid_clients,
    results: desk.unpaid_clients.results.filter(({ refusal }) => refusal === null),
  };
  const lists = [
    desk.orders,
    desk.differences,
    desk.missing_holdings,
    desk.cash_differences,
    desk.liquidations,
    closable,
    desk.refunds,
    desk.executions,
    desk.dead_letters,
  ];
  const incidents = desk.incidents.results.filter(({ kind }) => !isListedBelow(kind));
  const mine = incidents.filter(
    ({ severity, whose_move: move }) => severity === 'act_now' || move === 'staff',
  );
  return {
    yours: mine.length + lists.reduce((sum, { results }) => sum + results.length, 0),
    others: incidents.length - mine.length,
    hasMore: [...lists, desk.incidents].some(({ has_more: hasMore }) => hasMore),
  };
}

/** The page in one sentence. It says that nothing waits only while someone would have noticed if something did. */
export function summaryOf(desk: OperationsDesk, { isTraderSeen }: { isTraderSeen: boolean }): string {
  const { yours, others, hasMore } = countWaiting(desk);
  const nothing = isTraderSeen ? 'Nothing waits for you' : 'Nothing else is known to wait';
  const things =
    yours === 0 && !hasMore ? nothing : `${showCounted(yours, 'item')}${hasMore ? ' or more' : ''} to review`;
  const elsewhere = others === 0 ? '' : `, ${showCounted(others, 'incident')} with others`;
  const switches = desk.kill_switches;
  const halted =
    switches.length === 0
      ? 'nothing is halted'
      : `${showCounted(switches.length, 'kill switch', 'kill switches')} on`;
  return `${things}${elsewhere}, ${halted}.`;
}
