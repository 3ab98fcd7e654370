import { expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';

const read = (TRUST_PROXY: string) => readEnvironment({ TRUST_PROXY }).trustProxy;

test.each([
  ['', false],
  ['no', false],
  ['0', false],
  ['1', 1],
  ['2', 2],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['127.0.0.1, ::1,fd00::/8', ['127.0.0.1', '::1', 'fd00::/8']],
])('TRUST_PROXY=%s is %j', (text, trusted) => {
  expect(read(text)).toEqual(trusted);
});

test('yes is refused: it would believe whatever a client claims', () => {
  expect(() => read('yes')).toThrow(
    'TRUST_PROXY=yes would believe any address that a client claims. Write the number of proxies in front, such as TRUST_PROXY=1, or their networks, such as TRUST_PROXY=10.0.0.0/8,127.0.0.1',
  );
});

test.each([
  'true',
  '-1',
  '99',
  'loopback',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/33',
  '10.0.0.0/8/8',
  '10.0.0.0/8,',
  'proxy.test',
])('TRUST_PROXY=%s is refused with what to write', (text) => {
  expect(() => read(text)).toThrow(`TRUST_PROXY is "${text}". Write the number of proxies`);
});
