import { expect, test } from 'vitest';
import { toQuantity } from '#units/quantity.ts';
import { type AdjustmentRequest, adjustmentProblem } from './adjustment-problem.ts';

const difference = (ours: number, theirs: number, external = 0) =>
  ({
    type: 'difference',
    ours: toQuantity(ours),
    external: toQuantity(external),
    theirs: toQuantity(theirs),
  }) as const;
const asked = (change: Partial<AdjustmentRequest> & { net?: number }): AdjustmentRequest => ({
  answers: difference(40, 25),
  closesAs: 'adjustment',
  symbol: 'AAA',
  isInCatalogue: true,
  units: toQuantity(change.net ?? -15),
  hasPrice: true,
  undoes: null,
  deployment: { held: toQuantity(40), mayBeShort: false },
  ...change,
});
const undoes = { id: 'X1', units: toQuantity(10), isUndone: false };
const revision = (isOurs: boolean) => ({ type: 'execution', revises: { id: 'X1', isOurs } }) as const;
const externalPosition = (units: number, isBesideAnother = false) =>
  ({ type: 'external_trade', units: toQuantity(units), isBesideAnother }) as const;
const short = { held: toQuantity(-15), mayBeShort: true };

test.each<[string, Partial<AdjustmentRequest> & { net?: number }, string | null]>([
  ['all that is missing', {}, null],
  ['a part of it', { net: -5 }, null],
  ['more than is missing', { net: -16 }, 'quantity'],
  ['the other way', { net: 5 }, 'quantity'],
  ['nothing', { net: 0 }, 'quantity'],
  ['what others traded counted in', { answers: difference(40, 45, 2), net: 4 }, 'quantity'],
  ['what an execution undone makes', { net: 0, undoes }, null],
  ['an execution undone that is more than is missing', { net: -6, undoes }, 'quantity'],
  ['no price', { hasPrice: false }, 'price'],
  ['no price where nothing is booked', { net: 0, undoes, hasPrice: false }, null],
  ['another account’s deployment', { deployment: null }, 'deployment'],
  ['an execution of another deployment', { undoes: 'unknown' }, 'replaces'],
  ['an execution that is undone', { undoes: { ...undoes, isUndone: true } }, 'replaces'],
  [
    'short where the strategy only buys',
    { deployment: { held: toQuantity(10), mayBeShort: false } },
    'deployment',
  ],
  [
    'a purchase taken back of which a part is sold, where the strategy only buys',
    { net: 0, undoes, deployment: { held: toQuantity(4), mayBeShort: false } },
    null,
  ],
  [
    'one of which nothing is left',
    { answers: revision(true), net: 0, undoes, deployment: { held: toQuantity(0), mayBeShort: false } },
    null,
  ],
  ['short where it may be', { deployment: { held: toQuantity(10), mayBeShort: true } }, null],
  ['an instrument that nobody knows', { isInCatalogue: false }, 'closes_as'],
  ['a revision in the place of the first', { answers: revision(true), net: 10, undoes }, null],
  ['a revision beside the first', { answers: revision(true), net: 10 }, 'replaces'],
  ['a revision of what is in suspense', { answers: revision(false), net: 10 }, 'closes_as'],
  ['missing shares as another’s', { closesAs: 'external' }, 'closes_as'],
  ['shares beyond the books as another’s', { closesAs: 'external', answers: difference(40, 45) }, null],
  [
    'fewer shares as another’s where some are short of what others traded',
    { closesAs: 'external', answers: difference(40, 37, -1) },
    'closes_as',
  ],
  [
    'more shares than books and others come to as another’s',
    { closesAs: 'external', answers: difference(40, 37, -5) },
    null,
  ],
  ['what was traded externally', { answers: externalPosition(-5), net: -5 }, null],
  ['a part of it', { answers: externalPosition(-5), net: -2 }, null],
  ['more than was traded externally', { answers: externalPosition(-5), net: -6 }, 'quantity'],
  ['what was sold externally as bought', { answers: externalPosition(-5), net: 5 }, 'quantity'],
  ['none of what was traded externally', { answers: externalPosition(-5), net: 0 }, 'quantity'],
  [
    'more of it than the deployment holds',
    { answers: externalPosition(-50), net: -41, deployment: { held: toQuantity(40), mayBeShort: true } },
    'quantity',
  ],
  [
    'what was sold externally out of a short',
    { answers: externalPosition(-5), net: -5, deployment: short },
    'deployment',
  ],
  ['a short that was bought back', { answers: externalPosition(6), net: 6, deployment: short }, null],
  ['one turned round', { answers: externalPosition(16), net: 16, deployment: short }, 'quantity'],
  [
    'what was traded externally without a price',
    { answers: externalPosition(-5), net: -5, hasPrice: false },
    'price',
  ],
  ['in the place of an execution', { answers: externalPosition(-5), net: 5, undoes }, 'replaces'],
  ['beside what no trade explains', { answers: externalPosition(-5, true), net: -5 }, 'closes_as'],
  [
    'what was traded externally as another’s',
    { closesAs: 'external', answers: externalPosition(-5) },
    'closes_as',
  ],
  ['what a broker took back, by books', { answers: { type: 'shortfall' } }, 'closes_as'],
  [
    'what a broker took back, as another’s',
    { closesAs: 'external', answers: { type: 'shortfall' } },
    'closes_as',
  ],
  ['a revision as another’s', { closesAs: 'external', answers: revision(true) }, null],
])('%s', (_, change, field) => expect(adjustmentProblem(asked(change))?.field ?? null).toBe(field));
