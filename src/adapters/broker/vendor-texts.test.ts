import { expect, it } from 'vitest';
import { meaningOf, VENDOR_TEXTS } from './vendor-texts.ts';

/** As recorded, in the order of the table. */
const RECORDED = [
  "Order couldn't be submitted: Local order ID=d1 is already registered.",
  "reply id not found: '99097238'",
  'failed to process request',
  'Request timed out',
  'No symbol found',
  'client_order_id must be unique',
  'subscription does not permit querying recent SIP data',
];

it.each(VENDOR_TEXTS.map((entry, i) => ({ ...entry, recorded: RECORDED[i] ?? '' })))(
  '$vendor: “$recorded” means $meaning',
  ({ vendor, recorded, meaning }) => {
    expect(meaningOf(vendor, recorded)).toBe(meaning);
    expect(meaningOf(vendor, recorded.toUpperCase())).toBe(meaning);
  },
);

it.each(['', 'Service Unavailable', 'Zeitüberschreitung', '<h4>Order</h4>', 'no bridge'])(
  'another text means nothing: “%s”',
  (said) => {
    expect(meaningOf('interactive-brokers', said)).toBeNull();
    expect(meaningOf('alpaca', said)).toBeNull();
  },
);
