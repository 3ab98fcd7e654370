// Where a brokerage account holds something else than our books say of it. Nothing is ever traded for it; a person looks.
import { type Kysely, sql } from 'kysely';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { parseQuantity, type Quantity, quantityText } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

export type DifferenceKind =
  /** The broker holds something else than books and trades of others come to. Of the other kinds it holds just that. */
  | 'unexplained'
  /** Units that deployments hold were sold by hand, or bought back. */
  | 'by_hand'
  /** The account is short of what its broker took back after it was sold. */
  | 'shortfall';

/** Quantities are signed. */
export type BookDifference = {
  readonly kind: DifferenceKind;
  readonly symbol: Symbol;
  /** Of all our deployments together. */
  readonly ours: Quantity;
  /** Traded there by others, as the broker told us. */
  readonly external: Quantity;
  /** What the broker says. */
  readonly theirs: Quantity;
  /** What the books of deployments take in to close it; of a shortfall what the account is short of. */
  readonly units: Quantity;
  /** Of trades by hand, in the quote currency: null where theirs are not all known. */
  readonly price: number | null;
  /** Market time of the last one. */
  readonly tradedAt: Date | null;
};

export type DifferenceSlot = Pick<BookDifference, 'kind' | 'symbol'>;

/** There is at most one open difference of a kind and a symbol in an account. */
export function slotOf({ kind, symbol }: DifferenceSlot): string {
  return `${kind} ${symbol}`;
}

/** The same for the same quantities and trades. */
export function differenceKey({ ours, external, theirs, units, price, tradedAt }: BookDifference): string {
  return `${ours} ${external} ${theirs} ${units} ${price} ${tradedAt?.getTime()}`;
}

/** The key of each that is open for an account, by its slot. */
export async function readDifferences(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<Map<string, string>> {
  const { rows } = await sql<DifferenceRow>`
    select ${DIFFERENCE} from book_differences f where account_id = ${account} and ended_at is null`.execute(
    database,
  );
  return new Map(rows.map(differenceOf).map((one) => [slotOf(one), differenceKey(one)]));
}

/** As it is written down; null when it has ended. */
export async function findOpenDifference(
  database: Kysely<Tables>,
  id: string,
): Promise<BookDifference | null> {
  const { rows } = await sql<DifferenceRow>`
    select ${DIFFERENCE} from book_differences f where id = ${id} and ended_at is null`.execute(database);
  return rows[0] === undefined ? null : differenceOf(rows[0]);
}

/** What is `lasting` stands from when it was first written; what is `settled` has ended. Others stay as they are. */
export async function saveDifferences(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { lasting, settled }: { readonly lasting: readonly BookDifference[]; readonly settled: readonly string[] },
): Promise<void> {
  if (settled.length > 0) {
    await sql`
      update book_differences set ended_at = clock_timestamp()
      where account_id = ${account} and ended_at is null
        and kind || ' ' || symbol = any(${[...settled]}::text[])`.execute(trx);
  }
  for (const { kind, symbol, ours, external, theirs, units, price, tradedAt } of lasting) {
    await sql`
      insert into book_differences as d (account_id, kind, symbol, ours, external, theirs, units, price, traded_at)
      values (${account}, ${kind}, ${symbol}, ${quantityText(ours)}, ${quantityText(external)}, ${quantityText(theirs)},
        ${kind === 'unexplained' ? null : quantityText(units)}, ${price}, ${tradedAt})
      on conflict (account_id, symbol, kind) where ended_at is null do update
        set ours = excluded.ours, external = excluded.external, theirs = excluded.theirs, units = excluded.units,
          price = excluded.price, traded_at = excluded.traded_at
        where (d.ours, d.external, d.theirs, d.units, d.price, d.traded_at) is distinct from
          (excluded.ours, excluded.external, excluded.theirs, excluded.units, excluded.price, excluded.traded_at)`.execute(
      trx,
    );
  }
}

export type OpenDifference = BookDifference & {
  readonly id: string;
  readonly accountId: BrokerAccountId;
  readonly brokerName: string;
  readonly clients: readonly string[];
  readonly since: Date;
  /** Exits of this instrument that have not left. */
  readonly exitsWaiting: number;
  /** Whether a deployment still trades there: the trader looks at no other account. */
  readonly isWatched: boolean;
};

/**
 * Of these kinds; those that make exits wait first, of each the longest open. Where no deployment trades any more none
 * holds anything that was traded by hand.
 */
export async function listOpenDifferences(
  database: Kysely<Tables>,
  kinds: readonly DifferenceKind[],
  max: number,
): Promise<readonly OpenDifference[]> {
  const { rows } = await sql<DifferenceRow & OpenRow>`
    select ${DIFFERENCE}, f.id, f.account_id as "accountId", f.since,
      (select min(b.name) from broker_connections c join brokers b on b.id = c.broker_id
        where c.account_id = f.account_id) as "brokerName",
      array(select distinct u.email from broker_connections c join users u on u.id = c.user_id
        where c.account_id = f.account_id and exists (select from deployments d
          where d.broker_connection_id = c.id) order by u.email) as clients,
      (select count(*)::int from broker_connections c join orders o on o.broker_connection_id = c.id
        where c.account_id = f.account_id and o.symbol = f.symbol and o.status = 'intended'
          and o.purpose not in ('rebalance', 'protective')) as "exitsWaiting", w.is_watched as "isWatched"
    from book_differences f cross join lateral (
      select exists (select from broker_connections c join deployments d on d.broker_connection_id = c.id
        where c.account_id = f.account_id and c.status = 'active'
          and d.status not in ('stopped', 'liquidated')) as is_watched) w
    where f.ended_at is null and f.kind = any(${[...kinds]}::text[]) and (w.is_watched or f.kind <> 'by_hand')
    order by f.kind = 'by_hand' desc,
      f.kind = 'unexplained' and ((f.ours > 0 and f.theirs < f.ours) or (f.ours < 0 and f.theirs > f.ours)) desc,
      f.since, f.id limit ${max}`.execute(database);
  return rows.map((row) => ({
    ...differenceOf(row),
    id: row.id,
    accountId: row.accountId,
    brokerName: row.brokerName ?? '',
    clients: row.clients,
    since: row.since,
    exitsWaiting: row.exitsWaiting,
    isWatched: row.isWatched,
  }));
}

type OpenRow = Omit<OpenDifference, keyof BookDifference | 'brokerName'> & { brokerName: string | null };

/** Of a row `f`. */
export const DIFFERENCE = sql`f.kind, f.symbol, f.ours::text, f.external::text, f.theirs::text,
  coalesce(f.units, f.theirs - f.ours - f.external)::text as units, f.price::float8, f.traded_at as "tradedAt"`;

export type DifferenceRow = Pick<BookDifference, 'kind' | 'symbol' | 'price' | 'tradedAt'> & {
  readonly ours: string;
  readonly external: string;
  readonly theirs: string;
  readonly units: string;
};

export function differenceOf(row: DifferenceRow): BookDifference {
  const { kind, symbol, price, tradedAt } = row;
  return {
    kind,
    symbol,
    ours: parseQuantity(row.ours),
    external: parseQuantity(row.external),
    theirs: parseQuantity(row.theirs),
    units: parseQuantity(row.units),
    price,
    tradedAt,
  };
}
