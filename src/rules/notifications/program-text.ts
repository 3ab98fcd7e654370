// Notices about programs of a person: their API keys and webhooks.
import type { Micro } from '#units/money.ts';
import { actText } from '../api-keys/act-rules.ts';

export type ProgramFacts =
  /** A program asks for what its owner decides about. */
  | {
      readonly kind: 'key_asks';
      readonly keyName: string;
      readonly call: string;
      readonly strategyName: string | null;
      readonly amount: Micro;
      readonly hours: number;
    }
  | { readonly kind: 'webhook_disabled'; readonly host: string; readonly because: 'failing' | 'gone' };

export function programText(facts: ProgramFacts): { readonly title: string; readonly message: string } {
  if (facts.kind === 'key_asks')
    return {
      title: 'An API key asks for your decision',
      message: `${facts.keyName} asks: ${actText(facts)}. Accept or decline it within ${facts.hours} hours under Account, Security. Until then nothing happens.`,
    };
  const { host, because } = facts;
  const what = because === 'gone' ? 'answered that it takes nothing any more' : 'has taken nothing for days';
  return {
    title: 'Webhook turned off',
    message: `${host} ${what}, so we post nothing there. Turn it on again under Account, Notifications.`,
  };
}
