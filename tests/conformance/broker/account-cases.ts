// What a broker says that an account may do, where it says so.
import { strict as assert } from 'node:assert';
import { type AccountTerms, restrictionOf } from '#engine/execution/connection/account-terms.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity, ZERO_QUANTITY } from '#units/quantity.ts';
import type { AccountLimit, ConformanceCase } from './conformance-case.ts';
import { signedIn, value } from './steps.ts';

const STANDING: readonly AccountLimit[] = [
  'account_blocked',
  'trading_blocked',
  'not_active',
  'suspended_by_owner',
  'transfers_blocked',
];

export const ACCOUNT_CASES: readonly ConformanceCase[] = [
  {
    number: 'T1',
    requirement:
      'each flag that keeps an account from trading is known after the next look, and gone after the one that shows its end',
    needs: 'terms',
    async run(harness) {
      const { session } = await signedIn(harness);
      const seen = async () => {
        value(await session.keepAlive());
        return session.accountTerms!();
      };
      assert.deepEqual((await seen()).standing, []);
      for (const limit of STANDING) {
        harness.limitAccount!(limit, true);
        assert.deepEqual((await seen()).standing, [limit]);
        harness.limitAccount!(limit, false);
        assert.deepEqual((await seen()).standing, []);
      }
    },
  },
  {
    number: 'T2',
    requirement:
      'short sales, coins, day-trading buying power and the level for options are known when the session opens',
    needs: 'terms',
    async run(harness) {
      const { session, authorization } = await signedIn(harness);
      const order = {
        multiplier: 1,
        side: 'buy',
        quantity: toQuantity(1),
        limitPrice: 101,
        held: ZERO_QUANTITY,
      } as const;
      const code = (terms: AccountTerms, asked: object) =>
        restrictionOf(terms, { ...order, kind: 'equity', ...asked })?.code ?? null;
      const free = session.accountTerms!();
      assert.deepEqual(
        [
          code(free, {}),
          code(free, { side: 'sell' }),
          code(free, { kind: 'crypto' }),
          code(free, { kind: 'options' }),
        ],
        [null, null, null, null],
      );
      for (const limit of ['day_trading', 'no_shorting', 'no_coins', 'options_level_1'] as const)
        harness.limitAccount!(limit, true);
      const again = value(await harness.broker.openSession(authorization.credentials));
      const terms = again.accountTerms!();
      assert.equal(terms.dayTradingPower, toMicro(100));
      assert.deepEqual(
        [
          code(terms, {}),
          code(terms, { side: 'sell' }),
          code(terms, { kind: 'crypto' }),
          code(terms, { kind: 'options' }),
        ],
        ['day_trading_power', 'no_shorting', 'no_coins', 'options_level'],
      );
      assert.equal(code(terms, { kind: 'options', side: 'sell' }), null);
    },
  },
];
