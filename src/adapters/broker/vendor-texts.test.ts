import { expect, it } from 'vitest';
import { meaningOf, VENDOR_TEXTS } from './vendor-texts.ts';

it.each(VENDOR_TEXTS)('$vendor: “$recorded” means $meaning', ({ vendor, recorded, meaning }) => {
  expect(meaningOf(vendor, recorded)).toBe(meaning);
  expect(meaningOf(vendor, recorded.toUpperCase())).toBe(meaning);
});

it.each(['', 'Service Unavailable', 'Zeitüberschreitung', '<h4>Order</h4>', 'no bridge'])(
  'another text means nothing: “%s”',
  (said) => {
    expect(meaningOf('interactive-brokers', said)).toBeNull();
    expect(meaningOf('alpaca', said)).toBeNull();
  },
);
