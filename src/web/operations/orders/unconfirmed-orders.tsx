import { type ReactNode, useState } from 'react';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import type { UnconfirmedOrder } from '#contract/operations/unconfirmed-order.ts';
import { sessionText } from '#rules/brokerage/session-state.ts';
import { showCounted, showDateTime, showPrice, showQuantity } from '../../kit/figure/show-figure.ts';
import { Facts } from '../facts.tsx';
import { type Approval, proposalActions, ProposedBy, RowButtons } from '../proposals/proposal-actions.tsx';
import { ResolveOrderDialog } from './resolve-order-dialog.tsx';
import { Wait } from '../wait.tsx';
import { WaitingList } from '../waiting-list.tsx';

/** Orders that were sent and of which no trustworthy answer came. */
export function UnconfirmedOrders({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="orders"
      title="Unconfirmed orders"
      note="These orders were sent, but the broker’s answer is missing or unclear. We never resend them. Most resolve on their own after the trading day, when two full checks agree. Resolve one yourself only after checking it at the broker."
      none="No unconfirmed orders."
      list={desk.orders}
    >
      {desk.orders.results.map((order) => (
        <OrderRow key={order.id} order={order} desk={desk} />
      ))}
    </WaitingList>
  );
}

function OrderRow({ order, desk }: { order: UnconfirmedOrder; desk: OperationsDesk }) {
  const [open, setOpen] = useState<string | null>(null);
  const { decision, currency, session } = order;
  const action = decision === null ? 'Resolve' : 'Change resolution';
  const close = () => setOpen(null);
  const proposal = desk.proposals.find((one) => one.action === 'resolve_order' && one.subject === order.id);
  const fate =
    proposal?.broker_order_id == null
      ? 'the broker has nothing more of it'
      : `it is broker order ${proposal.broker_order_id}`;
  const approval: Approval = {
    does: `to resolve it: ${fate}`,
    title: `Resolve ${orderName(order)}: ${fate}?`,
    effect: `Check account ${order.account} at ${order.broker_name} yourself first. A wrong word doubles a position or loses one.`,
  };
  const offered = [
    ...(proposal === undefined
      ? [{ label: action, dialog: <ResolveOrderDialog order={order} onClose={close} /> }]
      : []),
    ...proposalActions(proposal, approval, close),
  ];
  const facts: [string, ReactNode][] = [
    [
      'Unconfirmed for',
      order.unknown_since ? <Wait key="wait" since={order.unknown_since} until={desk.as_of} /> : 'unknown',
    ],
    ['Filled', `${showQuantity(order.filled)} of ${showQuantity(order.quantity)}`],
    ['Sent (market time)', showDateTime(order.sent_at)],
    ['Limit', `${showPrice(order.limit_price)} ${currency ?? ''}`],
    ['Account', `${order.account}, ${order.broker_name}`],
    ['Connection', session === null ? 'Not checked yet' : sessionText(session, order.broker_name).title],
    ['Broker’s order ID', order.broker_order_id ?? 'None'],
    ['Our order ID', <code key="id">{order.client_order_id}</code>],
  ];
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="font-medium">{orderName(order)}</h3>
          <p className="text-sm wrap-anywhere text-ink-faint">
            {order.strategy_name}, {order.client}
          </p>
          <p className="mt-1 text-ink-soft">{order.broker_message || 'The broker gave no reason.'}</p>
          {order.held_executions > 0 && (
            <p className="mt-1 text-caution">
              {showCounted(order.held_executions, 'execution')} without an order ID may belong to it.
            </p>
          )}
        </div>
        <RowButtons about={orderName(order)} actions={offered} onOpen={setOpen} />
      </div>
      <Facts facts={facts} />
      {decision !== null && (
        <p className="text-sm text-ink-soft">
          Resolved by <span className="wrap-anywhere">{decision.by}</span>, {showDateTime(decision.at)}:{' '}
          {decision.broker_order_id === null
            ? 'the broker has nothing more of it'
            : `it is broker order ${decision.broker_order_id}`}
          , because {decision.reason}. The trader applies this at its next check.
        </p>
      )}
      <ProposedBy proposal={proposal} does={approval.does} />
      {offered.find(({ label }) => label === open)?.dialog}
    </li>
  );
}

function orderName({ purpose, side, quantity, symbol }: UnconfirmedOrder): string {
  const kind = purpose === 'protective' ? 'protective stop to ' : '';
  return `${kind}${side} ${showQuantity(quantity)} ${symbol}`.replace(/^./, (first) => first.toUpperCase());
}
