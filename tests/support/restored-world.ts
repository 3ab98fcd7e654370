// A trading world whose database goes back to an earlier moment while market and venue go on: a copy of the database is made at
// the moment, and a new trader works on it later.
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { markRestoration } from '#records/recovery/restorations.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';
import { createTrader, type Trader } from '#trader/trader.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { NO_MODELS } from './no-models.ts';
import type { TestDatabase } from './test-database.ts';
import type { TradingWorld } from './trading-world.ts';

/** Keeps what the database holds now. Its trader closes for that moment, as no connection may be open. */
export async function keepMoment(world: TradingWorld, handle: TestDatabase) {
  await world.trader.close();
  const source = new URL(handle.ownerUrl);
  const of = source.pathname.slice(1);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: handle.ownerUrl.replace(of, 'postgres') });
  admin.on('error', () => undefined);
  await admin.connect();
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [of]);
  await admin.query(`create database ${name} template ${of}`);
  await world.restart();
  let open: { readonly records: DatabaseHandle; readonly trader: Trader } | null = null;
  return {
    /** The world from before has ended, and a trader begins on what was kept. */
    async restore() {
      await world.trader.close();
      const records = openDatabase(handle.url.replace(of, name));
      const restored = traderOn(records, world);
      open = { records, trader: restored.trader };
      await markRestoration(records.database, wallInstant(50_000_000), { stated: true });
      return restored;
    },
    async forget() {
      await open?.trader.close();
      await open?.records.close();
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}

/** A trader that begins on restored records, beside the market and the venue of their world. */
export function traderOn(records: DatabaseHandle, world: Pick<TradingWorld, 'market' | 'venue'>) {
  let real = 50_000_000;
  const trader = createTrader({
    handle: records,
    brokers: [world.venue.broker],
    marketData: world.market.feed,
    models: NO_MODELS,
    openCredentials: ({ id }) => ({ connection: id }),
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    newId: randomUUID,
    realNow: () => wallInstant((real += 1)),
    steadyMs: () => 0,
  });
  return {
    trader,
    rows: async (query: string, ...values: unknown[]) => (await records.pool.query(query, values)).rows,
    /** Five minutes apart: four of them outlast the lag of the lists of the venue. */
    async runTicks(times = 1) {
      for (let i = 0; i < times; i++) {
        real += FIVE_MINUTES_MS;
        world.market.advance(FIVE_MINUTES_MS);
        await trader.tick();
      }
    },
    async everythingHolds() {
      const side = {
        brokers: [world.venue.broker],
        openCredentials: () => ({}),
        pause: async () => undefined,
      };
      const verdicts = await checkInvariants(records.database, side);
      expect(verdicts.flatMap(({ says, violations }) => violations.map((one) => [says, one]))).toEqual([]);
    },
  };
}

const FIVE_MINUTES_MS = 5 * 60_000;
