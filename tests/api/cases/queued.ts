import { deployTo } from '../../support/test-deployment.ts';
import type { CallCase } from '../call-case.ts';
import { order } from '../scene.ts';

/** Behind somebody who takes most of what the strategy takes. */
export const queued: CallCase = async (app) => {
  const { person, body } = await order(app);
  await app.records.pool.query(
    `insert into capacity_limits (strategy_id, limit_micro, set_by) values ($1, 15e9, 'somebody')`,
    [body.strategy],
  );
  await deployTo(app, body.strategy);
  const made = await app.request({ method: 'POST', url: '/api/deployments/', token: person.token, body });
  return { token: person.token, params: { id: made.body.id as string } };
};
