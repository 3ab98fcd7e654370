// Where a brokerage account holds something else than our books say of it. Nothing is ever traded for it; a person looks.
import { type Kysely, sql } from 'kysely';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { parseQuantity, type Quantity, quantityText } from '#units/quantity.ts';
import type { Tables } from './tables.ts';

/** Quantities are signed. */
export type BookDifference = {
  readonly symbol: Symbol;
  /** Of all our deployments together. */
  readonly ours: Quantity;
  /** Traded there by others, as the broker told us. */
  readonly external: Quantity;
  /** What the broker says. */
  readonly theirs: Quantity;
};

/** The same for the same quantities. */
export function differenceKey({ ours, external, theirs }: Omit<BookDifference, 'symbol'>): string {
  return `${ours} ${external} ${theirs}`;
}

/** The key of each that is open for an account. */
export async function readDifferences(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<Map<Symbol, string>> {
  const { rows } = await sql<{ symbol: Symbol; ours: string; external: string; theirs: string }>`
    select symbol, ours::text, external::text, theirs::text from book_differences
    where account_id = ${account} and ended_at is null`.execute(database);
  return new Map(
    rows.map(({ symbol, ours, external, theirs }) => {
      const quantities = { ours: parseQuantity(ours), external: parseQuantity(external) };
      return [symbol, differenceKey({ ...quantities, theirs: parseQuantity(theirs) })];
    }),
  );
}

/** How much more the broker holds than books and others' trades say, as it is written down; null when nothing is. */
export async function readGap(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  symbol: Symbol,
): Promise<Quantity | null> {
  const { rows } = await sql<{ gap: string }>`
    select (theirs - ours - external)::text as gap from book_differences
    where account_id = ${account} and symbol = ${symbol} and ended_at is null`.execute(database);
  return rows[0] === undefined ? null : parseQuantity(rows[0].gap);
}

/** What is `lasting` stands from when it was first written; what is `settled` has ended. Others stay as they are. */
export async function saveDifferences(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { lasting, settled }: { readonly lasting: readonly BookDifference[]; readonly settled: readonly Symbol[] },
): Promise<void> {
  if (settled.length > 0) {
    await sql`
      update book_differences set ended_at = clock_timestamp()
      where account_id = ${account} and ended_at is null and symbol = any(${[...settled]}::text[])`.execute(
      trx,
    );
  }
  for (const { symbol, ours, external, theirs } of lasting) {
    await sql`
      insert into book_differences as d (account_id, symbol, ours, external, theirs)
      values (${account}, ${symbol}, ${quantityText(ours)}, ${quantityText(external)}, ${quantityText(theirs)})
      on conflict (account_id, symbol) where ended_at is null do update
        set ours = excluded.ours, external = excluded.external, theirs = excluded.theirs
        where (d.ours, d.external, d.theirs) <> (excluded.ours, excluded.external, excluded.theirs)`.execute(
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
};

/** Those that make exits wait first, of each the longest open. */
export async function listOpenDifferences(
  database: Kysely<Tables>,
  max: number,
): Promise<readonly OpenDifference[]> {
  const { rows } = await sql<Row>`
    select f.id, f.account_id as "accountId", f.symbol, f.ours::text, f.external::text, f.theirs::text, f.since,
      (select min(b.name) from broker_connections c join brokers b on b.id = c.broker_id
        where c.account_id = f.account_id) as "brokerName",
      array(select distinct u.email from broker_connections c join users u on u.id = c.user_id
        where c.account_id = f.account_id and exists (select from deployments d
          where d.broker_connection_id = c.id) order by u.email) as clients,
      (select count(*)::int from broker_connections c join orders o on o.broker_connection_id = c.id
        where c.account_id = f.account_id and o.symbol = f.symbol and o.status = 'intended'
          and o.purpose not in ('rebalance', 'protective')) as "exitsWaiting"
    from book_differences f where f.ended_at is null 
    order by (f.ours > 0 and f.theirs < f.ours) or (f.ours < 0 and f.theirs > f.ours) desc, f.since, f.id limit ${max}`.execute(
    database,
  );
  return rows.map(({ ours, external, theirs, brokerName, ...row }) => ({
    ...row,
    brokerName: brokerName ?? '',
    ours: parseQuantity(ours),
    external: parseQuantity(external),
    theirs: parseQuantity(theirs),
  }));
}

type Row = Omit<OpenDifference, 'ours' | 'external' | 'theirs' | 'brokerName'> & {
  ours: string;
  external: string;
  theirs: string;
  brokerName: string | null;
};
