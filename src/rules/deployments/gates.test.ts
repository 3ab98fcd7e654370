import { describe, expect, it } from 'vitest';
import type { IsoDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { PRACTICE_DAYS } from './own-strategy.ts';
import { type GateFacts, offerNote, offerOf, shutGates } from './gates.ts';

const today = '2026-03-02' as IsoDate;
const ATTACKED = { verdict: 'withstood', isAccepted: false } as const;
const open: GateFacts = {
  strategyScore: 3,
  clientScore: 3,
  eligibility: { dateOfBirth: '1985-04-30', country: 'CH' },
  agreementSigned: true,
  feesPaid: true,
  strategyOffered: true,
  strategyInterval: null,
  ownStrategy: null,
  brokerConnected: true,
  marketSupported: true,
  investment: toMicro(10_000),
  availableCash: toMicro(10_000),
};
const shut = (change: Partial<GateFacts>) =>
  shutGates({ ...open, ...change }, today).map(({ gate, field }) => [gate, field]);

describe('the gates of a deployment', () => {
  it('lets a qualified client with enough cash through', () => {
    expect(shut({})).toEqual([]);
  });

  it.each([
    [{ clientScore: null }, [['risk_profile_missing', null]]],
    [{ strategyScore: 4 }, [['not_suitable', 'strategy']]],
    [{ eligibility: { dateOfBirth: '1985-04-30', country: 'DE' } }, [['not_eligible', 'country']]],
    [{ agreementSigned: false }, [['agreement_not_signed', null]]],
    [{ feesPaid: false }, [['fee_unpaid', null]]],
    [{ strategyOffered: false }, [['strategy_not_offered', 'strategy']]],
    [{ strategyInterval: '5m' }, [['strategy_not_offered', 'strategy']]],
    [
      { ownStrategy: { attack: ATTACKED, practisedDays: PRACTICE_DAYS - 1 } },
      [['own_strategy_not_ready', 'strategy']],
    ],
    [
      { ownStrategy: { attack: null, practisedDays: PRACTICE_DAYS } },
      [['own_strategy_not_ready', 'strategy']],
    ],
    [{ ownStrategy: { attack: ATTACKED, practisedDays: PRACTICE_DAYS } }, []],
    [{ brokerConnected: false }, [['broker_not_connected', 'broker_connection']]],
    [{ marketSupported: false }, [['broker_market_not_supported', 'broker_connection']]],
    [{ availableCash: toMicro(9_999.99) }, [['not_enough_cash', 'investment_amount']]],
    [{ availableCash: null }, [['not_enough_cash', 'investment_amount']]],
  ] as const)('names the gate that %o shuts', (change, gates) => {
    expect(shut(change)).toEqual(gates);
  });

  it('offers a strategy of hours where the feed has hours of its kind', () => {
    const offered = (kind: 'equity' | 'crypto', parts?: { intervals(kind: string): readonly string[] }) =>
      offerNote(offerOf({ status: 'published', ownerId: null, interval: '1h', kind }, parts));
    const parts = { intervals: (kind: string) => (kind === 'equity' ? ['30m', '1h'] : []) };
    expect(offered('equity', parts)).toBeNull();
    expect(offered('crypto', parts)).toContain('reads bars of 1h, and the prices here have no such bars');
    expect(offered('equity')).toContain('reads bars of 1h, and the prices here have no such bars');
  });

  it('names all shut gates at once, in the order of the way there', () => {
    const nothing = { clientScore: null, agreementSigned: false, brokerConnected: false };
    expect(shut(nothing).map(([gate]) => gate)).toEqual([
      'risk_profile_missing',
      'agreement_not_signed',
      'broker_not_connected',
    ]);
  });
});
