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
  app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
  const person = await readyPerson(app);
  const { body } = await app.request({
    method: 'POST',
    url: '/api/deployments/',
    token: person.token,
    body: {
      strategy: await publishedStrategy(app),
      broker_connection: person.connectionId,
      investment_amount: 10_000,
      stop_loss_percentage: 10,
      max_allocation_per_trade: 20,
      freeze_on_drawdown: 25,
    },
  });
  return { person, deploymentId: body.id };
}
