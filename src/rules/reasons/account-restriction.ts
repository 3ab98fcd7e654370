// What a broker does not let an account do, and what its owner can do about it.
import {
  type AccountRestriction,
  STANDING_RESTRICTIONS,
  type StandingRestriction,
} from '#engine/execution/connection/account-terms.ts';

type Code = AccountRestriction['code'];

const TEXTS: { readonly [C in Exclude<Code, 'options_level'>]: string } = {
  account_blocked:
    'your broker has blocked this account. Ask your broker for the cause; trading goes on once it lifts the block.',
  trading_blocked:
    'your broker lets this account trade nothing. Ask your broker for the cause; trading goes on once it lifts the block.',
  not_active:
    'your broker does not show this account as active, as while your details there are being checked. Trading goes on once it does.',
  suspended_by_owner:
    'trading is switched off in the settings of your account at the broker. Switch it on there, and trading goes on.',
  transfers_blocked:
    'your broker has blocked transfers of money for this account. Positions are reduced, and none are opened, until it lifts the block.',
  day_trading_power:
    'your broker has marked the account as a pattern day trader, and this order costs more than its day-trading buying power. It goes out once that is enough.',
  no_shorting:
    'your broker does not let this account sell short. Allow it in your account there, or choose a strategy without short positions.',
  no_coins:
    'your account at the broker may not trade coins yet. Apply for it there, and this order goes out.',
};

/** The rest of a sentence, and the way out. */
export function accountRestrictionText(restriction: AccountRestriction): string {
  if (restriction.code !== 'options_level') return TEXTS[restriction.code];
  const { level, needed } = restriction;
  return `it needs level ${needed} for options, and your account at the broker has level ${level}. Apply for level ${needed} there, and this order goes out.`;
}

/** For staff; `codes` are those of an incident, with spaces between. */
export function standingRestrictionText(codes: string): string {
  const named = STANDING_RESTRICTIONS.filter((code) => codes.split(' ').includes(code));
  return named.map((code) => NAMES[code]).join(', ');
}

const NAMES: { readonly [C in StandingRestriction]: string } = {
  account_blocked: 'the account is blocked',
  trading_blocked: 'trading is blocked',
  not_active: 'the account is not active',
  suspended_by_owner: 'its owner has switched trading off',
  transfers_blocked: 'transfers of money are blocked',
};
