// The operations desk over HTTP, with a trader: two staff, a stranger, and deployments whose books differ.
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { giveRole } from './give-role.ts';
import { testApp } from './test-app.ts';
import { signedInPerson } from './test-person.ts';
import { BOTH_ABOVE_30, tradingWorld } from './trading-world.ts';

export const APPROVE = { decision: 'approve' };

export async function adjustmentsDesk(stopKinds: readonly InstrumentKind[] = []) {
  const app = await testApp();
  const world = await tradingWorld(app.records, undefined, stopKinds);
  const { market, venue, runTicks } = world;
  const { pool } = app.records;
  const version = await world.addStrategy(BOTH_ABOVE_30);
  const rows = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows;
  const support = async () => {
    const person = await signedInPerson(app);
    await giveRole(app.records, person, 'support');
    return person;
  };
  const [sue, bob] = [await support(), await support()];
  const desk = async (token = sue.token): Promise<OperationsDesk> =>
    (await app.request({ url: '/api/operations/', token })).body;
  return {
    app,
    world,
    rows,
    version,
    sue,
    bob,
    stranger: await signedInPerson(app),
    runTicks,
    /** Holds 40 AAA bought at 100. */
    async trading(account: string) {
      market.setPrice('AAA', 100);
      market.setPrice('BBB', 40);
      market.closeDay();
      const id = await world.deploy(version, { account });
      await runTicks(1);
      market.openDay();
      await runTicks(1);
      const { execution } = venue.executions.find(
        (one) => one.accountId === account && one.execution.symbol === 'AAA',
      )!;
      return { id, account, bought: execution };
    },
    desk,
    breakOf: async (account: string) =>
      (await desk()).differences.results.find((one) => one.account === account),
    propose: (body: object, token = sue.token, headers: Record<string, string> = {}) =>
      app.request({ method: 'POST', url: '/api/operations/adjustments/', token, body, headers }),
    decide: (id: string, body: object, token = bob.token) =>
      app.request({ method: 'POST', url: `/api/operations/adjustments/${id}/decide/`, token, body }),
    choices: (query: string, token = sue.token) =>
      app.request({ url: `/api/operations/adjustments/choices/?${query}`, token }),
    /** Units of AAA that the deployment holds. */
    held: async (id: string) =>
      (
        await rows(
          `select quantity::float8 as units from positions where deployment_id = $1 and symbol = 'AAA'`,
          id,
        )
      )[0]?.units ?? 0,
  };
}
