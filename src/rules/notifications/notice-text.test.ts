import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { NOTICE_KINDS, type NoticeFacts, noticeText } from './notice-text.ts';

const strategyName = 'Calm Trend';
const order = { strategyName, side: 'sell', quantity: '12', symbol: 'SPY' } as const;
const EXAMPLES: readonly NoticeFacts[] = [
  { kind: 'deployed', strategyName, investment: toMicro(10_000) },
  { kind: 'trading_started', strategyName },
  { kind: 'order_filled', ...order, price: '$431.20' },
  { kind: 'order_not_filled', ...order, because: 'it expired at the close' },
  { kind: 'stop_loss', strategyName, symbol: 'SPY', lossPercent: 10.04 },
  { kind: 'frozen', strategyName, drawdownPercent: 25.36 },
  { kind: 'paused', strategyName },
  { kind: 'resumed', strategyName },
  { kind: 'stopping', strategyName },
  { kind: 'stopped', strategyName, cash: toMicro(10_412.5) },
  { kind: 'liquidation_requested', strategyName },
  { kind: 'liquidation_declined', strategyName, because: 'the market is closed' },
  { kind: 'liquidated', strategyName, cash: toMicro(9_000) },
  { kind: 'failed', strategyName, because: 'the broker closed the account' },
  { kind: 'broker_disconnected', brokerName: 'Interactive Brokers' },
  { kind: 'broker_reconnected', brokerName: 'Interactive Brokers' },
];

it('has words for every kind, each ending as a sentence', () => {
  expect(EXAMPLES.map(({ kind }) => kind)).toEqual(NOTICE_KINDS);
  for (const facts of EXAMPLES) {
    const { title, message } = noticeText(facts);
    expect(title).toMatch(/^[A-Z]/);
    expect(message).toMatch(/[a-z0-9]\.$/);
    expect(message).not.toContain('undefined');
  }
});

it('says what was traded, and at what price', () => {
  expect(noticeText(EXAMPLES[2]!)).toEqual({
    title: 'Sold SPY',
    message: 'Calm Trend: sold 12 SPY at $431.20.',
  });
});
