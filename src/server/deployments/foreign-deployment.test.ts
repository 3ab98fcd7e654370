import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { tradedDeployment } from '../../../tests/support/test-deployment.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';

const app = await testApp();
const { request, records } = app;
const { deploymentId } = await tradedDeployment(app);
const stranger = await signedInPerson(app);

/** The statements that a request makes, by their names or texts. */
async function statementsOf(method: 'GET' | 'POST', url: string): Promise<unknown[]> {
  await request({ url: '/api/auth/me/', token: stranger.token });
  const asked: unknown[] = [];
  const spied = vi.spyOn(records.pool, 'query').mockImplementation(((
    statement: { name?: string; text?: string },
    ...rest: unknown[]
  ) => {
    asked.push(typeof statement === 'string' ? statement : (statement.name ?? statement.text));
    return original(statement, ...rest);
  }) as never);
  expect((await request({ method, url, token: stranger.token })).status).toBe(404);
  spied.mockRestore();
  return asked;
}
const original = records.pool.query.bind(records.pool) as (...words: unknown[]) => unknown;

test.each([
  ['GET', ''],
  ['GET', 'performance'],
  ['GET', 'position_summary/'],
  ['GET', 'trades/'],
  ['GET', 'refusals/'],
] as const)(
  '%s %s of someone else’s deployment asks the database what an absent one asks, and no more',
  async (method, end) => {
    const foreign = await statementsOf(method, `/api/deployments/${deploymentId}/${end}`);
    const absent = await statementsOf(method, `/api/deployments/${randomUUID()}/${end}`);
    expect(foreign.length).toBeGreaterThan(0);
    expect(foreign).toEqual(absent);
  },
);
