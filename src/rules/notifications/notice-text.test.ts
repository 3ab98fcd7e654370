import type { IsoDate } from '#units/instant.ts';
import { expect, it } from 'vitest';
import { FLOW_REASONS } from '#engine/execution/flows/flow.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { NOTICE_KINDS, type NoticeFacts, noticeText } from './notice-text.ts';

const strategyName = 'Calm Trend';
const order = {
  strategyName,
  side: 'sell',
  quantity: toQuantity(12),
  symbol: 'SPY',
  isProtective: false,
} as const;
const EXAMPLES: readonly NoticeFacts[] = [
  { kind: 'deployed', strategyName, investment: toMicro(10_000) },
  { kind: 'trading_started', strategyName },
  {
    kind: 'order_filled',
    ...order,
    price: 431.2,
    currency: 'USD',
    commission: toMicro(1),
    profit: toMicro(-20),
  },
  { kind: 'order_not_filled', ...order, reason: { code: 'expired', said: '' } },
  { kind: 'stop_loss', strategyName, symbol: 'SPY', lossPercent: 10.04 },
  { kind: 'frozen', strategyName, drawdownPercent: 25.36 },
  { kind: 'tripwire_amber', strategyName, days: 41 },
  { kind: 'tripwire_red', strategyName, days: 93, choice: 'halve' },
  { kind: 'tripwire_acknowledged', strategyName },
  { kind: 'paused', strategyName, atBroker: [] },
  { kind: 'resumed', strategyName },
  { kind: 'stopping', strategyName, atBroker: [] },
  { kind: 'stopped', strategyName, cash: toMicro(10_412.5) },
  { kind: 'liquidation_requested', strategyName },
  { kind: 'liquidation_declined', strategyName, because: 'the market is closed' },
  { kind: 'liquidated', strategyName, cash: toMicro(9_000) },
  { kind: 'failed', strategyName, failing: { task: 'fan-out', symbol: null } },
  { kind: 'broker_disconnected', brokerName: 'Interactive Brokers' },
  { kind: 'broker_reconnected', brokerName: 'Interactive Brokers' },
  {
    kind: 'position_changed',
    strategyName,
    holding: {
      type: 'assignment',
      symbol: 'TLCO.260320C44',
      right: 'call',
      contracts: '2',
      shares: '200',
      side: 'sell',
      underlying: 'TLCO',
      strike: 44,
      isEarly: true,
    },
  },
  { kind: 'margin_call', strategyName, symbol: 'EURUSD' },
  {
    kind: 'limits_changed',
    strategyName,
    changes: [
      { limit: 'stop_loss_percentage', from: 10, to: 8 },
      { limit: 'freeze_on_drawdown', from: 0, to: 25 },
    ],
  },
  {
    kind: 'money_added',
    strategyName,
    requested: toMicro(500),
    moved: toMicro(500),
    investment: toMicro(10_500),
  },
  {
    kind: 'money_withdrawn',
    strategyName,
    requested: toMicro(500),
    moved: toMicro(480.25),
    investment: toMicro(9_519.75),
  },
  ...FLOW_REASONS.map((reason) => ({
    ...({ kind: 'flow_refused', strategyName, requested: toMicro(500), reason } as const),
    flow: 'deposit' as const,
  })),
  { kind: 'figures_rebuilt', strategyName, before: toMicro(10_412.5), after: toMicro(10_411.5) },
  {
    kind: 'fee_billed',
    strategyName,
    fee: toMicro(90),
    profit: toMicro(300),
    above: toMicro(11_000),
    until: '2026-03-31' as IsoDate,
  },
  { kind: 'fee_credited', strategyName, credit: toMicro(3.53), profit: toMicro(2) },
  { kind: 'fee_declined', strategyName, owed: toMicro(90) },
  {
    kind: 'fee_unpaid',
    strategyName,
    owed: toMicro(90),
    stage: 'overdue',
    dueOn: '2026-04-06' as IsoDate,
    stopsOn: '2026-04-20' as IsoDate,
  },
  { kind: 'agreement_changed', stage: 'changed', changes: ['One thing is new.'], signOn: null },
  { kind: 'payment_refunded', amount: toMicro(79), because: 'it was charged twice' },
  {
    kind: 'payment_taken_back',
    amount: toMicro(300),
    strategyName,
    dueOn: '2026-12-01' as IsoDate,
    planEnded: false,
  },
  { kind: 'payment_taken_back', amount: toMicro(79), strategyName: null, dueOn: null, planEnded: true },
  { kind: 'payment_taken_back', amount: toMicro(79), strategyName: null, dueOn: null, planEnded: false },
  { kind: 'payment_counts_again', amount: toMicro(300), strategyName, credit: null },
  { kind: 'payment_counts_again', amount: toMicro(79), strategyName: null, credit: toMicro(40) },
  { kind: 'unpaid_closed', strategyName, because: 'two reminders stayed unanswered' },
  { kind: 'strategy_changed', strategyName, version: 1, next: 2 },
  { kind: 'strategy_retired', strategyName, version: 2 },
  { kind: 'strategy_retired', strategyName, version: 2, endsOn: '2026-03-31' as IsoDate },
  { kind: 'capacity_admitted', strategyName, amount: toMicro(5_000), adds: false },
  { kind: 'capacity_admitted', strategyName, amount: toMicro(5_000), adds: true },
  { kind: 'queue_closed', strategyName, amount: toMicro(5_000), adds: false },
  { kind: 'queue_closed', strategyName, amount: toMicro(5_000), adds: true },
  {
    kind: 'key_asks',
    keyName: 'Ada’s agent',
    call: 'createDeployment',
    strategyName,
    amount: toMicro(5_000),
    hours: 24,
  },
  { kind: 'webhook_disabled', host: 'example.com', because: 'failing' },
  { kind: 'channel_gone', channel: 'push', name: 'Firefox on Linux' },
  { kind: 'channel_gone', channel: 'telegram', name: '@ada' },
  { kind: 'security_changed', change: 'password_changed', device: 'Firefox on Linux' },
];

it('has words for every kind, each ending as a sentence', () => {
  expect([...new Set(EXAMPLES.map(({ kind }) => kind))]).toEqual(NOTICE_KINDS);
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
    message: 'Calm Trend: sold 12 SPY at $431.20. Commission $1. Realized loss: $20.',
  });
});

it('says what an assignment sold, and what an option that expired worthless leaves', () => {
  const said = EXAMPLES.find(({ kind }) => kind === 'position_changed')!;
  expect(noticeText(said)).toEqual({
    title: 'Assigned: TLCO',
    message:
      'Calm Trend: 2 calls on TLCO at $44 were assigned, before the last day: 200 shares of TLCO were sold at $44 each; the premium received counts towards the price of the shares.',
  });
  const ended = (holding: Extract<NoticeFacts, { kind: 'position_changed' }>['holding']) =>
    noticeText({ kind: 'position_changed', strategyName, holding }).message;
  expect(ended({ type: 'expiry', symbol: 'X.260320C44', side: 'short', price: 0 })).toBe(
    'Calm Trend: X.260320C44 expired worthless: the full premium is kept.',
  );
  expect(ended({ type: 'dividend', symbol: 'TLCO', paid: toMicro(50) })).toBe(
    'Calm Trend: TLCO paid a dividend, estimated at $50 until your broker states its figure.',
  );
});

it('says what the broker’s figure is, and what was booked before', () => {
  const holding = {
    type: 'stated',
    symbol: 'TLCO',
    of: 'dividend',
    stated: toMicro(42.5),
    estimate: toMicro(50),
  } as const;
  expect(noticeText({ kind: 'position_changed', strategyName, holding }).message).toBe(
    'Calm Trend: your broker’s figure for the dividend of TLCO is $42.50; $50 was booked before.',
  );
});

it('says what a fee is on, and that it is not taken from the account', () => {
  expect(noticeText(EXAMPLES.find(({ kind }) => kind === 'fee_billed')!)).toEqual({
    title: 'Performance fee of $90',
    message:
      'Calm Trend: by 31 March 2026 it earned $300 above its high-water mark of $11,000. The fee is $90. It is invoiced separately: nothing is taken from your broker account.',
  });
});

it('says what follows when a fee stays unpaid, step by step', () => {
  const unpaid = EXAMPLES.find(({ kind }) => kind === 'fee_unpaid') as Extract<
    NoticeFacts,
    { kind: 'fee_unpaid' }
  >;
  const messages = (['reminded', 'stopped', 'closable'] as const).map(
    (stage) => noticeText({ ...unpaid, stage }).message,
  );
  const start = 'Calm Trend: the fee of $90 was due on 6 April 2026 and is unpaid.';
  expect(messages).toEqual([
    `${start} Please pay it by 20 April 2026: after that we open no new positions.`,
    `${start} We open no new positions in any of your deployments until it is paid. Existing ones can still be sold.`,
    `${start} Our support may now stop your deployments and close your account. Nothing you hold is sold.`,
  ]);
});
