// Notices about the account itself: its security, and where its news goes.
import { type SecurityEventKind, securityEventText } from '../identity/security-event.ts';

export type AccountFacts =
  /** `device`: what the browser said it is. */
  | { readonly kind: 'security_changed'; readonly change: SecurityChange; readonly device: string }
  | { readonly kind: 'channel_gone'; readonly channel: 'push' | 'telegram'; readonly name: string };

/** What a person must hear of even where they did it themselves: a stranger may have. */
export const SECURITY_CHANGES = [
  'password_changed',
  'password_reset',
  'two_factor_on',
  'two_factor_off',
  'passkey_added',
  'passkey_removed',
  'passkey_copied',
  'api_key_created',
  'backup_codes_replaced',
  'webhook_added',
  'browser_added',
  'telegram_linked',
] as const satisfies readonly SecurityEventKind[];
export type SecurityChange = (typeof SECURITY_CHANGES)[number];

export function isSecurityChange(kind: SecurityEventKind): kind is SecurityChange {
  return (SECURITY_CHANGES as readonly SecurityEventKind[]).includes(kind);
}

export function accountText(facts: AccountFacts): { readonly title: string; readonly message: string } {
  if (facts.kind === 'security_changed')
    return {
      title: securityEventText(facts.change),
      message: `It was done with ${facts.device}. If that was not you, change your password now and look at Account, Security.`,
    };
  const { channel, name } = facts;
  return channel === 'push'
    ? {
        title: 'A browser gets no more news',
        message: `${name} takes no more pushes, so we removed it. Turn push on again there under Account, Notifications.`,
      }
    : {
        title: 'Telegram gets no more news',
        message: `The chat with ${name} is closed to us, so we removed it. Link it again under Account, Notifications.`,
      };
}
