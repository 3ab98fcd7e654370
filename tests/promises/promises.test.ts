import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PLANS } from '#rules/billing/plans.ts';
import { PLAN_FEATURE_NOTES } from '#rules/billing/plan-features.ts';
import { readHouse } from '../../scripts/house/read-house.ts';
import { PROMISES } from './promises.ts';
import { mayPromise, sentencesOf, TEXTS } from './read-texts.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const house = readHouse(ROOT).filter(({ file }) => !file.endsWith('.test.ts'));
const bound = TEXTS.flatMap(sentencesOf).filter(mayPromise);
const fragments = PROMISES.flatMap(({ says }) => says);

test('each sentence that binds us names what keeps it', () => {
  expect(bound.length).toBeGreaterThan(100);
  const unkept = bound.filter(({ text }) => !fragments.some((said) => text.includes(said)));
  expect(unkept.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

test('no keeper outlives its sentence', () => {
  const sentences = TEXTS.flatMap(sentencesOf);
  expect(fragments.filter((said) => !sentences.some(({ text }) => text.includes(said)))).toEqual([]);
});

test('each test that keeps a promise exists under its name', () => {
  const missing = PROMISES.flatMap(({ says, keptBy }) => {
    if (!('test' in keptBy)) return [];
    const { test: file, named } = keptBy;
    const hasTest = named !== '' && existsSync(path.join(ROOT, file)) && read(file).includes(`'${named}`);
    return hasTest ? [] : [`${says[0]}: ${file} has no test "${named}"`];
  });
  expect(missing).toEqual([]);
});

test('a feature that a plan lists is a cap of the plan, or says that every plan has it', () => {
  const caps = /^(\d+ active strateg|Unlimited strategies|Up to \$|Custom strategy builder|Email support)/;
  const open = PLANS.flatMap(({ features }) => features).filter(
    (one) => !caps.test(one) && !(one in PLAN_FEATURE_NOTES),
  );
  expect(open).toEqual([]);
});

test('no call to a broker moves money', () => {
  const calls = house.filter(({ file }) => /^src\/(ports\/broker|adapters\/broker\/)/.test(file));
  expect(calls.length).toBeGreaterThan(20);
  const moving = calls.filter(({ file }) =>
    /\/(ach_relationships|wallets|recipient_banks|journals|transfers|withdrawals?)\b/.test(read(file)),
  );
  expect(moving.map(({ file }) => file)).toEqual([]);
});

test('no call of ours takes the password of a brokerage account', () => {
  expect(read('src/contract/brokerage.ts')).not.toMatch(/password/i);
  expect(read('src/ports/broker.ts')).not.toMatch(/password/i);
});

test('the cookies that are set are those that the policy names', () => {
  const setters = house.filter(
    ({ file }) => file.startsWith('src/server/') && /setOwnCookie\(reply/.test(read(file)),
  );
  const names = setters.map(
    ({ file }) => /(?:NAME = |return )[`'](device|signing|connecting)/.exec(read(file))?.[1] ?? file,
  );
  expect(names.toSorted()).toEqual(['connecting', 'device', 'signing']);
  const elsewhere = house.filter(
    ({ file }) => /^src\/(server|web)\//.test(file) && /set-cookie|document\.cookie/i.test(read(file)),
  );
  expect(elsewhere.map(({ file }) => file)).toEqual(['src/server/http/own-cookie.ts']);
  const policy = sentencesOf('src/web/screens/legal/cookie-policy.tsx')
    .map(({ text }) => text)
    .join(' ');
  for (const name of names) expect(policy).toContain(`(${name})`);
});
