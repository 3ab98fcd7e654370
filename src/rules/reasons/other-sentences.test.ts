import { describe, expect, it } from 'vitest';
import { SESSION_STATES } from '#engine/execution/connection/session-state.ts';
import type { OrderPurpose } from '#engine/order/order.ts';
import { expectPlain } from '#tests/support/expect-plain.ts';
import { sessionText } from '../brokerage/session-state.ts';
import { JOB_FAILURES } from '../operations/dead-letter.ts';
import { jobFailureReason } from './job-failure.ts';
import { orderPurposeText } from './order-purpose.ts';

const PURPOSES: Readonly<Record<OrderPurpose, true>> = {
  rebalance: true,
  stop_loss: true,
  margin_call: true,
  liquidation: true,
  protective: true,
};

describe('the state of a connection', () => {
  it.each(SESSION_STATES)('%s', (state) => {
    const { title, meaning, nextStep } = sessionText(state, 'Zebra Broker');
    expect(title).toMatch(/^[A-Z][^.<>_]+$/);
    for (const text of [meaning, nextStep ?? meaning]) expectPlain(text);
    if (state !== 'connected') expect(meaning).toContain('Zebra Broker');
  });
});

describe('a job and the purpose of an order', () => {
  it.each(JOB_FAILURES)('%s', (failure) => expectPlain(jobFailureReason(failure)));
  it.each(Object.keys(PURPOSES) as OrderPurpose[])('%s', (purpose) => {
    for (const side of ['buy', 'sell'] as const)
      for (const stopLossPercentage of [null, 17])
        expectPlain(orderPurposeText({ purpose, side, limitPrice: 12.5, stopLossPercentage }));
  });
});
