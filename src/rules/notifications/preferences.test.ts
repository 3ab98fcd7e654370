import { expect, it } from 'vitest';
import { NOTICE_KINDS } from './notice-text.ts';
import { DEFAULT_NOTIFICATION_PREFERENCES, emailSwitchOf, isToasted } from './preferences.ts';

const { push } = DEFAULT_NOTIFICATION_PREFERENCES;

it('mails trades by their own switch, everything else as a strategy update', () => {
  const byTrades = NOTICE_KINDS.filter((kind) => emailSwitchOf(kind) === 'tradeConfirmations');
  expect(byTrades).toEqual(['order_filled', 'order_not_filled', 'position_changed']);
});

it('toasts what the person left on, and always the answer to their own click, unless its screen gives one', () => {
  const quiet = { tradeAlerts: false, riskWarnings: false, marketUpdates: false };
  expect(NOTICE_KINDS.filter((kind) => !isToasted(kind, push))).toEqual([
    'tripwire_acknowledged',
    'limits_changed',
  ]);
  expect(NOTICE_KINDS.filter((kind) => !isToasted(kind, quiet))).toEqual([
    'order_filled',
    'order_not_filled',
    'stop_loss',
    'frozen',
    'tripwire_amber',
    'tripwire_red',
    'tripwire_acknowledged',
    'failed',
    'broker_disconnected',
    'position_changed',
    'margin_call',
    'limits_changed',
  ]);
});
