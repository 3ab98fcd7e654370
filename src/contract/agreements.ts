import { z } from 'zod';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

const signingSession = z
  .object({
    /** Opens once the signing, within the fifteen minutes until expires_at. */
    signing_url: z.string(),
    envelope_id: z.string(),
    expires_at: z.string(),
  })
  .meta({ id: 'SigningSession' });

const signedAgreement = z
  .object({
    id: z.string(),
    version: z.string(),
    signed_name: z.string(),
    signed_at: z.string(),
    /** SHA-256 of the sealed PDF. */
    sealed_hash: z.string(),
    /** Where the sealed PDF is; needs the same sign-in. */
    document_url: z.string(),
  })
  .meta({ id: 'SignedAgreement' });

export const agreementsEndpoints = {
  getAgreementUrl: endpoint(ROUTES.getAgreementUrl, {
    room: 'agreements',
    summary: 'Start signing the current investment agreement; needs date of birth and country',
    description: "Starts a fifteen-minute signing session for the caller's copy of the current agreement.",
    security: 'bearer',
    status: 200,
    answer: signingSession,
    refusals: ['already_exists', 'not_eligible'],
  }),
  getAgreementStatus: endpoint(ROUTES.getAgreementStatus, {
    room: 'agreements',
    summary: 'Whether the caller has signed the current investment agreement',
    description: 'True once the current version is signed; an older version does not count.',
    security: 'bearer',
    status: 200,
    answer: z.object({ status: z.boolean() }).meta({ id: 'AgreementStatus' }),
    refusals: [],
  }),
  listAgreements: endpoint(ROUTES.listAgreements, {
    room: 'agreements',
    summary: 'The agreements that the caller has signed, newest first',
    description: 'Each with its version, signed name, time and the hash of the sealed document.',
    security: 'bearer',
    status: 200,
    answer: z.array(signedAgreement),
    refusals: [],
  }),
  downloadAgreement: endpoint(ROUTES.downloadAgreement, {
    room: 'agreements',
    opensByLink: true,
    summary: "The sealed PDF of one of the caller's signed agreements",
    description: 'The document exactly as it was sealed at signing; its SHA-256 is sealed_hash.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: z.string(),
    media: 'application/pdf',
    refusals: ['not_found'],
  }),
} as const;
