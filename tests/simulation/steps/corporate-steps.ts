// Dividends with a special path through the books: on an execution that is reported after its session, and on short
// positions.
import { nextSession, sessionAt } from '#engine/market/calendar.ts';
import type { Symbol } from '#units/identifiers.ts';
import { SHORT_SELLERS } from '../strategies.ts';
import type { World } from '../world.ts';
import { rule, under } from './broker-faults.ts';
import { passMinutes, planted, type Step, tick, toClose, toOpening, tradeThrough } from './step.ts';
import { actionsWithin } from './world-faults.ts';

export const CORPORATE_STEPS: readonly Step[] = [
  {
    ...planted('F18', 'fills are reported after the session of their dividend', 4, async (world) => {
      if (world.deployments.length < 8) await world.deploy(world.chance.pick(world.people));
      toClose(world);
      await tick(world);
      await tick(world);
      await under(world, [rule('trades', { kind: 'list', how: 'empty', keep: 0 }, 1)], async () => {
        toOpening(world);
        await tick(world);
        for (const symbol of SHARES) announceTomorrow(world, symbol, 'dividend');
        toClose(world);
        await tick(world);
      });
      passMinutes(world, 2);
      await tick(world);
    }),
    when: (world) => actionsWithin(world, 6).length === 0,
  },
  {
    ...planted('F18', 'who is short pays the dividend', 3, async (world) => {
      for (let day = 0; day < 2 && (await listShorts(world)).length === 0; day++) {
        if (world.deployments.length < 8)
          await world.deploy(world.chance.pick(world.people), world.chance.pick(SHORT_SELLERS));
        await tradeThrough(world);
      }
      // It is known before the last close without it.
      if (sessionAt('us-equity', world.now()) === null) {
        toOpening(world);
        await tick(world);
      }
      const shorts = await listShorts(world);
      const symbols = new Set(shorts.map(({ symbol }) => symbol));
      const amounts = new Map(
        [...symbols].map((symbol) => [symbol, announceTomorrow(world, symbol, 'dividend')]),
      );
      toClose(world);
      await tick(world);
      await tick(world);
      const after = await listShorts(world);
      for (const { deployment, symbol, quantity, paid } of shorts) {
        const same = after.find((one) => one.deployment === deployment && one.symbol === symbol);
        // Bought back or added to before the close.
        if (same?.quantity !== quantity) continue;
        const owed = -quantity * amounts.get(symbol)!;
        if (Math.abs(paid - same.paid - owed) > CENT)
          world.violations.push(
            `F18 ${deployment} is short of ${-quantity} ${symbol} and paid ${paid - same.paid} of ${owed} dividends`,
          );
      }
      toOpening(world);
      await tick(world);
    }),
    when: (world) => actionsWithin(world, 6).length === 0,
  },
];

/** Answers its amount: about a hundredth of the price, or the ratio of a split. */
export function announceTomorrow(world: World, symbol: Symbol, kind: 'split' | 'dividend'): number {
  const { last } = world.prices.quote(symbol, world.now())!;
  const amount = kind === 'split' ? world.chance.pick([2, 3, 0.5]) : Math.max(0.01, Math.round(last) / 100);
  const exDate = nextSession('us-equity', world.now()).date;
  world.prices.announce({ symbol, kind, exDate, amount });
  return amount;
}

type Short = {
  readonly deployment: string;
  readonly symbol: Symbol;
  /** Negative. */
  readonly quantity: number;
  /** What dividends have brought the deployment in this instrument's name. */
  readonly paid: number;
};

async function listShorts({ records }: World): Promise<Short[]> {
  const { rows } = await records.pool.query<Short>(
    `select p.deployment_id as deployment, p.symbol, p.quantity::float as quantity,
       coalesce((select sum(e.amount_micro)::float / 1e6 from ledger_entries e
         join ledger_transactions t on t.id = e.transaction_id
         where t.deployment_id = p.deployment_id and t.cause like 'dividend:%:' || p.symbol || ':%'
           and e.ledger_account = 'cash'), 0) as paid
     from positions p where p.quantity < 0 and p.symbol = any($1) order by 1, 2`,
    [SHARES],
  );
  return rows;
}

export const SHARES: readonly Symbol[] = ['AAA', 'BBB'] as Symbol[];
const CENT = 0.01;
