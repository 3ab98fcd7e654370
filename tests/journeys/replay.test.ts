import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deployment } from '#contract/deployments.ts';
import type { Trade } from '#contract/trade.ts';
import { ask } from '#tests/support/both-books.ts';
import { deploy, type Investor, makeInvestor } from '#tests/support/investor.ts';
import { type ProductHome, productHome, READY_WITHIN_MS } from '#tests/support/product.ts';
import { sandboxClock } from '#tests/support/sandbox-clock.ts';

// Real prices played as the live market: the trades of two deployments, recomputed here from the rows of the files in whole
// numbers alone. Needs the price files of the `shared` folder next to the project; skipped without it.
describe('replay', () => {
  const FILES = path.resolve(import.meta.dirname, '../../../shared/data/lean-us-daily');
  const SYMBOLS = ['SPY', 'IWM', 'BAC', 'IBM'];
  /** The rule: 50 closes. The limits: half of the equity in one position, stop loss and freeze out of reach. */
  const AVERAGE_OF = 50;
  const MAX_ALLOCATION = 50;
  /** Of shares: 0.05% of what is traded (docs/decisions, trading costs). */
  const COMMISSION_ONE_IN = 2_000n;
  /** Neither instrument split in these months, and its prices are whole cents. */
  const DEPLOYED_ON = '2010-03-01';
  const UNTIL = '2010-08-20';
  const TERMS = [
    { symbol: 'SPY', amount: 50_000 },
    { symbol: 'IWM', amount: 30_000 },
  ] as const;
  /** A sandbox day takes a real day, so that in effect only the test moves the clock. */
  const REPLAY = { MARKET: 'replay', REPLAY_FROM: '2010-01-04', SANDBOX_DAY_SECONDS: '86400' };

  describe.skipIf(!existsSync(FILES))('a replay of real prices (skipped without the shared data)', () => {
    let home: ProductHome;
    let investor: Investor;
    const deployments = new Map<string, string>();

    beforeAll(async () => {
      home = await productHome();
      const folder = path.join(home.dataDir, 'files');
      mkdirSync(folder);
      for (const symbol of SYMBOLS)
        cpSync(path.join(FILES, `${symbol}.csv`), path.join(folder, `${symbol}.csv`));
      const imported = await home.run('bars', ['import', folder, '--kind', 'equity']);
      expect(imported.code, imported.output).toBe(0);
      await home.start(REPLAY);
    }, 2 * READY_WITHIN_MS);

    afterAll(() => home?.remove(), 60_000);

    test('trades on the days on which the rule changes its signal', async () => {
      await goTo(afterCloseOf(DEPLOYED_ON));
      investor = await makeInvestor(home.baseUrl, 'ines@journey.example');
      for (const { symbol, amount } of TERMS) {
        const terms = { amount, maxAllocation: MAX_ALLOCATION };
        deployments.set(symbol, await deploy(investor, `${symbol} above its average`, terms));
      }
      await traderHasLooked();
      const days = TERMS.flatMap(({ symbol, amount }) => externalPosition(symbol, amount).trades);
      const stops = new Set(
        days.flatMap(({ decidedOn, filledOn }) => [afterCloseOf(decidedOn), afterOpenOf(filledOn)]),
      );
      for (const stop of [...stops].toSorted()) await goTo(stop);
      await goTo(afterCloseOf(UNTIL));
    }, 180_000);

    test.each(TERMS)(
      'the trades of $symbol are those computed by hand, to the cent',
      async ({ symbol, amount }) => {
        const id = deployments.get(symbol)!;
        const expected = externalPosition(symbol, amount);
        expect(expected.trades.length).toBeGreaterThanOrEqual(3);
        const trades = await investor.call<Trade[]>('GET', `/api/deployments/${id}/trades/`);
        expect(trades.toReversed().map(asWritten)).toEqual(expected.trades);
        const deployment = await investor.call<Deployment>('GET', `/api/deployments/${id}/`);
        expect(deployment).toMatchObject({
          status: 'active',
          positions: [],
          cash_balance: dollars(expected.cash),
          equity: dollars(expected.cash),
          total_pnl: dollars(expected.cash - micro(String(amount))),
        });
      },
    );

    test('every invariant holds in the replayed world', async () => {
      const { code, output } = await home.run('verify', [], REPLAY);
      expect(code, output).toBe(0);
    });

    /** Moves the clock, and waits until the running trader has worked at the new time. */
    async function goTo(instant: string): Promise<void> {
      await sandboxClock(home.dataDir).advanceTo(instant);
      await traderHasLooked();
    }

    /** The first heartbeat after the clock moved may belong to earlier work; the third does not. */
    async function traderHasLooked(): Promise<void> {
      const now = Date.parse(await sandboxClock(home.dataDir).now());
      const beats = new Set<number>();
      for (let looks = 0; beats.size < 3; looks++) {
        if (looks > 600) throw new Error('the trader does not follow the clock');
        const [beat] = await ask(
          replayUrl(),
          `select beat_at, market_at from heartbeats where process = 'trader'`,
        );
        const { beat_at, market_at } = beat as { beat_at: Date; market_at: Date };
        if (market_at.getTime() >= now) beats.add(beat_at.getTime());
        await sleep(50);
      }
    }

    function replayUrl(): string {
      return home.databaseUrl().replace(/bellwether$/, 'bellwether_replay_20100104');
    }
  });

  type HandTrade = {
    readonly decidedOn: string;
    readonly filledOn: string;
    readonly filledAt: string;
    readonly type: 'buy' | 'sell';
    readonly shares: number;
    readonly price: number;
    readonly total: number;
    readonly commission: number;
    /** Before commission, as in the trades list. */
    readonly profit: number;
  };

  type Row = { readonly date: string; readonly open: bigint; readonly close: bigint };

  /** All money in micro-dollars, whole. */
  function externalPosition(symbol: string, amount: number): { trades: HandTrade[]; cash: bigint } {
    const rows = rowsOf(symbol);
    const trades: HandTrade[] = [];
    let cash = micro(String(amount));
    let shares = 0n;
    let paid = 0n;
    let isIn = false;
    for (const [index, row] of rows.entries()) {
      if (index < AVERAGE_OF - 1 || row.date > UNTIL) continue;
      const sum = rows
        .slice(index - AVERAGE_OF + 1, index + 1)
        .reduce((total, { close }) => total + close, 0n);
      if (row.close * BigInt(AVERAGE_OF) > sum) isIn = true;
      else if (row.close * BigInt(AVERAGE_OF) < sum) isIn = false;
      if (row.date < DEPLOYED_ON || isIn === shares > 0n) continue;
      const next = rows[index + 1]!;
      const isBuy = isIn;
      const traded = isBuy ? (cash * BigInt(MAX_ALLOCATION)) / 100n / row.close : shares;
      // The collar: a limit is at most 3% from the close on which the order was decided.
      if (isBuy ? next.open * 100n > row.close * 103n : next.open * 100n < row.close * 97n)
        throw new Error(`choose other months: the collar holds ${symbol} back on ${next.date}`);
      const total = traded * next.open;
      const commission = halfEven(total, COMMISSION_ONE_IN);
      cash += (isBuy ? -total : total) - commission;
      trades.push({
        decidedOn: row.date,
        filledOn: next.date,
        filledAt: openingOf(next.date),
        type: isBuy ? 'buy' : 'sell',
        shares: Number(traded),
        price: dollars(next.open),
        total: dollars(total),
        commission: dollars(commission),
        profit: isBuy ? 0 : dollars(total - paid),
      });
      shares = isBuy ? traded : 0n;
      paid = isBuy ? total : 0n;
    }
    return { trades, cash };
  }

  function asWritten(trade: Trade): HandTrade {
    expect(trade.status).toBe('executed');
    return {
      decidedOn: trade.created_at.slice(0, 10),
      filledOn: (trade.executed_at ?? '').slice(0, 10),
      filledAt: trade.executed_at ?? '',
      type: trade.trade_type,
      shares: trade.quantity,
      price: trade.price ?? 0,
      total: trade.total_amount,
      commission: trade.commission,
      profit: trade.realized_pnl,
    };
  }

  function rowsOf(symbol: string): Row[] {
    const [header, ...lines] = readFileSync(path.join(FILES, `${symbol}.csv`), 'utf8')
      .trim()
      .split('\n');
    expect(header).toBe('date,open,high,low,close,volume');
    return lines.map((line) => {
      const [date = '', open = '', , , close = ''] = line.split(',');
      return { date, open: micro(open), close: micro(close) };
    });
  }

  /** '112.42' as 112420000n. */
  function micro(text: string): bigint {
    const [whole = '', part = ''] = text.split('.');
    return BigInt(whole + part.padEnd(6, '0'));
  }

  function dollars(amount: bigint): number {
    return Number(amount) / 1_000_000;
  }

  function halfEven(amount: bigint, divisor: bigint): bigint {
    const down = amount / divisor;
    const twice = (amount % divisor) * 2n;
    return twice > divisor || (twice === divisor && down % 2n === 1n) ? down + 1n : down;
  }

  /** New York is five hours behind, four from the second Sunday of March: the 14th in 2010. */
  const hoursBehind = (date: string) => (date < '2010-03-14' ? 5 : 4);
  const openingOf = (date: string) => `${date}T${9 + hoursBehind(date)}:30:00.000Z`;
  const afterOpenOf = (date: string) => `${date}T${9 + hoursBehind(date)}:45:00.000Z`;
  const afterCloseOf = (date: string) => `${date}T${16 + hoursBehind(date)}:10:00.000Z`;
});
