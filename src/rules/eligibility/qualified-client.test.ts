import { expect, it } from 'vitest';
import type { IsoDate } from '#units/instant.ts';
import { attestationText, decidePerformanceFee } from './qualified-client.ts';
import { eligibilityRulesOn } from './rule-book.ts';

const day = (text: string) => text as IsoDate;

it('charges a client in the United States only once they attest that they are a qualified client', () => {
  const today = day('2026-11-25');
  expect(decidePerformanceFee({ country: 'US', basis: null }, today)).toMatchObject({
    isCharged: false,
    reason: 'no_attestation',
  });
  expect(decidePerformanceFee({ country: 'US', basis: 'net_worth' }, today)).toMatchObject({
    isCharged: true,
    reason: 'qualified_client',
  });
});

it.each(['CH', 'IN', null])('charges a client in %s without one', (country) => {
  expect(decidePerformanceFee({ country, basis: null }, day('2026-11-25'))).toMatchObject({
    isCharged: true,
    reason: 'not_restricted',
  });
});

it('charges nobody who runs the product for themselves', () => {
  const own = { country: 'CH', basis: null, installation: 'own' } as const;
  expect(decidePerformanceFee(own, day('2026-11-25'))).toMatchObject({
    isCharged: false,
    reason: 'no_provider',
  });
});

it('applies the rules of the day, from their first day on', () => {
  expect(eligibilityRulesOn(day('2026-06-28')).version).toBe('2021-08');
  expect(eligibilityRulesOn(day('2026-06-29')).version).toBe('2026-06');
  expect(eligibilityRulesOn(day('2019-01-01')).version).toBe('2021-08');
  expect(attestationText('net_worth', day('2026-06-28'))).toContain('$2,200,000');
  expect(attestationText('net_worth', day('2026-06-29'))).toContain('$2,700,000');
  expect(attestationText('assets_under_management', day('2026-06-29'))).toContain('$1,400,000');
});
