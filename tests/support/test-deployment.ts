// A deployment made over HTTP by a person with their own account.
import { randomUUID } from 'node:crypto';
import type { TestApp } from './test-app.ts';
import { readyPerson, type TestPerson } from './test-person.ts';
import { publishedStrategy } from './test-strategy.ts';
import { tradeOnce } from './test-trading.ts';

export type DeployedPerson = {
  readonly person: TestPerson & { readonly connectionId: string };
  readonly deploymentId: string;
};

/** Trading and with a position; see tradeOnce for its figures. */
export async function tradedDeployment(app: TestApp): Promise<DeployedPerson> {
  const deployed = await newDeployment(app);
  await tradeOnce(app, deployed.deploymentId);
  return deployed;
}

/** Waits for the trader. */
export async function newDeployment(app: TestApp): Promise<DeployedPerson> {
  const { person, body } = await deployTo(app, await publishedStrategy(app));
  return { person, deploymentId: body.id };
}

/** What a person with an account of their own is answered who deploys a strategy. */
export async function deployTo(app: TestApp, strategy: string, dollars = 10_000) {
  app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
  const person = await readyPerson(app);
  const answer = await app.request({
    method: 'POST',
    url: '/api/deployments/',
    token: person.token,
    body: {
      strategy,
      broker_connection: person.connectionId,
      investment_amount: dollars,
      stop_loss_percentage: 10,
      max_allocation_per_trade: 20,
      freeze_on_drawdown: 25,
    },
  });
  return { person, ...answer };
}
