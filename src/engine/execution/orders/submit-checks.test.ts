import { describe, expect, it } from 'vitest';
import { DAY_MS, instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { AAA, MONDAY, openOrder } from '#tests/support/engine/open-order.ts';
import type { ProtectiveStop } from '../../risk/protective-stop.ts';
import { checkSubmit, type SubmitSnapshot } from './submit-checks.ts';

type Deployment = SubmitSnapshot['deployment'];
type Asked = Partial<Omit<SubmitSnapshot, 'deployment' | 'gates'>> & {
  deployment?: Partial<Deployment>;
  gates?: Partial<SubmitSnapshot['gates']>;
  held?: number;
};

function check({ deployment, gates, held = 0, ...asked }: Asked = {}): string {
  const decision = checkSubmit({
    order: openOrder({ side: 'buy' }),
    wantedStop: null,
    calendar: 'us-equity',
    now: MONDAY,
    ...asked,
    deployment: {
      status: 'active',
      requestedStatus: null,
      frozenAt: null,
      reaction: null,
      allowsShort: false,
      holdings: new Map([[AAA, { quantity: toQuantity(held) }]]),
      ...deployment,
    },
    gates: {
      connectionActive: true,
      isHalted: false,
      agreementSigned: true,
      agreementInTime: true,
      suitable: true,
      feesPaid: true,
      ...gates,
    },
  });
  return decision.type === 'withdraw' ? decision.reason.code : decision.type;
}

it('lets a purchase leave when all checks pass', () => {
  expect(check()).toBe('submit');
});

it.each([
  ['has moved on meanwhile', { order: openOrder({ status: 'sending' }) }],
  ['has no active connection', { gates: { connectionActive: false } }],
  ['is halted by a kill switch', { gates: { isHalted: true } }],
])('leaves alone what %s', (_, asked) => {
  expect(check(asked)).toBe('wait');
});

describe('a purchase is withdrawn', () => {
  it.each([
    ['while paused', { deployment: { status: 'paused' } }, 'paused_or_ended'],
    ['when a pause is asked for', { deployment: { requestedStatus: 'paused' } }, 'paused_or_ended'],
    ['when a stop is asked for', { deployment: { requestedStatus: 'stopped' } }, 'deployment_stopped'],
    ['while its deployment closes', { deployment: { status: 'stopping' } }, 'deployment_stopped'],
    ['without a signed agreement', { gates: { agreementSigned: false } }, 'agreement_not_signed'],
    [
      'once the day to sign the newest agreement is over',
      { gates: { agreementInTime: false } },
      'agreement_not_signed',
    ],
    ['while frozen', { deployment: { frozenAt: MONDAY } }, 'frozen'],
    ['while its returns are below its record', { deployment: { reaction: 'exits_only' } }, 'below_record'],
    ['when the strategy became too risky', { gates: { suitable: false } }, 'not_suitable'],
    ['while a fee of its owner is unpaid', { gates: { feesPaid: false } }, 'fee_unpaid'],
    ['when its day is over', { now: instant(MONDAY + DAY_MS) }, 'day_over_unsent'],
    ['when its instrument is gone', { calendar: null }, 'instrument_removed'],
  ] as const)('%s', (_, asked, code) => {
    expect(check(asked)).toBe(code);
  });
});

describe('an exit', () => {
  const exit = openOrder({ purpose: 'stop_loss' });

  it('leaves while frozen, unsuitable, or when a stop is requested', () => {
    const deployment = { frozenAt: MONDAY, requestedStatus: 'stopped' } as const;
    expect(check({ order: exit, held: 10, deployment, gates: { suitable: false, feesPaid: false } })).toBe(
      'submit',
    );
  });

  it('is withdrawn when nothing is left to close', () => {
    expect(check({ order: exit, held: 5 })).toBe('nothing_to_close');
  });

  it('does not leave while trading is paused', () => {
    expect(check({ order: exit, held: 10, deployment: { status: 'paused' } })).toBe('paused_or_ended');
  });
});

it('sells no more than is held, unless the strategy may be short', () => {
  const order = openOrder();
  expect(check({ order, held: 5 })).toBe('position_changed');
  expect(check({ order, held: 5, deployment: { allowsShort: true } })).toBe('submit');
});

it('sends a protective stop only when it is the one that its position wants now', () => {
  const order = openOrder({ purpose: 'protective' });
  const wantedStop: ProtectiveStop = { side: 'sell', quantity: toQuantity(10), price: 90, cause: 'c' };
  expect(check({ order, held: 10, wantedStop })).toBe('submit');
  expect(check({ order, held: 10, wantedStop: { ...wantedStop, price: 80 } })).toBe('position_changed');
  expect(check({ order, held: 10, wantedStop: null })).toBe('position_changed');
  expect(check({ order, held: 10, wantedStop, deployment: { status: 'stopping' } })).toBe('position_changed');
});
