import type { FastifyRequest } from 'fastify';
import { lockPerson } from '#records/billing/subscriptions.ts';
import {
  readFeeStandings,
  recordAttestation,
  recordDecisions,
} from '#records/suitability/eligibility-records.ts';
import { type AttestationBasis, decidePerformanceFee } from '#rules/eligibility/qualified-client.ts';
import type { UserId } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import type { Dependencies } from '../http/dependencies.ts';

type Attested = {
  readonly userId: UserId;
  /** Null: withdrawn. */
  readonly basis: AttestationBasis | null;
  readonly text: string;
};

/** Keeps what the person states, and what follows from it. */
export async function keepAttestation(
  { userId, basis, text }: Attested,
  request: FastifyRequest,
  { records, now }: Pick<Dependencies, 'records' | 'now'>,
): Promise<void> {
  const day = utcDate(now());
  await records.database.transaction().execute(async (trx) => {
    await lockPerson(trx, userId);
    const { country } = (await readFeeStandings(trx, [userId])).get(userId)!;
    const { ruleVersion, isCharged, reason } = decidePerformanceFee({ country, basis }, day);
    const userAgent = (request.headers['user-agent'] ?? 'not stated').slice(0, USER_AGENT_LENGTH_MAX);
    await recordAttestation(trx, { userId, basis, ruleVersion, text, address: request.ip, userAgent });
    const decision = { rule: 'performance_fee', ruleVersion, occasion: 'attestation' } as const;
    const inputs = { country, basis, day };
    await recordDecisions(trx, [{ ...decision, userId, inputs, isAllowed: isCharged, reasons: [reason] }]);
  });
}

const USER_AGENT_LENGTH_MAX = 300;
