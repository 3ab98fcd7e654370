// Decisions on who may invest and who pays a performance fee, with what was known; and what people attest of themselves.
import { type Kysely, sql } from 'kysely';
import type { AttestationBasis } from '#rules/eligibility/qualified-client.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { idList } from '../postgres/id-list.ts';
import type { Tables } from '../tables.ts';

export type EligibilityDecision = {
  readonly userId: UserId;
  readonly rule: 'investing' | 'performance_fee' | 'hypothetical_figures';
  readonly ruleVersion: string;
  readonly occasion: 'details' | 'agreement' | 'deployment' | 'attestation' | 'billing' | 'figures';
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly isAllowed: boolean;
  readonly reasons: readonly string[];
};

export async function recordDecisions(
  database: Kysely<Tables>,
  decisions: readonly EligibilityDecision[],
): Promise<void> {
  if (decisions.length === 0) return;
  await database
    .insertInto('eligibility_decisions')
    .values(
      decisions.map((decision) => ({
        user_id: decision.userId,
        rule: decision.rule,
        rule_version: decision.ruleVersion,
        occasion: decision.occasion,
        inputs: JSON.stringify(decision.inputs),
        outcome: decision.isAllowed ? ('allowed' as const) : ('refused' as const),
        reasons: [...decision.reasons],
      })),
    )
    .execute();
}

type Attestation = {
  readonly userId: UserId;
  /** Null: withdrawn. */
  readonly basis: AttestationBasis | null;
  readonly ruleVersion: string;
  readonly text: string;
  readonly address: string;
  readonly userAgent: string;
};

export async function recordAttestation(database: Kysely<Tables>, attested: Attestation): Promise<void> {
  await database
    .insertInto('attestations')
    .values({
      user_id: attested.userId,
      kind: 'qualified_client',
      basis: attested.basis,
      is_withdrawal: attested.basis === null,
      rule_version: attested.ruleVersion,
      text: attested.text,
      address: attested.address,
      user_agent: attested.userAgent,
    })
    .execute();
}

export type FeeStanding = {
  readonly country: string | null;
  /** On which the person relies; null without an attestation that stands. */
  readonly basis: AttestationBasis | null;
  readonly attestedAt: Instant | null;
};

/** What decides whether each person pays a performance fee. */
export async function readFeeStandings(
  database: Kysely<Tables>,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, FeeStanding>> {
  const { rows } = await sql<{
    id: UserId;
    country: string | null;
    basis: AttestationBasis | null;
    at: Date | null;
  }>`
    select u.id, u.country, a.basis, a.at from users u
    left join lateral (select basis, at from attestations a where a.user_id = u.id and a.kind = 'qualified_client'
      order by a.id desc limit 1) a on true
    where u.id = any(${idList(userIds)}::uuid[])`.execute(database);
  return new Map(
    rows.map(({ id, country, basis, at }) => [
      id,
      { country, basis, attestedAt: basis === null || at === null ? null : parseInstant(at) },
    ]),
  );
}
