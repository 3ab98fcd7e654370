// What a broker's documents allow and nobody expects: rows of the client's own trading, of other accounts and of unknown
// instruments, the same fact in several spellings, and refusals in any language. By seed; each choice hangs on its subject
// alone, so that the order in which requests arrive changes none.
import type { FastifyInstance } from 'fastify';
import { addDays, type Instant, instant, instantOfDate, HOUR_MS, utcDate } from '#units/instant.ts';
import { seedFromText, rootOf, draws } from '../../market/price-models/random.ts';

export type Habits = {
  /** The order list with rows of the client's own hand. */
  orders(rows: readonly object[], accountId: string): readonly object[];
  /** The trade list since `from`, likewise. */
  trades(
    rows: readonly object[],
    accountId: string,
    range: { from: Instant; at: Instant },
  ): readonly object[];
  positions(rows: readonly object[], accountId: string): readonly object[];
  /** Puts every text of `api` that a person could read into words that are not ours. */
  speak(api: FastifyInstance): void;
};

/** Lists and texts exactly as the handlers write them: for tests that need a certain list or text. */
export const PLAIN_HABITS: Habits = {
  orders: (rows) => rows,
  trades: (rows) => rows,
  positions: (rows) => rows,
  speak: () => undefined,
};

/** Those of SANDBOX_HABITS: of a seed, or none with `off`. */
export function readHabits(setting: string | undefined): Habits {
  if (setting === 'off') return PLAIN_HABITS;
  const seed = Number(setting || DEFAULT_SEED);
  if (!Number.isInteger(seed) || seed < 0)
    throw new Error(`SANDBOX_HABITS must be a whole number or off, not "${setting}"`);
  return habitsBySeed(seed);
}

const DEFAULT_SEED = 1;

export function habitsBySeed(seed: number): Habits {
  const chance = chanceBySeed(seed);
  return {
    orders: (rows, accountId) => [
      ...rows.map((row) => respelledOrder(row, chance)),
      ...externalOrders(accountId, chance),
    ],
    trades: (rows, accountId, range) => [
      ...rows.map((row) => respelledTrade(row, chance)),
      ...externalTrades(accountId, range, chance),
    ],
    positions: (rows, accountId) =>
      chance.share('position by hand', accountId) < 0.3 ? [...rows, externalPosition(accountId)] : rows,
    speak(api) {
      api.addHook('preSerialization', async (_request, _reply, payload) => inOtherWords(payload, chance));
    },
  };
}

type Chance = {
  /** Between 0 and 1. */
  share(purpose: string, subject: string): number;
  pick<One>(list: readonly [One, ...One[]], purpose: string, subject: string): One;
};

function chanceBySeed(seed: number): Chance {
  const share = (purpose: string, subject: string) =>
    draws(rootOf(seed, seedFromText(`${purpose} of`), seedFromText(`${subject} by`)), 0, 0).uniform(0);
  return {
    share,
    pick: (list, purpose, subject) => list[Math.floor(share(purpose, subject) * list.length)] ?? list[0],
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Statuses in the spelling of the lists or of the filters; amounts as text or as numbers. */
function respelledOrder(row: object, chance: Chance): object {
  const fields = row as Fields;
  const id = String(fields.orderId);
  const status = String(fields.status);
  const isNumber = chance.share('amounts', id) < 0.3;
  return {
    ...row,
    status: chance.pick([status, status, snakeCase(status)], 'status', id),
    ...(isNumber && {
      totalSize: Number(fields.totalSize),
      filledQuantity: Number(fields.filledQuantity),
      remainingQuantity: Number(fields.remainingQuantity),
    }),
  };
}

/** Sides in two spellings; the commission with its currency behind it. */
function respelledTrade(row: object, chance: Chance): object {
  const { execution_id: executionId, side, commission } = row as Fields;
  const id = String(executionId);
  const isStated = typeof commission === 'string' && Number(commission) > 0;
  return {
    ...row,
    side: chance.share('side', id) < 0.3 ? (side === 'B' ? 'BOT' : 'SLD') : side,
    ...(isStated && chance.share('currency', id) < 0.2 && { commission: `${commission} USD` }),
  };
}

function snakeCase(status: string): string {
  return status.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

/** A combination with a negative limit, in a state of the vendor's other programs; and an order of another account. */
function externalOrders(accountId: string, chance: Chance): readonly object[] {
  if (chance.share('orders by hand', accountId) >= 0.5) return [];
  const status = chance.pick(
    ['ApiPending', 'WarnState', 'Unknown', 'Sideways', 'Expired', 'Rejected'],
    'state by hand',
    accountId,
  );
  const common = { conid: '28812380', conidex: '28812380;;;712345678/1,712345679/-1', ticker: 'SPX' };
  const order = {
    ...common,
    acct: accountId,
    account: accountId,
    orderId: 1_370_093_240,
    secType: 'BAG',
    side: 'BUY',
    orderType: 'Limit',
    price: '-1.10',
    totalSize: '1',
    filledQuantity: '0',
    remainingQuantity: '1',
    timeInForce: 'GTC',
    status,
  };
  const other = { ...order, acct: OTHER_ACCOUNT, account: OTHER_ACCOUNT, orderId: 1_370_093_241 };
  return [order, other];
}

/** The worthless expiry of an option each few days, a combination opened and closed at a credit, and another account's trade. */
function externalTrades(
  accountId: string,
  { from, at }: { readonly from: Instant; readonly at: Instant },
  chance: Chance,
): readonly object[] {
  if (chance.share('trades by hand', accountId) >= 0.5) return [];
  const rows: object[] = [];
  for (let date = utcDate(from); date < utcDate(at); date = addDays(date, 1)) {
    const subject = `${accountId} ${date}`;
    const time = instant(instantOfDate(date) + 21 * HOUR_MS);
    const share = chance.share('kind of trade', subject);
    const stem = `0000e1a7.${date.replaceAll('-', '')}`;
    if (share < 0.2) rows.push(expiry({ accountId, time, id: `${stem}.01.01` }));
    else if (share < 0.4)
      for (const [nth, side] of (['B', 'SSHORT'] as const).entries())
        rows.push(combination({ accountId, time, side, id: `${stem}.0${nth + 2}.01` }, chance));
    else if (share < 0.5)
      rows.push(combination({ accountId: OTHER_ACCOUNT, time, side: 'B', id: `${stem}.04.01` }, chance));
  }
  return rows;
}

type ByHand = { readonly accountId: string; readonly time: Instant; readonly id: string };

function externalTrade({ accountId, time, id }: ByHand) {
  return {
    execution_id: id,
    account: accountId,
    accountCode: accountId,
    trade_time_r: time,
    exchange: 'CBOE',
    liquidation_trade: '0',
  };
}

function expiry(trade: ByHand): object {
  return {
    ...externalTrade(trade),
    symbol: 'XYZ',
    side: 'S',
    order_id: 0,
    size: 1,
    price: '0.00',
    commission: '0',
    sec_type: 'OPT',
    conid: 628_812_381,
    contract_description_1: 'XYZ JAN2026 50 C',
  };
}

/** Both sides together cost nothing. */
function combination({ side, ...trade }: ByHand & { readonly side: string }, chance: Chance): object {
  const commission = chance.pick(['0.00 USD', '', 'n/a'], 'commission by hand', trade.id);
  return {
    ...externalTrade(trade),
    symbol: 'SPX',
    side,
    order_id: 1_370_093_238,
    size: 1,
    price: '-1.25',
    ...(commission !== '' && { commission }),
    sec_type: 'BAG',
    conid: 28_812_380,
    contract_description_1: 'SPX',
  };
}

/** Of an instrument that no catalogue of ours has, without currency and average. */
function externalPosition(accountId: string): object {
  return {
    acctId: accountId,
    conid: '628812381',
    description: 'XYZ JAN2026 50 C',
    contractDesc: 'XYZ JAN2026 50 C',
    position: -2,
    assetClass: 'OPT',
  };
}

/** Refusals, reasons and questions; ids, codes, states and everything else stay. */
function inOtherWords(payload: unknown, chance: Chance): unknown {
  const said = (text: string) => chance.pick(WORDS, 'words', text);
  if (Array.isArray(payload))
    return payload.map((row: unknown) => (isQuestion(row) ? asked(row, said) : row));
  if (typeof payload !== 'object' || payload === null) return payload;
  const { error } = payload as Fields;
  return typeof error === 'string' && error !== '' ? { ...payload, error: said(error) } : payload;
}

function isQuestion(row: unknown): row is Fields {
  return typeof row === 'object' && row !== null && Array.isArray((row as Fields).messageIds);
}

function asked(row: Fields, said: (text: string) => string): Fields {
  return { ...row, message: (row.message as readonly string[]).map(said) };
}

const WORDS = [
  'Der Dienst ist derzeit nicht verfügbar',
  'La solicitud no se pudo procesar',
  'La richiesta è stata respinta',
  'ご注文を処理できませんでした',
  'Förfrågan avvisades (10147)',
] as const;

const OTHER_ACCOUNT = 'DU9999999';
