import { insertExpectedRange } from '#tests/support/expected-range.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import type { CallCase } from '../call-case.ts';
import { tradingDeployment } from '../scene.ts';

export const expected: CallCase = async (app) => {
  const { sent } = await tradingDeployment(app);
  await insertExpectedRange(app.records.database, sent.params.id as DeploymentId);
  return sent;
};

export const belowRecord: CallCase = async (app) => {
  const sent = await expected(app);
  await app.records.pool.query(
    `update deployments set tripwire_state = 'red', tripwire_since = '2026-01-06T21:00:00Z' where id = $1`,
    [sent.params!['id']],
  );
  return sent;
};
