// One order from ticket to final answer. An account's orders go out one at a time, because the vendor loses its
// questions when two are open at once.
import type { Instrument } from '#engine/market/instrument.ts';
import type { ApprovedOrder } from '#engine/order/order.ts';
import type { SubmitResult, SubmitTerms } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { fromQuantity } from '#units/quantity.ts';
import type { Priority } from '../../rate-limits.ts';
import type { Brokerage } from '../inner-session/brokerage.ts';
import type { Connection } from '../connection.ts';
import { mayLackSession } from '../failure-of.ts';
import type { Contract } from '../market-data/contract-store.ts';
import type { ContractBook } from '../market-data/contracts.ts';
import { parseSubmitAnswer } from './parse-submit-answer.ts';
import { mayConfirm, REPLIES_MAX, type ReplyTerms, topicOf } from './reply-policy.ts';

export type SubmitTools = {
  readonly connection: Connection;
  readonly brokerage: Brokerage;
  readonly contracts: ContractBook;
  readonly findInstrument: (symbol: ApprovedOrder['symbol']) => Instrument | null;
  readonly terms?: SubmitTerms | undefined;
};

export async function submitOrder(
  tools: SubmitTools,
  accountId: BrokerAccountId,
  order: ApprovedOrder,
  stopPrice: number | null = null,
): Promise<SubmitResult> {
  const priority: Priority =
    order.purpose === 'rebalance' || order.purpose === 'protective' ? 'open' : 'liquidate';
  const instrument = tools.findInstrument(order.symbol);
  if (!instrument) return notSent('refused', `${order.symbol} is not in the catalogue`);
  const selected = await tools.brokerage.select(accountId, priority);
  if (selected.outcome === 'failed') return notSent(selected.code, selected.reason);
  const contract = await tools.contracts.resolve(order.symbol, tools.brokerage.query, priority);
  if (contract.outcome === 'failed') return notSent(contract.code, contract.reason);

  const sent = await tools.connection.send({
    method: 'POST',
    path: `/iserver/account/${accountId}/orders`,
    json: { orders: [{ acctId: accountId, ...ticket({ order, instrument, stopPrice }, contract.value) }] },
    priority,
    ...(tools.terms?.mayLeave && { mayLeave: tools.terms.mayLeave }),
  });
  if (sent.kind === 'not_sent') return notSent(sent.code, sent.reason);
  if (sent.kind === 'lost') return unknown(sent.reason);
  const answer = parseSubmitAnswer(sent);
  if (answer.shape === 'turned_away') {
    if (answer.code === 'refused') tools.brokerage.forbidden(answer.reason);
    // A request to slow down does not end the session.
    else if (answer.code !== 'rate_limited') tools.brokerage.lost(answer.reason);
    const { code, reason, said } = answer;
    return { outcome: 'not_sent', code, reason, said, wasTurnedAway: true };
  }
  // A refusal for want of a session says nothing about the order.
  if (answer.shape === 'rejected' && mayLackSession(sent) && !(await tools.brokerage.confirm())) {
    const reason = 'the trading session was not up';
    return { outcome: 'not_sent', code: 'no_session', reason, wasTurnedAway: true };
  }
  const replies = { withoutMarketData: tools.terms?.withoutMarketData === true };
  const result = await conclude(tools.connection, answer, { priority, replies });
  // The vendor's texts do not tell for certain that it does not know the contract: one look-up more is cheap.
  if (result.outcome === 'rejected') await tools.contracts.forget(order.symbol);
  return result;
}

/** Answers questions until the vendor gives a result. After the first confirmation, only a clear answer counts. */
async function conclude(
  connection: Connection,
  first: ReturnType<typeof parseSubmitAnswer>,
  { priority, replies: terms }: { readonly priority: Priority; readonly replies: ReplyTerms },
): Promise<SubmitResult> {
  let answer = first;
  for (let replies = 0; ; replies++) {
    switch (answer.shape) {
      case 'accepted':
        return { outcome: 'accepted', brokerOrderId: answer.brokerOrderId };
      case 'rejected':
        return { outcome: 'rejected', said: answer.said };
      case 'choice':
        return { outcome: 'not_confirmed', topic: 'other', question: answer.text };
      case 'duplicate':
        return unknown(`the broker already has an order with this id: ${answer.reason}`);
      case 'unclear':
      case 'turned_away':
        return unknown(answer.reason);
      case 'question': {
        const path = `/iserver/reply/${encodeURIComponent(answer.replyId)}`;
        const confirmed = replies < REPLIES_MAX && mayConfirm(answer.messageIds, terms);
        const notConfirmed = {
          outcome: 'not_confirmed',
          topic: topicOf(answer.messageIds, terms),
          question: answer.text,
        } as const;
        const result = await connection.send({ method: 'POST', path, json: { confirmed }, priority });
        if (!confirmed) {
          const declined = result.kind === 'answered' ? parseSubmitAnswer(result) : null;
          // It may have accepted the order anyway.
          if (declined?.shape === 'accepted')
            return { outcome: 'accepted', brokerOrderId: declined.brokerOrderId };
          return notConfirmed;
        }
        if (result.kind === 'not_sent') return notConfirmed;
        if (result.kind === 'lost') return unknown(result.reason);
        answer = parseSubmitAnswer(result);
      }
    }
  }
}

type Submission = {
  readonly order: ApprovedOrder;
  readonly instrument: Instrument;
  readonly stopPrice: number | null;
};

function ticket({ order, instrument, stopPrice }: Submission, contract: Contract) {
  const rounded = (price: number) => Number(price.toFixed(instrument.priceDecimals));
  return {
    conid: contract.conid,
    secType: `${contract.conid}:${contract.secType}`,
    cOID: order.clientOrderId,
    side: order.side === 'buy' ? 'BUY' : 'SELL',
    ...(stopPrice === null
      ? { orderType: 'LMT', price: rounded(order.limitPrice) }
      : { orderType: 'STP', ...stopFields(rounded(stopPrice)) }),
    tif: 'DAY',
    quantity: fromQuantity(order.quantity),
    outsideRTH: false,
  };
}

/** The vendor's documentation is unclear about which field holds a stop's price, so we set both. */
function stopFields(stopPrice: number) {
  return { price: stopPrice, auxPrice: stopPrice };
}

function notSent(code: Extract<SubmitResult, { outcome: 'not_sent' }>['code'], reason: string): SubmitResult {
  return { outcome: 'not_sent', code, reason };
}

function unknown(reason: string): SubmitResult {
  return { outcome: 'unknown', reason };
}
