// How the stand-in writes: numbers as numbers, as text or with thousands separators, ids as text here and as numbers
// there, statuses in two spellings, and rows of the client's own that no strategy has ordered.
import type { Execution, Order } from './books.ts';
import type { Chance } from './chance.ts';

export class Wording {
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  number(value: number, subject: string | number): number | string {
    const form = this.#chance.pick(['number', 'text', 'grouped'], 'number', subject);
    if (form === 'number') return value;
    return form === 'text' ? String(value) : grouped(value);
  }

  orderRow(order: Order): object {
    const { id, contract, price, type } = order;
    const rest = order.units - order.filled;
    const at = new Date(order.changedAt).toISOString().replace(/[-T:]|\..*/g, '');
    return {
      acct: order.account,
      account: order.account,
      conid: contract.conid,
      conidex: `${contract.conid}@SMART`,
      orderId: id,
      ...(order.clientId !== null && { order_ref: order.clientId }),
      ticker: contract.name,
      description1: contract.name,
      secType: contract.type,
      side: order.side,
      orderType: type === 'LMT' ? 'Limit' : type === 'STP' ? 'Stop' : 'Market',
      origOrderType: type === 'LMT' ? 'LIMIT' : type === 'STP' ? 'STOP' : 'MARKET',
      price: type === 'LMT' && price !== null ? grouped(price) : '',
      ...(type === 'STP' && { auxPrice: this.number(price ?? 0, id) }),
      timeInForce: isOver(order) ? 'CLOSE' : order.lasts,
      totalSize: this.number(order.units, id),
      filledQuantity: this.number(order.filled, id + 1),
      remainingQuantity: this.number(rest, id + 2),
      avgPrice: order.filled > 0 ? String(order.paid / order.filled) : '',
      status: this.status(order),
      order_ccp_status: 'Submitted',
      // Without the T and in two digits of the year.
      lastExecutionTime: at.slice(2),
      lastExecutionTime_r: order.changedAt,
    };
  }

  /** The answer of the single order, with other names for most fields. */
  orderStatus(order: Order): object {
    const { id, contract, price, type } = order;
    return {
      sub_type: null,
      request_id: '209',
      order_id: this.#chance.happens(0.5, 'id', id) ? String(id) : id,
      conid: contract.conid,
      symbol: contract.name,
      side: order.side === 'BUY' ? 'B' : 'S',
      contract_description_1: contract.name,
      sec_type: contract.type,
      account: order.account,
      order_ref: order.clientId,
      order_type: type === 'LMT' ? 'LIMIT' : type === 'STP' ? 'STP' : 'MARKET',
      limit_price: type === 'LMT' ? String(price) : '',
      stop_price: type === 'STP' ? String(price) : '',
      size: String(order.units - order.filled),
      total_size: grouped(order.units),
      cum_fill: grouped(order.filled),
      average_price: order.filled > 0 ? grouped(order.paid / order.filled) : '',
      tif: order.lasts,
      order_status: this.status(order),
    };
  }

  /** Of an order that waits for its market PreSubmitted, or the spelling of the vendor's filters. */
  status(order: Order): string {
    const words = {
      working:
        order.filled > 0
          ? (['Submitted', 'submitted'] as const)
          : (['PreSubmitted', 'pre_submitted'] as const),
      cancelling: ['PendingCancel', 'pending_cancel'] as const,
      filled: ['Filled', 'filled'] as const,
      cancelled: ['Cancelled', 'cancelled'] as const,
      expired: ['Cancelled', 'cancelled'] as const,
    }[order.state];
    return this.#chance.pick(words, 'status', order.id);
  }

  /** A commission is unknown in the first lists: missing, empty or -1, and later the figure that counts. */
  trade(execution: Execution): object {
    const { order, units, price, stem, revision } = execution;
    const { contract } = order;
    const isKnown = execution.looks > UNKNOWN_LOOKS;
    const unknown = this.#chance.pick(['missing', 'empty', 'minus one'], 'commission', stem);
    const commission = isKnown
      ? { commission: String(execution.commission), net_amount: units * price }
      : unknown === 'missing'
        ? {}
        : { commission: unknown === 'empty' ? '' : '-1' };
    return {
      execution_id: `${stem}${String(revision).padStart(2, '0')}`,
      symbol: contract.name,
      supports_tax_opt: '1',
      side:
        order.side === 'BUY'
          ? this.#chance.pick(['B', 'BOT'], 'side', stem)
          : this.#chance.pick(['S', 'SLD'], 'side', stem),
      order_description: `${order.side} ${units} ${contract.name}`,
      order_id: order.id,
      trade_time: new Date(execution.at).toISOString().replace(/(\d+)-(\d+)-(\d+)T(.{8}).*/, '$1$2$3-$4'),
      trade_time_r: execution.at,
      size: this.number(units, stem),
      price: this.#chance.happens(0.5, 'price', stem) ? grouped(price) : String(price),
      ...(order.clientId !== null && { order_ref: order.clientId }),
      ...commission,
      exchange: 'SMART',
      account: order.account,
      accountCode: order.account,
      company_name: contract.company,
      contract_description_1: contract.name,
      sec_type: contract.type,
      conid: contract.conid,
      conidEx: String(contract.conid),
      liquidation_trade: '0',
    };
  }
}

/** Lists of trades that do not know a commission yet. */
export const UNKNOWN_LOOKS = 2;

/** The client's own: a combination sold at a credit, and an option assigned at no price. */
export function tradesByHand(account: string, at: number): readonly object[] {
  const common = {
    account,
    accountCode: account,
    trade_time_r: at,
    exchange: 'CBOE',
    liquidation_trade: '0',
  };
  return [
    {
      ...common,
      execution_id: '0000e1a7.6579ab01.01.01',
      symbol: 'SPX',
      side: 'B',
      order_id: 1_370_093_238,
      size: 1,
      price: '-1.25',
      commission: '1.01',
      sec_type: 'BAG',
      conid: 28_812_380,
      contract_description_1: 'SPX',
    },
    {
      ...common,
      execution_id: '0000e1a7.6579ab02.01.01',
      symbol: 'XYZ',
      side: 'S',
      order_id: 0,
      size: 100.0,
      price: '0.00',
      commission: '0',
      sec_type: 'OPT',
      conid: 628_812_381,
      contract_description_1: 'XYZ JAN2026 50 C',
    },
  ];
}

/** The client's own working combination, with a negative limit and a status that no document names. */
export function orderByHand(account: string): object {
  return {
    acct: account,
    conid: 28_812_380,
    conidex: '28812380;;;712345678/1,712345679/-1',
    orderId: 1_370_093_240,
    ticker: 'SPX',
    secType: 'BAG',
    side: 'BUY',
    orderType: 'Limit',
    price: '-1.10',
    totalSize: 1,
    filledQuantity: 0,
    remainingQuantity: 1,
    status: 'ApiPending',
    timeInForce: 'GTC',
  };
}

export function grouped(value: number): string {
  const [whole = '0', part] = String(value).split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? separated : `${separated}.${part}`;
}

export function isOver({ state }: Order): boolean {
  return state === 'filled' || state === 'cancelled' || state === 'expired';
}
