import fc from 'fast-check';
import { expect, it } from 'vitest';
import { add, micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import { type Share, statedChanges } from './stated-shares.ts';

const share = (holder: string, units: number, estimate: number): Share<string> => ({
  holder,
  units: toQuantity(units),
  estimate: toMicro(estimate),
  changed: ZERO_MICRO,
});
const figure = (
  amount: number,
  units: number | null = null,
  kind: 'dividend' | 'withholding_tax' = 'dividend',
) => ({
  kind,
  amount: toMicro(amount),
  units: units === null ? null : toQuantity(units),
});

it('replaces the estimates of all holders by their parts of the figure', () => {
  const shares = [share('one', 60, 30), share('owner', 40, 20)];
  expect(statedChanges([figure(48, 100)], shares)).toEqual([
    { holder: 'one', share: toMicro(28.8), change: toMicro(-1.2) },
    { holder: 'owner', share: toMicro(19.2), change: toMicro(-0.8) },
  ]);
});

it('takes a tax off the estimate, and keeps it when the figure comes', () => {
  const tax = figure(-7.5, null, 'withholding_tax');
  expect(statedChanges([tax], [share('one', 100, 50)])).toEqual([
    { holder: 'one', share: toMicro(42.5), change: toMicro(-7.5) },
  ]);
  const taxed = { ...share('one', 100, 50), changed: toMicro(-7.5) };
  expect(statedChanges([tax, figure(51, 100)], [taxed])).toEqual([
    { holder: 'one', share: toMicro(43.5), change: toMicro(1) },
  ]);
});

it('changes nothing while the broker paid for other units than the books have', () => {
  expect(statedChanges([figure(48, 90)], [share('one', 100, 50)])).toEqual([]);
  expect(statedChanges([figure(48)], [share('one', 100, 50), share('two', -100, -50)])).toEqual([]);
});

it('ends at the broker’s figure in whatever order its parts come, and books nothing when repeated', () => {
  const cents = fc.integer({ min: -100_000, max: 100_000 }).map((amount) => micro(amount * 10_000));
  const holders = fc.array(fc.record({ units: fc.integer({ min: 1, max: 10_000 }), estimate: cents }), {
    minLength: 1,
    maxLength: 5,
  });
  const parts = fc.array(
    fc.record({ kind: fc.constantFrom('dividend' as const, 'withholding_tax' as const), amount: cents }),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(holders, parts, (held, figures) => {
      let shares: Share<number>[] = held.map(({ units, estimate }, holder) => ({
        holder,
        units: quantity(units),
        estimate,
        changed: ZERO_MICRO,
      }));
      const activities: { kind: 'dividend' | 'withholding_tax'; amount: typeof ZERO_MICRO; units: null }[] =
        [];
      for (const one of figures) {
        activities.push({ ...one, units: null });
        const changes = statedChanges(activities, shares);
        shares = shares.map((each) => {
          const change = changes.find(({ holder }) => holder === each.holder)?.change ?? ZERO_MICRO;
          return { ...each, changed: add(each.changed, change) };
        });
        expect(statedChanges(activities, shares)).toEqual([]);
      }
      const booked = add(ZERO_MICRO, ...shares.flatMap(({ estimate, changed }) => [estimate, changed]));
      const estimates = add(ZERO_MICRO, ...shares.map(({ estimate }) => estimate));
      const hasFigure = figures.some(({ kind }) => kind === 'dividend');
      expect(booked).toBe(add(hasFigure ? ZERO_MICRO : estimates, ...figures.map(({ amount }) => amount)));
    }),
  );
});
