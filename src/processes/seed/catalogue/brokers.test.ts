import { expect, it } from 'vitest';
import { listBrokers } from './brokers.ts';

it('tells brokers that this installation is not set up for from those that the product does not trade at', () => {
  const statuses = listBrokers(['alpaca']).map(({ slug, status }) => [slug, status]);
  expect(statuses).toEqual([
    ['alpaca', 'available'],
    ['interactive-brokers', 'not_set_up'],
    ['coinbase', 'coming_soon'],
    ['oanda', 'coming_soon'],
    ['zerodha', 'coming_soon'],
  ]);
});
