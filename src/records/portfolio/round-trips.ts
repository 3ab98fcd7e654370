// Round trips of deployments: written in the transaction of each booking that touches them, from the bookings of their
// instrument; and read for win rates, lists and statements.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Adjustment } from '#engine/market/adjustment.ts';
import { deliveryLegs } from '#engine/market/derivatives/delivery-legs.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Delivery } from '#engine/market/position-event.ts';
import type { Side } from '#engine/order/order.ts';
import { inUnitsOfNow } from '#engine/portfolio/apply-fill.ts';
import { costOfContracts } from '#engine/portfolio/apply-position-event.ts';
import { type RoundTrip, roundTrips, type TripBooking, type TripEnd } from '#engine/portfolio/round-trips.ts';
import type { ClientOrderId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { instant, isoText } from '#units/instant.ts';
import { type Micro, micro, parseMicro, ZERO_MICRO } from '#units/money.ts';
import { parseQuantity, quantity, quantityText } from '#units/quantity.ts';
import { tickerAt } from '../market/shown-tickers.ts';
import type { Tables } from '../tables.ts';

export type TouchedTrips = {
  readonly deploymentId: DeploymentId;
  readonly symbol: Symbol;
  /** The earliest booking that changed; 'newest' for one that was just made, 'all' for anything. */
  readonly from: number | 'newest' | 'all';
};

/** From the round trip of that booking on. The caller holds the locks of the deployments; no instrument of one is named twice. */
export async function bookRoundTrips(
  trx: Transaction<Tables>,
  touched: readonly TouchedTrips[],
  instruments: ReadonlyMap<Symbol, Instrument>,
): Promise<void> {
  if (touched.length === 0) return;
  const starts = await findStarts(trx, touched);
  const rows = await listBookingRows(
    trx,
    touched.map((one, index) => ({ ...one, from: starts[index]!.place })),
  );
  const booked = Map.groupBy(rows, ({ asked }) => asked);
  const written = touched.map(({ deploymentId, symbol }, index) => {
    const instrument = instruments.get(symbol);
    if (instrument === undefined) throw new Error(`no instrument ${symbol}`);
    const trips = roundTrips(symbol, (booked.get(index + 1) ?? []).map(bookingOf), instrument);
    return { deploymentId, symbol, first: starts[index]!.number, trips };
  });
  await writeTrips(trx, written);
}

/** What everything that was booked for a deployment makes of all of its round trips, by instrument: the second opinion. */
export async function recomputeRoundTrips(
  database: Kysely<Tables>,
  deploymentId: DeploymentId,
  instruments: ReadonlyMap<Symbol, Instrument>,
): Promise<ReadonlyMap<Symbol, readonly RoundTrip[]>> {
  const rows = await listBookingRows(database, [{ deploymentId, symbol: null, from: 0 }]);
  const trips = new Map<Symbol, readonly RoundTrip[]>();
  for (const [symbol, booked] of Map.groupBy(rows, (row) => row.symbol)) {
    const instrument = instruments.get(symbol);
    if (instrument === undefined) throw new Error(`no instrument ${symbol}`);
    trips.set(symbol, roundTrips(symbol, booked.map(bookingOf), instrument));
  }
  return trips;
}

/** Of each the number and the place of the round trip to begin with: nothing is held before it. */
async function findStarts(
  trx: Transaction<Tables>,
  touched: readonly TouchedTrips[],
): Promise<readonly { readonly number: number; readonly place: number }[]> {
  const latest = touched.map(({ from }) =>
    from === 'newest' ? null : from === 'all' ? NOTHING_BEFORE : from,
  );
  const { rows } = await sql<{ number: number; place: string }>`
    select coalesce(r.number, 1) as number, coalesce(r.first_place, 0)::text as place
    from unnest(${touched.map(({ deploymentId }) => deploymentId)}::uuid[], ${touched.map(({ symbol }) => symbol)}::text[],
      ${latest}::bigint[]) with ordinality as t (deployment_id, symbol, latest, place)
    left join lateral (
      select number, first_place from round_trips r
      where r.deployment_id = t.deployment_id and r.symbol = t.symbol and not is_reversal
        and (t.latest is null or first_place <= t.latest)
      order by number desc limit 1) r on true
    order by t.place`.execute(trx);
  return rows.map(({ number, place }) => ({ number, place: Number(place) }));
}

/** Before every place: all of an instrument is read. */
const NOTHING_BEFORE = -1;

type WrittenTrips = Pick<TouchedTrips, 'deploymentId' | 'symbol'> & {
  readonly first: number;
  readonly trips: readonly RoundTrip[];
};

async function writeTrips(trx: Transaction<Tables>, written: readonly WrittenTrips[]): Promise<void> {
  const rows = written.flatMap(({ trips, first, deploymentId, symbol }) =>
    trips.map((trip, index) => ({ deploymentId, symbol, number: first + index, trip })),
  );
  const column = <Value>(pick: (trip: RoundTrip) => Value) => rows.map(({ trip }) => pick(trip));
  await sql`delete from round_trips r
    using unnest(${written.map(({ deploymentId }) => deploymentId)}::uuid[], ${written.map(({ symbol }) => symbol)}::text[],
      ${written.map(({ first }) => first)}::int[]) as w (deployment_id, symbol, first)
    where r.deployment_id = w.deployment_id and r.symbol = w.symbol and r.number >= w.first`.execute(trx);
  if (rows.length === 0) return;
  await sql`
    insert into round_trips (deployment_id, symbol, number, side, opened_at, closed_at, quantity, entry_price, exit_price,
      entry_value_micro, commission_micro, income_micro, pnl_micro, closed_by, first_place, last_place, is_reversal)
    select trip.* from unnest(
      ${rows.map(({ deploymentId }) => deploymentId)}::uuid[],
      ${rows.map(({ symbol }) => symbol)}::text[],
      ${rows.map(({ number }) => number)}::int[],
      ${column(({ side }) => side)}::text[],
      ${column(({ openedAt }) => isoText(openedAt))}::timestamptz[],
      ${column(({ closedAt }) => (closedAt === null ? null : isoText(closedAt)))}::timestamptz[],
      ${column((trip) => quantityText(trip.quantity))}::numeric[],
      ${column(({ entryPrice }) => entryPrice)}::numeric[],
      ${column(({ exitPrice }) => exitPrice)}::numeric[],
      ${column(({ entryValue }) => String(entryValue))}::bigint[],
      ${column(({ commission }) => String(commission))}::bigint[],
      ${column(({ income }) => String(income))}::bigint[],
      ${column(({ pnl }) => String(pnl))}::bigint[],
      ${column(({ closedBy }) => closedBy)}::text[],
      ${column(({ firstPlace }) => String(firstPlace))}::bigint[],
      ${column(({ lastPlace }) => (lastPlace === null ? null : String(lastPlace)))}::bigint[],
      ${column(({ isReversal }) => isReversal)}::boolean[]
    ) as trip`.execute(trx);
}

type BookingRow = {
  /** The place of the question, from 1. */
  readonly asked: number;
  readonly symbol: Symbol;
  readonly place: string;
  readonly type:
    | 'fill'
    | 'income'
    | 'adjustment'
    | 'split'
    | 'expiry'
    | 'coin_fee'
    | 'exercise'
    | 'assignment';
  readonly facts: Readonly<Record<string, unknown>>;
};

/** What a broker stated later belongs to the place of what it corrects. */
const ESTIMATED = (kinds: string, of: string) =>
  sql.raw(`coalesce((select min(o.booking_place) from position_events o
  where o.deployment_id = ${of}.deployment_id and o.symbol = ${of}.symbol and o.date = ${of}.date and o.kind ${kinds}
    and o.execution = ''), ${of}.booking_place)`);

/** Everything that was booked for an instrument, or for all of them, from that place on, in order. */
async function listBookingRows(
  database: Kysely<Tables>,
  asked: readonly {
    readonly deploymentId: DeploymentId;
    readonly symbol: Symbol | null;
    readonly from: number;
  }[],
): Promise<readonly BookingRow[]> {
  const isAll = asked.some(({ symbol }) => symbol === null);
  // Without an alternative in it the index of the instrument is used.
  const isAsked = (column: string) =>
    sql.raw(isAll ? `(t.symbol is null or ${column} = t.symbol)` : `${column} = t.symbol`);
  const { rows } = await sql<BookingRow>`
    select t.asked::int, booked.place::text, booked.symbol, type, facts
    from unnest(${asked.map(({ deploymentId }) => deploymentId)}::uuid[], ${asked.map(({ symbol }) => symbol)}::text[],
      ${asked.map(({ from }) => from)}::bigint[]) with ordinality as t (deployment_id, symbol, first_place, asked),
    lateral (
      select f.symbol, f.booking_place as place, f.booking_place as own, 'fill' as type, jsonb_build_object('id', f.account_id || ':' || f.execution_id, 'side', f.side,
        'quantity', f.quantity::text, 'price', f.price, 'commission', f.commission_micro, 'ratio', f.split_ratio,
        'at', extract(epoch from f.executed_at) * 1000) as facts
      from fills f where f.deployment_id = t.deployment_id and ${isAsked('f.symbol')} and f.booking_place >= t.first_place
      union all
      select e.symbol, case when e.kind in ('dividend', 'swap') and e.execution <> '' then ${ESTIMATED('= e.kind', 'e')} else e.booking_place end,
        e.booking_place, case when e.kind in ('dividend', 'swap') then 'income' else e.kind end,
        jsonb_build_object('event', e.event, 'amount', e.realized_micro, 'held', e.held::text, 'entitled', e.entitled::text,
          'cost', e.cost_micro, 'at', extract(epoch from e.at) * 1000, 'undoes', k.account_id || ':' || k.undoes_execution,
          'books', k.account_id || ':' || k.execution_id)
      from position_events e left join adjustments k on e.kind = 'adjustment' and k.id::text = e.execution
      where e.deployment_id = t.deployment_id and ${isAsked('e.symbol')} and e.booking_place >= t.first_place
      union all
      select e.event ->> 'underlying', e.booking_place, e.booking_place, e.kind, jsonb_build_object('event', e.event, 'held', e.held::text, 'cost', e.cost_micro,
        'at', extract(epoch from e.at) * 1000)
      from position_events e where e.deployment_id = t.deployment_id and ${isAsked(`e.event ->> 'underlying'`)}
        and e.kind in ('exercise', 'assignment') and e.booking_place >= t.first_place
      union all
      select s.symbol, ${ESTIMATED(`= any(case s.kind when 'delivery' then '{expiry,exercise,assignment}' else array[s.kind] end)`, 's')},
        s.booking_place, 'income', jsonb_build_object('amount', s.change_micro)
      from stated_changes s where s.deployment_id = t.deployment_id and s.symbol <> '' and ${isAsked('s.symbol')} and s.booking_place >= t.first_place
    ) as booked where booked.place >= t.first_place order by t.asked, booked.place, own`.execute(database);
  return rows;
}

function bookingOf({ symbol, place: text, type, facts }: BookingRow): TripBooking {
  const place = Number(text);
  const at = instant(Math.round(Number(facts.at ?? 0)));
  switch (type) {
    case 'income':
      return { place, type, amount: micro(Number(facts.amount)) };
    case 'split': {
      const { ratio } = facts.event as { readonly ratio: number };
      const [held, entitled] = [parseQuantity(String(facts.held)), parseQuantity(String(facts.entitled))];
      return { place, type, ratio, held, entitled };
    }
    case 'expiry':
      return { place, type, price: (facts.event as { readonly price: number }).price, at };
    case 'adjustment': {
      const undoes = facts.undoes === null ? null : String(facts.undoes);
      const adjustment = facts.event as Adjustment;
      return { place, type, adjustment, undoes, books: String(facts.books ?? ''), at };
    }
    case 'fill':
    case 'coin_fee':
    case 'exercise':
    case 'assignment':
      return { place, type: 'execution', ...executionOf(symbol, type, facts), by: BY[type] };
  }
}

function executionOf(
  symbol: Symbol,
  type: 'fill' | 'coin_fee' | 'exercise' | 'assignment',
  facts: BookingRow['facts'],
): Pick<Extract<TripBooking, { readonly type: 'execution' }>, 'id' | 'execution'> {
  const at = instant(Math.round(Number(facts.at)));
  const free = { symbol, commission: ZERO_MICRO, at };
  if (type === 'fill') {
    const commission = micro(Number(facts.commission));
    const reported = {
      ...free,
      clientOrderId: '' as ClientOrderId,
      side: facts.side as Side,
      quantity: parseQuantity(String(facts.quantity)),
      price: Number(facts.price),
      splitRatio: Number(facts.ratio),
      commission,
    };
    const { units, price } = inUnitsOfNow(reported);
    const { side } = reported;
    return { id: String(facts.id), execution: { symbol, side, quantity: units, price, commission, at } };
  }
  if (type === 'coin_fee') {
    const { units, price } = facts.event as { readonly units: number; readonly price: number };
    const side = units > 0 ? 'sell' : 'buy';
    return { id: '', execution: { ...free, side, quantity: quantity(Math.abs(units)), price } };
  }
  const delivery = facts.event as Delivery;
  const held = { quantity: parseQuantity(String(facts.held)), cost: micro(Number(facts.cost)) };
  const legs = deliveryLegs(delivery, costOfContracts(held, delivery));
  const leg = legs.find((one) => one.symbol === symbol)!;
  return { id: '', execution: { ...free, ...leg } };
}

const BY: Readonly<Record<'fill' | 'coin_fee' | 'exercise' | 'assignment', TripEnd>> = {
  fill: 'order',
  coin_fee: 'coin_fee',
  exercise: 'exercise',
  assignment: 'assignment',
};

export type StoredTrip = {
  readonly symbol: Symbol;
  readonly number: number;
  /** Of the day in New York on which it closed, or of today. */
  readonly ticker: string;
  readonly side: 'long' | 'short';
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  readonly quantity: number;
  readonly entryPrice: number;
  readonly exitPrice: number | null;
  readonly currency: string;
  readonly entryValue: Micro;
  readonly commission: Micro;
  readonly income: Micro;
  readonly pnl: Micro;
  readonly closedBy: TripEnd | null;
};

/** Closed ones, the newest first; `limit` null reads all. */
export async function listClosedTrips(
  database: Kysely<Tables>,
  { deploymentId, limit }: { readonly deploymentId: DeploymentId; readonly limit: number | null },
): Promise<readonly StoredTrip[]> {
  const { rows } = await sql<
    Omit<StoredTrip, 'entryValue' | 'commission' | 'income' | 'pnl'> & Record<MoneyColumn, string>
  >`
    select r.symbol, r.number, ${sql.raw(tickerAt('r.symbol', 'r.closed_at'))} as ticker, r.side,
      r.opened_at as "openedAt", r.closed_at as "closedAt", r.quantity::float8, r.entry_price::float8 as "entryPrice",
      r.exit_price::float8 as "exitPrice", i.currency, r.entry_value_micro::text, r.commission_micro::text,
      r.income_micro::text, r.pnl_micro::text, r.closed_by as "closedBy"
    from round_trips r join instruments i on i.symbol = r.symbol
    where r.deployment_id = ${deploymentId} and r.closed_at is not null
    order by r.closed_at desc, r.last_place desc, r.symbol limit ${limit}`.execute(database);
  return rows.map(({ entry_value_micro, commission_micro, income_micro, pnl_micro, ...row }) => ({
    ...row,
    entryValue: parseMicro(entry_value_micro),
    commission: parseMicro(commission_micro),
    income: parseMicro(income_micro),
    pnl: parseMicro(pnl_micro),
  }));
}

type MoneyColumn = 'entry_value_micro' | 'commission_micro' | 'income_micro' | 'pnl_micro';
