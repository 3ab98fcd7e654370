import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { GrantedAccount } from '#engine/execution/connection/broker-request.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { accountRefusal, decideAccount } from './choose-account.ts';

const accounts: fc.Arbitrary<readonly GrantedAccount[]> = fc.uniqueArray(
  fc.record({
    accountId: fc.constantFrom('U1', 'U2', 'U3').map((id) => id as BrokerAccountId),
    title: fc.constant('Ada'),
    currency: fc.constantFrom('USD', 'EUR'),
  }),
  { selector: ({ accountId }) => accountId },
);
const nothing = new Set<BrokerAccountId>();

it('connects a single account, lets the client choose among several, and never picks one for them', () => {
  fc.assert(
    fc.property(accounts, (granted) => {
      const decision = decideAccount(granted, nothing);
      const usable = granted.filter((one) => accountRefusal(one) === null);
      if (usable.length === 0) expect(decision.type).toBe('fail');
      else expect(decision.type).toBe(granted.length === 1 ? 'connect' : 'choose');
      if (decision.type === 'connect') expect(decision.account).toBe(granted[0]);
    }),
  );
});

it('renews the account that deployments trade in without asking', () => {
  fc.assert(
    fc.property(accounts, (granted) => {
      const used = granted.at(-1);
      fc.pre(used !== undefined);
      expect(decideAccount(granted, new Set([used.accountId]))).toEqual({ type: 'connect', account: used });
    }),
  );
});
