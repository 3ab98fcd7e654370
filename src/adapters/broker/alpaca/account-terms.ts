// What the vendor says that an account may do. Absent flags restrict nothing; of options only what it says is allowed.
import type { AccountTerms, StandingRestriction } from '#engine/execution/connection/account-terms.ts';
import { toMicro } from '#units/money.ts';
import { asNumber, asText, type Fields, fieldsOf } from '../answer-fields.ts';

export function parseAccountTerms(body: unknown): AccountTerms {
  const fields = fieldsOf(body, 'the account');
  const power = asNumber(fields.daytrading_buying_power);
  return {
    standing: FLAGS.flatMap(([code, isSet]) => (isSet(fields) ? [code] : [])),
    dayTradingPower: fields.pattern_day_trader === true && power !== null ? toMicro(power) : null,
    mayShort: fields.shorting_enabled !== false,
    mayTradeCoins: isActive(fields.crypto_status),
    optionsLevel: optionsLevelOf(fields),
  };
}

/** The level that its owner has chosen, and never more than the one that was approved. */
function optionsLevelOf(fields: Fields): number | null {
  const levels = [fields.options_trading_level, fields.options_approved_level].flatMap((one) => {
    const level = asNumber(one);
    return level === null ? [] : [level];
  });
  return levels.length === 0 ? null : Math.min(...levels);
}

const FLAGS: readonly (readonly [StandingRestriction, (fields: Fields) => boolean])[] = [
  ['account_blocked', ({ account_blocked: flag }) => flag === true],
  ['trading_blocked', ({ trading_blocked: flag }) => flag === true],
  ['not_active', ({ status }) => !isActive(status)],
  ['suspended_by_owner', ({ trade_suspended_by_user: flag }) => flag === true],
  ['transfers_blocked', ({ transfers_blocked: flag }) => flag === true],
];

function isActive(status: unknown): boolean {
  const said = asText(status);
  return said === null || said.toUpperCase() === 'ACTIVE';
}
