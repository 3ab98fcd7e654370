import { expect, test } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';

const app = await testApp();
const { token } = await signedInPerson(app);
const ask = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown) =>
  app.request({ method, url, token, ...(body !== undefined && { body }) });

test.each([
  ['GET', `/api/brokers/${'x'.repeat(101)}/`, undefined, 'id', 'Must be at most 100 characters'],
  ['GET', '/api/strategies/?risk=wild', undefined, 'risk', 'Must be one of all, low, medium, high'],
  ['GET', '/api/deployments/a/trades/?limit=0', undefined, 'limit', 'Must be at least 1'],
  ['GET', '/api/deployments/a/trades/?limit=many', undefined, 'limit', 'Must be a number'],
  ['GET', '/api/deployments/a/trades/?limit=1.5', undefined, 'limit', 'Must be a whole number'],
  ['POST', '/api/auth/token/refresh/', {}, 'refresh', 'This field is required'],
  ['POST', '/api/auth/token/refresh/', [], undefined, 'Must be an object with fields'],
  [
    'PATCH',
    '/api/notifications/preferences/',
    { email: { tradeConfirmations: 'yes' } },
    'email.tradeConfirmations',
    'Must be true or false',
  ],
  ['PATCH', '/api/notifications/preferences/', { fax: {} }, undefined, 'Unknown field: fax'],
  ['POST', '/api/deployments/', { strategy: 'a' }, 'broker_connection', 'Connect a broker first'],
] as const)('%s %s with %j names %s: %s', async (method, url, body, field, message) => {
  const answer = await ask(method, url, body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_field', message } });
  expect(answer.body.field).toBe(field);
});
