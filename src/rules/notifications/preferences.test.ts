import { expect, it } from 'vitest';
import { choicesOf } from './choices.ts';
import { NOTICE_KINDS } from './notice-text.ts';
import {
  choicesOfChange,
  DEFAULT_NOTIFICATION_PREFERENCES,
  isToasted,
  preferencesOf,
} from './preferences.ts';

const { push } = DEFAULT_NOTIFICATION_PREFERENCES;

it('is read from the choices of news: without one what the specification says, and back again', () => {
  expect(preferencesOf(choicesOf([]))).toEqual(DEFAULT_NOTIFICATION_PREFERENCES);
  const turned = {
    email: { tradeConfirmations: false, strategyUpdates: false, performanceReports: true },
    push: { tradeAlerts: false, riskWarnings: false, marketUpdates: true },
  };
  expect(preferencesOf(choicesOf(choicesOfChange(turned)))).toEqual(turned);
});

it('turns every mail but those of trades with the one switch of before', () => {
  const { risk, fees, updates, fills, security } = choicesOf(
    choicesOfChange({ email: { strategyUpdates: false } }),
  );
  expect([risk.mail, fees.mail, updates.mail, fills.mail, security.mail]).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});

it('toasts what the person left on, and always the answer to their own click, unless its screen gives one', () => {
  const quiet = { tradeAlerts: false, riskWarnings: false, marketUpdates: false };
  expect(NOTICE_KINDS.filter((kind) => !isToasted(kind, push))).toEqual([
    'tripwire_acknowledged',
    'limits_changed',
    'security_changed',
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
    'broker_reconnected',
    'position_changed',
    'margin_call',
    'limits_changed',
    'security_changed',
  ]);
});
