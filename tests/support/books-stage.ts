// A deployment that holds shares at a scripted venue, each in an account of its own, for tests of what its books come to:
// brought there, agreed on by two people, and looked at from both sides.
import { requestStatus } from './deployment-commands.ts';
import { afterAll, beforeEach } from 'vitest';
import type { BrokerExecution } from '../../src/ports/broker.ts';
import type { DeploymentId } from '../../src/units/identifiers.ts';
import { agreeOn, type AgreedAdjustment, supportPeople } from './agreed-adjustment.ts';
import { testDatabase } from './test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from './trading-world.ts';
import { shownMessages } from './shown-notices.ts';

/** Each test begins after a close, AAA at 100 and BBB at 40. */
export async function booksStage(prefix: string) {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue, runTicks } = world;
  const long = await world.addStrategy(BOTH_ABOVE_30);
  const people = await supportPeople(handle);
  afterAll(() => world.trader.close());

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  beforeEach(async () => {
    venue.onCall = null;
    market.setPrice('AAA', 100);
    market.setPrice('BBB', 40);
    market.closeDay();
    await runTicks();
  });

  let accounts = 0;
  /** Holds 40 AAA bought at 100, or what another strategy wants of them. */
  const trading = async (
    strategy = long,
  ): Promise<{ id: DeploymentId; account: string; bought: BrokerExecution }> => {
    const account = `${prefix}${(accounts += 1)}`;
    const id = await world.deploy(strategy, { account });
    await runTicks();
    market.openDay();
    await runTicks();
    const reported = venue.executions.find(
      ({ accountId, execution }) => accountId === account && execution.symbol === 'AAA',
    )!;
    return { id, account, bought: reported.execution };
  };

  const units = async (id: DeploymentId): Promise<number> => {
    const [position] = await rows(
      `select quantity::float8 as units from positions where deployment_id = $1 and symbol = 'AAA'`,
      id,
    );
    return position?.units ?? 0;
  };
  /** In dollars. */
  const money = async (id: DeploymentId): Promise<{ cash: number; realized: number; equity: number }> => {
    const [deployment] = await rows(
      `select cash_micro::float8 / 1e6 as cash, realized_micro::float8 / 1e6 as realized,
         equity_micro::float8 / 1e6 as equity
       from deployments where id = $1`,
      id,
    );
    return deployment;
  };
  /** Entries of the suspense account, of one kind or of any. */
  const suspense = (account: string, kind: string | null = null) =>
    rows(
      `select execution_id as id, side, quantity::float8 as units, price::float8 from suspense_entries
       where account_id = $1 and ($2::text is null or kind = $2)`,
      account,
      kind,
    );
  /** Those that stand, of one kind or of any. */
  const differences = (account: string, kind: string | null = null) =>
    rows(
      `select symbol from reconciliation_breaks where account_id = $1 and ended_at is null
         and ($2::text is null or kind = $2)`,
      account,
      kind,
    );
  const agree = (wanted: AgreedAdjustment) => agreeOn(handle, people, wanted);
  const stateOf = async (adjustment: string) =>
    (await rows('select status, outcome from adjustments where id = $1', adjustment))[0];
  const notices = (id: DeploymentId) =>
    shownMessages(handle, `deployment_id = $1 and cause like 'adjustment:%'`, id);
  const stop = (id: DeploymentId) => requestStatus(handle.pool, id, 'stopped');
  return {
    handle,
    world,
    long,
    market,
    venue,
    people,
    rows,
    runTicks,
    trading,
    units,
    money,
    suspense,
    differences,
    agree,
    stateOf,
    notices,
    stop,
    everythingHolds: () => world.everythingHolds(),
  };
}
