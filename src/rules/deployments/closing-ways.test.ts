import { expect, it } from 'vitest';
import { closingWays } from './closing-ways.ts';

const some = { isPractice: false, positions: 3, isAsked: false };
const words = (of: Partial<typeof some>) => closingWays({ ...some, ...of });

it('each way says what, when and at what cost', () => {
  const ways = words({});
  expect(ways.map(({ way }) => way)).toEqual(['pause', 'stop', 'liquidate']);
  for (const { what, when, cost } of ways) for (const text of [what, when, cost]) expect(text).toMatch(/\.$/);
  expect(ways[1]!.what).toContain('Sells its 3 positions');
  expect(words({ positions: 1 })[1]!.what).toContain('Sells its position,');
});

it('selling nothing costs no commission', () => {
  const [, stop] = words({ positions: 0 });
  expect(stop).toMatchObject({ action: 'Stop', cost: expect.stringMatching(/^None\./) });
});

it('practice money is asked of nobody and pays no fee; a request is made once', () => {
  const practice = words({ isPractice: true });
  expect(practice.map(({ way }) => way)).toEqual(['pause', 'stop']);
  expect(practice[1]!.cost).not.toContain('fee');
  expect(words({ isAsked: true }).map(({ way }) => way)).toEqual(['pause', 'stop']);
});
