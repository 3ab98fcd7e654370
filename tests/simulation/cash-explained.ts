// At the end of a world the cash of each account is explained to the cent. What only a person can explain is known to the
// world, and to the cent as well: money that its owner moved, trades that the broker took back after their deployment had
// ended, trades by hand after the last one there had ended, dividends on shares that these or the broker moved without an
// execution, and what it made of a currency pair, which it converts at rates of its own.
import { conversionOf, ratesOpenSince } from '#engine/cash/conversion.ts';
import { CASH_LINES } from '#engine/cash/cash-statement.ts';
import { nettingDoubt } from '#engine/cash/net-position.ts';
import { ownerDividends, unbookedDividends } from '#engine/cash/owner-dividends.ts';
import { previousSession } from '#engine/market/calendar.ts';
import { findOpening } from '#records/cash/account-openings.ts';
import { listBookedOwnerDividends, listOwnerHoldings } from '#records/cash/owner-dividends.ts';
import { listForeignResults, sumMovedCash } from '#records/cash/cash-facts.ts';
import { listNetHistories } from '#records/cash/net-histories.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import { add, fromMicro, type Micro, parseMicro, subtract, toMicro, ZERO_MICRO } from '#units/money.ts';
import { fromQuantity, toQuantity } from '#units/quantity.ts';
import type { SimulatedPerson, World } from './world.ts';

export async function unexplainedCash(world: World): Promise<string[]> {
  const found: string[] = [];
  for (const person of world.people) {
    const { account } = person;
    found.push(...(await beyondBooks(world, person)));
    found.push(...(await notAsked(world, account)));
  }
  return found;
}

async function beyondBooks(world: World, person: SimulatedPerson): Promise<string[]> {
  const account = person.account as BrokerAccountId;
  const { database } = world.records;
  const opening = await findOpening(database, account);
  if (opening === null) return [];
  const netted = await listNetHistories(database, account);
  const moved = await sumMovedCash(database, account, netted);
  const known = add(opening.cash, ...CASH_LINES.map((line) => moved[line]));
  const beyond = subtract(cashAt(world, person), known);
  const byOwner = movedByOwner(world, account);
  const taken = await takenBackLater(world, account);
  const takenCash = add(ZERO_MICRO, ...taken.map(({ cash }) => cash));
  const unread = await unreadTrades(world, person);
  const unreadCash = add(ZERO_MICRO, ...unread.map(({ cash }) => cash));
  const dividends = add(
    await movedDividends(world, account, { openedAt: opening.at, taken: [...taken, ...unread] }),
    await laterDividends(world, account, opening.at),
  );
  const pair =
    person.vendor === 'scripted' ? subtract(await beyondPair(world, account), moved.netting) : ZERO_MICRO;
  const found: string[] = [];
  if (Math.abs(beyond - byOwner - takenCash - unreadCash - dividends - pair) > CENT)
    found.push(
      `I22 ${account} has ${fromMicro(beyond)} dollars beyond the books: its owner moved ${fromMicro(byOwner)}, trades taken back ${fromMicro(takenCash)}, made later by hand ${fromMicro(unreadCash)}, moved shares paid ${fromMicro(dividends)}, ${PAIR} made ${fromMicro(pair)}`,
    );
  const conversion = conversionOf(await listForeignResults(database, account, netted));
  const isOpen = ratesOpenSince(conversion, pair) !== null;
  if (!isOpen && Math.abs(pair) > CENT + conversion.max + nettingDoubt(netted).max)
    found.push(
      `I22 ${account} made ${fromMicro(pair)} of ${PAIR} beyond the books, and rates explain ${fromMicro(conversion.max)}`,
    );
  return found;
}

function cashAt({ brokerage, second }: World, { vendor, account }: SimulatedPerson): Micro {
  if (vendor === 'scripted') return brokerage.books.cash(account);
  return second!.standIn.books.accounts.find(({ number }) => number === account)!.cash;
}

/** Whoever must say what it is has it before them. */
async function notAsked({ records }: World, account: string): Promise<string[]> {
  const { rows } = await records.pool.query<Stated>(
    `select sum(unexplained_micro)::float / 1e6 as unexplained,
       (array_agg(is_final order by date desc))[1] as "isFinal",
       exists (select from cash_breaks b where b.account_id = $1 and b.ended_at is null) as "isAsked"
     from cash_statements where account_id = $1 having count(*) > 0`,
    [account],
  );
  const [stated] = rows;
  if (stated === undefined) return [];
  const { unexplained, isFinal, isAsked } = stated;
  return isFinal && Math.abs(unexplained) > fromMicro(CENT) && !isAsked
    ? [`I22 nobody is asked about ${unexplained} of ${account}`]
    : [];
}

/** Since the opening of its account: what came before is in it. */
function movedByOwner({ ownerMoves }: World, account: string): Micro {
  const own = ownerMoves.filter((move) => move.account === account);
  return add(ZERO_MICRO, ...own.map(({ dollars }) => toMicro(dollars)));
}

type NotInBooks = {
  readonly symbol: Symbol;
  /** What the account got, signed. */
  readonly units: number;
  readonly cash: Micro;
  readonly at: Instant;
};

/** The books of an ended deployment keep such a trade: its units go into suspense, and its money is asked about. */
async function takenBackLater(
  { records, revised, prices }: World,
  account: BrokerAccountId,
): Promise<readonly NotInBooks[]> {
  const { rows } = await records.pool.query<{ id: string }>(
    `select id from adjustments where account_id = $1 and closes_as = 'external' and status = 'applied'`,
    [account],
  );
  const kept = new Set(rows.map(({ id }) => id));
  return revised.flatMap(({ account: of, original, revision, agreed }) => {
    const { symbol, side, quantity, price, commission, at } = original;
    const instrument = prices.instruments.find((one) => one.symbol === symbol);
    if (of !== account || revision !== null || agreed === null || !kept.has(agreed)) return [];
    if (instrument === undefined || instrument.settlement !== 'cash') return [];
    const units = (side === 'buy' ? -1 : 1) * fromQuantity(quantity);
    const paid = toMicro(-units * price * instrument.multiplier);
    return [{ symbol: instrument.symbol, units, cash: add(paid, commission ?? ZERO_MICRO), at: instant(at) }];
  });
}

/** What its owner traded by hand after the last deployment there had ended: nobody reads the account any more. */
async function unreadTrades(
  world: World,
  { account, vendor }: SimulatedPerson,
): Promise<readonly NotInBooks[]> {
  if (vendor !== 'scripted' || (await isFollowed(world, account))) return [];
  const { rows } = await world.records.pool.query<{ id: string }>(
    `select execution_id as id from fills where account_id = $1
     union select execution_id from suspense_entries where account_id = $1`,
    [account],
  );
  const known = new Set(rows.map(({ id }) => id));
  return world.brokerage.books.executions(account).flatMap((execution) => {
    const { executionId, order, quantity, price, commission, at } = execution;
    if (known.has(executionId) || order.clientOrderId !== null) return [];
    const units = (order.side === 'BUY' ? 1 : -1) * fromQuantity(quantity);
    return [
      { symbol: order.symbol as Symbol, units, cash: subtract(toMicro(-units * price), commission), at },
    ];
  });
}

/** The broker pays them; the books do not know these shares until they are recorded as a transfer, or two people declare them. */
async function movedDividends(
  world: World,
  account: BrokerAccountId,
  { openedAt, taken }: { readonly openedAt: Instant; readonly taken: readonly NotInBooks[] },
): Promise<Micro> {
  const actions = world.prices.actions?.(world.now()) ?? [];
  const paid = new Map<Symbol, { at: Instant; traded: ReturnType<typeof toQuantity> }[]>();
  const note = (symbol: Symbol, units: number, at: Instant) =>
    paid.set(symbol, [...(paid.get(symbol) ?? []), { at, traded: toQuantity(units) }]);
  for (const move of world.moved)
    if (move.account === account && move.at >= openedAt) note(move.symbol, move.units, move.at);
  for (const { symbol, units, at } of taken) note(symbol, units, at);
  const declared = await world.records.pool.query<{ symbol: Symbol; units: number; at: Date }>(
    `select symbol, (case side when 'buy' then quantity else -quantity end)::float as units, executed_at as at
     from suspense_entries where account_id = $1 and kind in ('difference', 'transfer')`,
    [account],
  );
  for (const { symbol, units, at } of declared.rows)
    if (paid.has(symbol)) note(symbol, -units, at.getTime() as Instant);
  const passed = previousSession('us-equity', world.now()).date;
  return add(
    ZERO_MICRO,
    ...[...paid].flatMap(([symbol, external]) => {
      const own = actions.filter((action) => action.symbol === symbol);
      const holding = { symbol, calendar: 'us-equity', external, passed } as const;
      return ownerDividends(holding, own, openedAt).map(({ amount }) => amount);
    }),
  );
}

/** What its owner's shares earned after the last deployment there ended: nobody reads the account any more. */
async function laterDividends(world: World, account: BrokerAccountId, openedAt: Instant): Promise<Micro> {
  if (await isFollowed(world, account)) return ZERO_MICRO;
  const { records, prices, now } = world;
  const booked = await listBookedOwnerDividends(records.database, account);
  const due = (await listOwnerHoldings(records.database, account)).flatMap((holding) => {
    const passed = previousSession(holding.calendar, now()).date;
    const own = (prices.actions?.(now()) ?? []).filter(({ symbol }) => symbol === holding.symbol);
    return ownerDividends({ ...holding, passed }, own, openedAt);
  });
  return add(ZERO_MICRO, ...unbookedDividends(due, booked).map(({ amount }) => amount));
}

async function isFollowed({ records }: World, account: string): Promise<boolean> {
  const { rows } = await records.pool.query<{ isFollowed: boolean }>(
    `select exists (select from deployments d join broker_connections c on c.id = d.broker_connection_id
       where c.account_id = $1 and d.status not in ('stopped', 'liquidated')) as "isFollowed"`,
    [account],
  );
  return rows[0]?.isFollowed === true;
}

/** What the broker's books have made of the pair, results, swaps and commissions, beyond all books of deployments. */
async function beyondPair({ records, brokerage }: World, account: BrokerAccountId): Promise<Micro> {
  const { rows } = await records.pool.query<{ ours: string }>(
    `with own as (
       select t.cause, e.amount_micro from ledger_transactions t
       join ledger_entries e on e.transaction_id = t.id and e.ledger_account = 'cash'
       join deployments d on d.id = t.deployment_id join broker_connections c on c.id = d.broker_connection_id
       where c.account_id = $1 and t.kind not in ('opening', 'closing', 'fee')),
     executions as (select account_id || ':' || execution_id as id from fills where account_id = $1 and symbol = $2)
     select (coalesce((select sum(amount_micro) from own where split_part(cause, ':', 3) = $2
           or exists (select from executions x
             where cause = 'fill:' || x.id or starts_with(cause, 'commission:' || x.id || ':'))), 0)
       - coalesce((select sum(commission_micro) from suspense_entries where account_id = $1 and symbol = $2), 0))::text
       as ours`,
    [account, PAIR],
  );
  const held = brokerage.books.positions(account).find(({ symbol }) => symbol === PAIR);
  return subtract(held?.realized ?? ZERO_MICRO, parseMicro(rows[0]?.ours ?? '0'));
}

type Stated = {
  readonly unexplained: number;
  readonly isFinal: boolean;
  readonly isAsked: boolean;
};

/** The only instrument of these worlds that settles as margin, and in another currency. */
const PAIR = 'USDCHF';
const CENT = toMicro(0.01);
