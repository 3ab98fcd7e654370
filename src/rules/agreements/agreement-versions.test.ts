import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { parseWallInstant } from '#units/wall-instant.ts';
import { AGREEMENT_VERSION, OWNER_TERMS, provider } from '../provider.ts';
import { AGREEMENT_VERSIONS, agreementStages, changesSince, signByProblem } from './agreement-versions.ts';
import { agreementFor } from './investment-agreement.ts';

/** Whoever changes a word of the agreement gives it a new version, with its changes in words, and this hash. */
const TEXT = {
  version: '2026-11-27',
  hash: '04c0b48b423cae987c31c89cd2a81ba8ffe7d54363a1a21da387430572d13291',
};

it('changes no word without a new version', () => {
  const client = { name: 'A', email: 'a@example.test', countryName: 'B' };
  const { consent, electronicConsent, preamble, sections } = agreementFor(client, {
    installation: 'provider',
    provider: provider(OWNER_TERMS),
  });
  const text = JSON.stringify([consent, electronicConsent, preamble, sections]);
  expect({ version: AGREEMENT_VERSION, hash: createHash('sha256').update(text).digest('hex') }).toEqual(TEXT);
});

it('says of each version but the first what is new', () => {
  expect(AGREEMENT_VERSIONS[0]!.version).toBe(AGREEMENT_VERSION);
  for (const { version, changes } of AGREEMENT_VERSIONS.slice(0, -1))
    expect(changes, version).not.toEqual([]);
  expect(changesSince(AGREEMENT_VERSION)).toEqual([]);
  const [newest, before, first] = AGREEMENT_VERSIONS;
  expect(changesSince(before!.version)).toEqual(newest!.changes);
  expect(changesSince(first!.version)).toEqual([...before!.changes, ...newest!.changes]);
});

const at = (day: string) => parseWallInstant(`${day}T00:00:00Z`);

it.each([
  ['2026-12-01', null, ['changed']],
  ['2026-12-15', null, ['changed', 'reminded']],
  ['2026-12-01', '2027-01-31', ['changed', 'dated']],
  ['2027-01-24', '2027-01-31', ['changed', 'reminded', 'dated', 'soon']],
  ['2027-01-31', '2027-01-31', ['changed', 'reminded', 'dated', 'soon', 'over']],
] as const)('on %s, with %s as the day to sign by, has said %j', (now, signBy, stages) => {
  expect(agreementStages({ toldAt: at('2026-12-01'), signBy: signBy && at(signBy), now: at(now) })).toEqual(
    stages,
  );
});

it('asks for a day that leaves the time which the agreement promises', () => {
  expect(signByProblem(at('2026-12-30'), at('2026-12-01'))).toMatch('at least 30 days ahead');
  expect(signByProblem(at('2026-12-31'), at('2026-12-01'))).toBeNull();
  expect(signByProblem(at('2028-01-01'), at('2026-12-01'))).toMatch('within a year');
});
