// The sandbox's answers, written in the other forms that the vendor's published schema and recorded answers have for the
// same thing: numbers as text, empty and missing fields, unknown ones, one row without its list, other names and letters,
// lists that are empty at first. Which form an answer gets is drawn by a seed. What is said stays the same.
import type { FastifyInstance } from 'fastify';
import { draws } from '#sandbox/market/price-models/random.ts';

/** Draws the next form: a whole number below `forms`. */
export type DrawForm = (forms: number) => number;

export function formsOfSeed(seed: number): DrawForm {
  let drawn = 0;
  const { uniform } = draws(seed, 0, 0);
  return (forms) => Math.floor(uniform(drawn++) * forms);
}

export function fuzzAnswers(app: FastifyInstance, draw: DrawForm): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const path = request.url.split('?')[0]!.replace('/v1/api', '');
    const rule = RULES.find(([pattern]) => pattern.test(`${request.method} ${path}`));
    if (rule === undefined || typeof payload !== 'string' || reply.statusCode >= 400)
      return done(null, payload);
    const said: unknown = JSON.parse(payload);
    // What refuses under status 200 has one form.
    if (isRow(said) && typeof said.error === 'string') return done(null, payload);
    reply.removeHeader('content-length');
    return done(null, JSON.stringify(rule[1](said, draw)));
  });
}

type Row = Readonly<Record<string, unknown>>;
type Rule = readonly [RegExp, (said: unknown, draw: DrawForm) => unknown];

const RULES: readonly Rule[] = [
  [/^POST \/oauth\/access_token$/, (said, draw) => (draw(2) ? renamed(said, 'is_paper', 'is_true') : said)],
  [
    /^POST \/oauth\/live_session_token$/,
    (said, draw) => (draw(2) ? renamed(said, 'diffie_hellman_response', 'diffie_hellman_challenge') : said),
  ],
  [/^POST \/iserver\/auth\/(ssodh\/init|status)$/, (said, draw) => status(said, draw)],
  [/^POST \/tickle$/, tickle],
  [/^POST \/iserver\/account$/, (said, draw) => (draw(2) ? { success: 'Account already set' } : said)],
  [
    /^GET \/portfolio\/accounts$/,
    (said, draw) => rows(said, draw, () => ({ accountAlias: null, parent: {} })),
  ],
  [/^GET \/portfolio2?\/[^/]+\/positions/, (said, draw) => rows(said, draw, () => ({ sector: null }))],
  [/^GET \/portfolio\/[^/]+\/ledger$/, ledger],
  [/^GET \/iserver\/account\/orders$/, orders],
  [/^GET \/iserver\/account\/trades$/, (said, draw) => rows(said, draw, (row) => trade(row, draw))],
  [/^GET \/iserver\/account\/order\/status\//, orderStatus],
  [/^POST \/iserver\/account\/[^/]+\/orders$/, submitted],
  [/^DELETE \/iserver\/account\/[^/]+\/order\//, cancelled],
];

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function renamed(said: unknown, from: string, to: string): unknown {
  if (!isRow(said)) return said;
  const { [from]: value, ...rest } = said;
  return { ...rest, [to]: value };
}

/** Some numbers as text, some with thousands separators, and unknown fields. */
function otherForm(row: Row, draw: DrawForm): Row {
  const entries = Object.entries(row).map(([name, value]) => {
    const isQuantity = typeof value === 'number' && !/time|conid|id$|_r$/i.test(name);
    if (!isQuantity) return [name, typeof value === 'number' && draw(2) ? String(value) : value];
    const form = draw(3);
    if (form === 0) return [name, value];
    return [name, form === 1 ? String(value) : parted(value)];
  });
  return { ...Object.fromEntries(entries), is_event_trading: '0', unheard_of: { of: [null, 'before'] } };
}

function parted(value: number): string {
  const [whole = '', fraction] = String(value).split('.');
  if (/e/i.test(String(value))) return String(value);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function rows(said: unknown, draw: DrawForm, more: (row: Row) => Row): unknown {
  return Array.isArray(said)
    ? said.map((row: Row) => ({ ...otherForm(row, draw), ...more(otherForm(row, draw)) }))
    : said;
}

function status(said: unknown, draw: DrawForm): unknown {
  if (!isRow(said)) return said;
  const { established, fail: _fail, hardware_info: hardware, ...rest } = said;
  const form = draw(3);
  if (form === 0) return { ...said, fail: '' };
  if (form === 1) return { ...rest, message: null };
  return { ...rest, established: established === true ? 'true' : established, hardware_info: hardware };
}

function tickle(said: unknown, draw: DrawForm): unknown {
  if (!isRow(said) || !isRow(said.iserver)) return said;
  const { session, iserver } = said;
  const authStatus = status(iserver.authStatus, draw);
  return draw(2)
    ? { session, hmds: { error: 'no bridge' }, iserver: { authStatus } }
    : { ...said, iserver: { authStatus } };
}

function ledger(said: unknown, draw: DrawForm): unknown {
  if (!isRow(said)) return said;
  const lines = Object.entries(said).map(([code, line]) => [code, otherForm(line as Row, draw)]);
  return {
    AUD: { cashbalance: 0, netliquidationvalue: 0, exchangerate: 0.650_378 },
    ...Object.fromEntries(lines),
  };
}

function orders(said: unknown, draw: DrawForm): unknown {
  if (!isRow(said)) return said;
  return {
    orders: rows(said.orders, draw, (row) => order(row, draw)),
    snapshot: draw(2) ? said.snapshot : String(said.snapshot),
  };
}

function order(row: Row, draw: DrawForm): Row {
  const account = draw(2) ? { acct: undefined } : { account: undefined };
  const status = String(row.status);
  return {
    ...account,
    status: [status, status.toLowerCase(), status.replace(/\B[A-Z]/g, '_$&').toLowerCase()][draw(3)],
    side: [row.side, row.side === 'BUY' ? 'B' : 'S'][draw(2)],
    ...(draw(2) && row.price === '' ? { price: '0.0' } : {}),
    ...(draw(2) ? { conid: Number(row.conid) } : { conid: null }),
    taxOptimizerId: null,
  };
}

function trade(row: Row, draw: DrawForm): Row {
  const buys = row.side === 'B';
  return {
    side: [row.side, buys ? 'BOT' : 'SLD', buys ? 'BUY' : 'SELL'][draw(3)],
    ...(draw(2) ? { trade_time_r: null } : { trade_time: undefined }),
    ...(draw(2) ? { account: undefined } : { accountCode: undefined }),
    ...(draw(2) ? { commission: Number(row.commission) } : {}),
    liquidation_trade: null,
  };
}

function orderStatus(said: unknown, draw: DrawForm): unknown {
  if (!isRow(said)) return said;
  const { cum_fill: filled, ...rest } = said;
  const buys = said.side === 'BUY';
  return {
    ...(draw(2) ? { ...rest, filled_quantity: filled } : { ...said, filled_quantity: null }),
    side: [said.side, buys ? 'B' : 'S'][draw(2)],
    order_id: draw(2) ? String(said.order_id) : said.order_id,
    sub_type: null,
  };
}

/** An acceptance comes with its id as text or as a number, and in a list or without. */
function submitted(said: unknown, draw: DrawForm): unknown {
  const [first] = Array.isArray(said) ? (said as readonly Row[]) : [];
  if (first?.order_id === undefined) return said;
  const one = {
    ...first,
    order_id: draw(2) ? Number(first.order_id) : first.order_id,
    encrypt_message: '1',
  };
  return draw(2) ? [one] : one;
}

function cancelled(said: unknown, draw: DrawForm): unknown {
  if (!isRow(said)) return said;
  const one = { ...said, order_id: draw(2) ? String(said.order_id) : said.order_id, account: null };
  return draw(2) ? [{ ...one, order_status: 'PreSubmitted' }] : one;
}
