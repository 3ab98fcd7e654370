import { expect, test } from 'vitest';
import { Limits } from './stand-in/limits.ts';

const LIST = 'GET /iserver/account/orders';

test('an eleventh request of one user name in a second is one too many, and another user’s is not', () => {
  const limits = new Limits();
  const told = Array.from({ length: 11 }, (_, at) => limits.broken('ada', `GET /${at}`, at * 10));
  expect(told.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => null));
  expect(told[10]).toBe('11 requests of ada in a second');
  expect(limits.broken('bea', 'GET /1', 110)).toBeNull();
  expect(limits.broken('ada', 'GET /1', 2_000)).toBeNull();
});

test('a list is asked for every five seconds', () => {
  const limits = new Limits();
  expect(limits.broken('ada', LIST, 0)).toBeNull();
  expect(limits.broken('ada', LIST, 4_000)).toBe(`${LIST} of ada after 4000 ms`);
  expect(limits.broken('bea', LIST, 4_000)).toBeNull();
  expect(limits.broken('ada', LIST, 9_000)).toBeNull();
});
