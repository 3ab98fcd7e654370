// What the return bridge of a deployment is computed from: its books, and the price that each fill is measured against.
import { sql } from 'kysely';
import type { Instruments, StatementBooks } from '#rules/portfolio/statement/statement-books.ts';
import type { ReferencePrices } from '#rules/portfolio/bridge/actual-days.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import { instrumentsOf, readBooksOf } from './statement-books.ts';

export type BridgeBooks = {
  readonly books: StatementBooks;
  readonly instruments: Instruments;
  readonly references: ReferencePrices;
  /** What was put in when it was deployed. */
  readonly amount: Micro;
  readonly start: Instant;
  /** Percent, as they are now. */
  readonly stopLossPercentage: number;
  readonly maxAllocationPercent: number;
  readonly freezeOnDrawdownPercent: number;
  /** Whether any order for shares was filled for a fraction of one. */
  readonly takesFractions: boolean;
  /** The hash of the inputs of the newest published result of its version; null before the first. */
  readonly result: string | null;
};

/** Null when the person has no such deployment. */
export async function findBridgeBooks(
  database: Database,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<BridgeBooks | null> {
  if (!isUuid<DeploymentId>(id)) return null;
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const [terms] = (await termsOf(trx, id, userId)).rows;
      if (terms === undefined) return null;
      const books = await readBooksOf(trx, id);
      return {
        books: books!,
        instruments: await instrumentsOf(trx, [books!]),
        references: await referencesOf(trx, id),
        amount: parseMicro(terms.opening),
        start: parseInstant(terms.deployed_at),
        stopLossPercentage: Number(terms.stop_loss),
        maxAllocationPercent: Number(terms.max_allocation),
        freezeOnDrawdownPercent: Number(terms.freeze),
        takesFractions: terms.takes_fractions,
        result: terms.result,
      };
    });
}

function termsOf(trx: Transaction, id: DeploymentId, userId: UserId) {
  return sql<TermsRow>`
    select d.deployed_at, d.stop_loss_percentage as stop_loss, d.max_allocation_percent as max_allocation,
      d.freeze_on_drawdown_percent as freeze,
      coalesce((select e.amount_micro from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        where t.deployment_id = d.id and t.kind = 'opening' and e.ledger_account = 'cash'), d.investment_micro) as opening,
      exists (select from fills f join instruments i on i.symbol = f.symbol
        where f.deployment_id = d.id and i.kind = 'equity' and f.quantity <> trunc(f.quantity)) as takes_fractions,
      (select b.input_hash from backtests b where b.strategy_version_id = d.strategy_version_id
        order by b.last_date desc, b.created_at desc limit 1) as result
    from deployments d where d.id = ${id} and d.user_id = ${userId}`.execute(trx);
}

/**
 * The open of the bar in which it filled, as a backtest fills; the price at the decision for what was decided within that
 * bar, or has no bars. A protective stop fills where the market meets it: it has none.
 */
async function referencesOf(trx: Transaction, id: DeploymentId): Promise<ReferencePrices> {
  const { rows } = await sql<{ fill: string; reference: number }>`
    select f.account_id || ':' || f.execution_id as fill,
      (case when b.opened_at > o.decided_at then b.open else o.reference_price end)::float8 as reference
    from fills f join orders o on o.id = f.order_id join instruments i on i.symbol = f.symbol
    left join lateral (select open, opened_at from bars where symbol = f.symbol and interval = '1d' and source = i.source
      and opened_at <= f.executed_at and closed_at >= f.executed_at limit 1) b on true
    where f.deployment_id = ${id} and o.purpose <> 'protective'`.execute(trx);
  return new Map(rows.map(({ fill, reference }) => [fill, reference]));
}

type TermsRow = {
  deployed_at: Date;
  stop_loss: string;
  max_allocation: string;
  freeze: string;
  opening: string;
  takes_fractions: boolean;
  result: string | null;
};
