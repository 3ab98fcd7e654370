// The worked example of docs/developers/keys.md, sent as it stands there.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { apiKeyOf } from '#tests/support/api-key.ts';
import { testApp } from '#tests/support/test-app.ts';
import { readyPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';

const app = await testApp();
const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/developers/keys.md'), 'utf8');

test('the requests of the page find a strategy, practise it and show it', async () => {
  const strategy = await publishedStrategy(app);
  const person = await readyPerson(app);
  const token = await apiKeyOf(app, person.token, { scopes: ['read', 'practice'] });
  const block = /```http\n([^`]+)```/.exec(page)![1]!;
  const answers = [];
  for (const written of block.trim().split('\n\n')) {
    const [first, body] = written.split('\n');
    const [method, url] = first!.split(' ') as ['GET' | 'POST', string];
    const sent = body === undefined ? {} : { body: JSON.parse(body.replace('STRATEGY', strategy)) as object };
    answers.push(await app.request({ method, url, token, ...sent }));
  }
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 200]);
  expect(answers[0]!.body.map(({ id }: { id: string }) => id)).toContain(strategy);
  expect(answers[2]!.body).toMatchObject([{ id: answers[1]!.body.id, strategy, mode: 'practice' }]);
});

test('the refusal of the page is what a program gets', async () => {
  const shown = JSON.parse(/```json\n([^`]+)```/.exec(page)![1]!) as { code: string; message: string };
  const person = await readyPerson(app);
  const token = await apiKeyOf(app, person.token, {});
  const body = {
    strategy: await publishedStrategy(app),
    broker_connection: person.connectionId,
    investment_amount: 10_000,
    stop_loss_percentage: 10,
    max_allocation_per_trade: 20,
    freeze_on_drawdown: 25,
  };
  const refused = await app.request({ method: 'POST', url: '/api/deployments/', token, body });
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ code: shown.code, message: shown.message });
  expect(Object.keys(refused.body.details)).toEqual(['act', 'expires_at']);
});
