// The program of docs/developers/typescript-client.md, checked and run as it stands there.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { apiKeyOf } from '#tests/support/api-key.ts';
import { testApp } from '#tests/support/test-app.ts';
import { readyPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { clientFolder } from '#tests/support/typescript-client.ts';

const app = await testApp();
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const page = readFileSync(
  path.resolve(import.meta.dirname, '../../../docs/developers/typescript-client.md'),
  'utf8',
);
const folder = clientFolder(await (await fetch(new URL('/api/client.ts', base))).text());
folder.write('practise.ts', /```ts\n([\s\S]+?)```/.exec(page)![1]!);

test('the types of the program are right', { timeout: 60_000 }, () => {
  expect(folder.check('practise.ts')).toBe('');
});

test('it practises a strategy, and says why where the budget does not suffice', async () => {
  await publishedStrategy(app, { name: 'Calm Trend' });
  const person = await readyPerson(app);
  const { practise } = await folder.load<{
    practise: (url: string, key: string, search: string) => Promise<string>;
  }>('practise.ts');
  const key = await apiKeyOf(app, person.token, { scopes: ['read', 'practice'], budget: 15_000 });
  expect(await practise(base, key, 'no such')).toBe('No strategy is called no such.');
  expect(await practise(base, key, 'calm')).toBe('Calm Trend is pending.');
  expect(await practise(base, key, 'calm')).toMatch(/budget/);
});
