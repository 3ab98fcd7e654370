import { expect, test } from 'vitest';
import { toMicro } from '#units/money.ts';
import { type Alarm, alarmMailText } from './alarm-text.ts';

const ALARM: Alarm = {
  event: 'opened',
  kind: 'deployment_quarantined',
  facts: { task: 'fan-out', instrument: null },
  account: 'DU100',
  symbol: null,
  deployments: 1,
  equity: toMicro(12_340.5),
  exitsWaiting: 2,
  since: '2026-03-05 14:31 UTC',
  link: 'http://product.test/operations#incident-1',
};

test('an alarm says what happened, what is behind it, and what to do', () => {
  expect(alarmMailText([ALARM])).toEqual({
    subject: 'Bellwether: act now: Deployment quarantined (DU100)',
    text: [
      'act now: Deployment quarantined (DU100)',
      'The order generation of this deployment failed five times in a row, so it is set aside. It does not trade, and its stop losses do not trigger. Its positions stay open.',
      'Next: Tell the client. Two people release it once its cause is mended; stopping or liquidating it closes its positions.',
      'Behind it: 1 deployment, $12,340.50. 2 exits wait.',
      'Since 2026-03-05 14:31 UTC.',
      'http://product.test/operations#incident-1',
      '',
    ].join('\n'),
  });
});

test('several alarms are one mail that counts them', () => {
  const over = { ...ALARM, event: 'ended' } as const;
  const { subject, text } = alarmMailText([ALARM, ALARM, over]);
  expect(subject).toBe('Bellwether: 2 to act on now, 1 over');
  expect(text.split('\n\n')).toHaveLength(3);
  expect(text).toContain('over: Deployment quarantined (DU100)\nIt was open since 2026-03-05 14:31 UTC.');
});
