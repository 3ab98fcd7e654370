import { signedWebhook } from '#adapters/alarm/signed-webhook/signed-webhook.ts';
import type { AlarmDependencies } from '#server/mail/deliver-alarm.ts';
import type { Environment } from '../environment/environment.ts';

export function connectAlarms({
  operator: { email, webhook },
}: Pick<Environment, 'operator'>): Pick<AlarmDependencies, 'operatorEmail' | 'alarmReceiver'> {
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  return {
    operatorEmail: email,
    alarmReceiver: webhook === null ? null : signedWebhook({ ...webhook, nowSeconds }),
  };
}
