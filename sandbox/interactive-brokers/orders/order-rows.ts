// Orders and executions as the API writes them.
import { type Instant, isoText } from '#units/instant.ts';
import { fromMicro, notional } from '#units/money.ts';
import { fromQuantity, quantity, quantityText } from '#units/quantity.ts';
import type { Contract } from '../market-data/contract-list.ts';
import type { Execution, Order } from './order-book.ts';

/** Executions show in every brokerage session; orders only in their own. */
export function isReported({ hiddenUntil }: Order, at: Instant): boolean {
  return hiddenUntil === null || hiddenUntil <= at;
}

export function isShown(order: Order, at: Instant, sessionId: string): boolean {
  return isReported(order, at) && isOfSession(order, sessionId);
}

export function isOfSession(order: Order, sessionId: string): boolean {
  return order.sessionId === null || order.sessionId === sessionId;
}

export function isWorking({ status }: Order): boolean {
  return status === 'PreSubmitted' || status === 'Submitted' || status === 'PendingCancel';
}

export function orderRow(order: Order, contract: Contract, averagePrice: number | null) {
  const isOver = !isWorking(order);
  return {
    acct: order.accountId,
    account: order.accountId,
    conid: String(contract.conid),
    conidex: `${contract.conid}@${contract.exchange}`,
    orderId: order.orderId,
    order_ref: order.clientOrderId ?? undefined,
    cashCcy: contract.instrument.currency,
    ticker: contract.secType === 'CASH' ? contract.instrument.unitCurrency : contract.name,
    description1: contract.name,
    orderDesc: describe(order, contract),
    companyName: contract.instrument.name,
    secType: contract.secType,
    listingExchange: contract.exchange,
    exchange: contract.exchange,
    side: order.side,
    orderType: TYPE_WORD[order.orderType],
    origOrderType: TYPE_WORD[order.orderType].toUpperCase(),
    price: order.price === null ? '' : String(order.price),
    timeInForce: isOver ? 'CLOSE' : order.timeInForce,
    totalSize: quantityText(order.quantity),
    filledQuantity: quantityText(order.filled),
    remainingQuantity: quantityText(quantity(order.quantity - order.filled)),
    avgPrice: averagePrice === null ? '' : String(averagePrice),
    sizeAndFills: `${quantityText(order.filled)}/${quantityText(order.quantity)}`,
    status: order.status,
    order_ccp_status: order.status,
    order_cancellation_by_system_reason: order.note === '' ? undefined : order.note,
    lastExecutionTime: isoText(order.changedAt).replace(/\D/g, '').slice(2, 14),
    lastExecutionTime_r: String(order.changedAt),
  };
}

export function statusRow(order: Order, contract: Contract, averagePrice: number | null) {
  const isOver = !isWorking(order);
  return {
    request_id: String(order.orderId % 100_000),
    order_id: order.orderId,
    conid: String(contract.conid),
    conidex: String(contract.conid),
    symbol: contract.name,
    side: order.side,
    contract_description_1: contract.name,
    listing_exchange: contract.exchange,
    company_name: contract.instrument.name,
    size: quantityText(quantity(order.quantity - order.filled)),
    total_size: quantityText(order.quantity),
    cum_fill: quantityText(order.filled),
    currency: contract.instrument.currency,
    account: order.accountId,
    order_type: TYPE_WORD[order.orderType].toUpperCase(),
    order_status: order.status,
    order_status_description: order.note === '' ? `Order ${order.status}` : order.note,
    order_ref: order.clientOrderId ?? undefined,
    tif: order.timeInForce,
    price: order.price === null ? undefined : String(order.price),
    order_not_editable: isOver,
    cannot_cancel_order: isOver,
    sec_type: contract.secType,
    order_description: describe(order, contract),
    order_clearing_account: order.accountId,
    average_price: averagePrice === null ? undefined : String(averagePrice),
    order_time: isoText(order.submittedAt).replace(/\D/g, '').slice(2, 14),
  };
}

export function tradeRow(
  { executionId, order, quantity: size, price, commission, at }: Execution,
  contract: Contract,
  owner: { readonly accountId: string; readonly userName: string },
) {
  const verb = order.side === 'BUY' ? 'Bought' : 'Sold';
  return {
    execution_id: executionId,
    symbol: contract.secType === 'CASH' ? contract.instrument.unitCurrency : contract.name,
    supports_tax_opt: '0',
    side: order.side === 'BUY' ? 'B' : 'S',
    order_description: `${verb} ${quantityText(size)} @ ${price} on ${contract.exchange}`,
    trade_time: `${isoText(at).slice(0, 10).replaceAll('-', '')}-${isoText(at).slice(11, 19)}`,
    trade_time_r: at,
    size: fromQuantity(size),
    price: String(price),
    order_ref: order.clientOrderId ?? undefined,
    submitter: owner.userName,
    exchange: contract.exchange,
    commission: String(fromMicro(commission)),
    net_amount: fromMicro(notional(size, price, contract.instrument.multiplier)),
    account: owner.accountId,
    accountCode: owner.accountId,
    account_allocation_name: owner.accountId,
    company_name: contract.instrument.name,
    contract_description_1: contract.name,
    sec_type: contract.secType,
    listing_exchange: contract.exchange,
    conid: String(contract.conid),
    conidEx: String(contract.conid),
    clearing_id: 'SANDBOX',
    clearing_name: 'SANDBOX',
    liquidation_trade: '0',
    is_event_trading: '0',
    order_id: order.orderId,
  };
}

function describe(order: Order, contract: Contract): string {
  const verb = order.side === 'BUY' ? 'Buy' : 'Sell';
  const price = order.price === null ? '' : ` ${order.price}`;
  return `${verb} ${quantityText(order.quantity)} ${contract.name} ${TYPE_WORD[order.orderType]}${price}, ${order.timeInForce === 'DAY' ? 'Day' : 'GTC'}`;
}

const TYPE_WORD = { LMT: 'Limit', MKT: 'Market', STP: 'Stop' } as const;
