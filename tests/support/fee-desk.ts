// Deployments whose books the test writes: what they earned, what they are worth, and what was put in or taken out; and
// the trader's own billing over them, at any instant.
import { sql } from 'kysely';
import { upsertEquityMarks } from '#records/portfolio/equity-marks.ts';
import { postTransaction } from '#records/portfolio/ledger.ts';
import { FEE_INVARIANTS } from '#records/invariants/fee-invariants.ts';
import { type BillingMemory, billFees } from '#trader/fees/bill-fees.ts';
import type { TradingContext } from '../../src/trader/trading-context.ts';
import type { DeploymentId } from '../../src/units/identifiers.ts';
import { type Instant, isoText, parseInstant, utcDate, type IsoDate } from '../../src/units/instant.ts';
import { type Micro, subtract, toMicro } from '../../src/units/money.ts';
import type { TestDatabase } from './test-database.ts';
import type { TradingPerson } from './trading-rows.ts';
import { type TradingFloor, tradingFloor } from './trading-floor.ts';

export type Bill = {
  readonly end: string;
  readonly closing: boolean;
  readonly profit: number;
  readonly fee: number;
  readonly mark: number;
};

export type FeeDesk = TradingFloor & {
  /** 10,000 dollars at work since 2 March 2026. */
  begin(length: 'weekly' | 'monthly'): Promise<{ readonly id: DeploymentId; readonly person: TradingPerson }>;
  /** A profit or loss that is realised, in dollars. */
  earn(id: DeploymentId, dollars: number, at: string): Promise<void>;
  /** Money put in, or taken out below zero. */
  move(id: DeploymentId, dollars: number, at: string): Promise<void>;
  /** Its open profit or loss, on top of what is settled. */
  /** `day` is the trading day, where it is not that of `at` in UTC. */
  value(id: DeploymentId, open: number, at: string, day?: string): Promise<void>;
  end(id: DeploymentId, at: string): Promise<void>;
  at(text: string): TradingContext;
  /** Bills as a trader's tick does, with its own memory or the given one. */
  bill(at: string, memory?: BillingMemory): Promise<void>;
  bills(id: DeploymentId): Promise<Bill[]>;
  /** What breaks a claim about fees, in all records. */
  violations(): Promise<unknown[]>;
};

export async function feeDesk(handle: TestDatabase): Promise<FeeDesk> {
  const floor = await tradingFloor(handle);
  const { database, pool } = handle;
  let booked = 0;
  const book = (id: DeploymentId, account: 'realized' | 'capital', amount: Micro, at: string) =>
    database.transaction().execute(async (trx) => {
      await trx.selectFrom('deployments').select('id').where('id', '=', id).forUpdate().execute();
      await postTransaction(trx, {
        deploymentId: id,
        kind: 'adjustment',
        cause: `test:${id}:${(booked += 1)}`,
        at: parseInstant(at),
        entries: [
          { account: 'cash', amount },
          { account, amount: -amount as Micro },
        ],
      });
      const column = account === 'realized' ? 'realized_micro' : 'investment_micro';
      await sql`update deployments set cash_micro = cash_micro + ${amount}, equity_micro = equity_micro + ${amount},
        ${sql.ref(column)} = ${sql.ref(column)} + ${amount} where id = ${id}`.execute(trx);
    });
  const value = async (id: DeploymentId, open: number, at: string, day?: string) => {
    const { rows } = await pool.query<{ cash: string; settled: string }>(
      `select cash_micro as cash, investment_micro + realized_micro as settled from deployments where id = $1`,
      [id],
    );
    const cash = Number(rows[0]!.cash) as Micro;
    const equity = (Number(rows[0]!.settled) + toMicro(open)) as Micro;
    await database.transaction().execute((trx) =>
      upsertEquityMarks(trx, [
        {
          deploymentId: id,
          date: (day as IsoDate | undefined) ?? utcDate(parseInstant(at)),
          at: parseInstant(at),
          cash,
          positions: subtract(equity, cash),
          equity,
          holdings: new Map(),
          benchmark: null,
          follows: true,
        },
      ]),
    );
  };
  const at = (text: string): TradingContext => ({ ...floor.context, now: parseInstant(text) as Instant });
  return {
    ...floor,
    at,
    value,
    async begin(length) {
      const person = await floor.person();
      await pool.query(`update users set fee_period = $2 where id = $1`, [person.user, length]);
      return { id: await floor.deploy(person), person };
    },
    async earn(id, dollars, when) {
      await book(id, 'realized', toMicro(dollars), when);
      await value(id, 0, when);
    },
    async move(id, dollars, when) {
      await book(id, 'capital', toMicro(dollars), when);
      await value(id, 0, when);
    },
    async end(id, when) {
      await pool.query(`update deployments set status = 'liquidated', ended_at = $2 where id = $1`, [
        id,
        isoText(parseInstant(when)),
      ]);
    },
    bill: (when, memory = { done: null }) => billFees(at(when), memory),
    async bills(id) {
      const { rows } = await pool.query<Bill>(
        `select to_char(period_end at time zone 'UTC', 'YYYY-MM-DD') as end, is_closing as closing,
           profit_micro::float / 1000000 as profit, fee_micro::float / 1000000 as fee,
           high_water_after_micro::float / 1000000 as mark
         from fee_bills where deployment_id = $1 order by number`,
        [id],
      );
      return rows;
    },
    async violations() {
      const found: unknown[] = [];
      for (const { says, find } of FEE_INVARIANTS)
        for (const violation of await find(database)) found.push({ says, violation });
      return found;
    },
  };
}
