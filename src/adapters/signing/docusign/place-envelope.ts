// An agreement's envelope, written here before it is made at the vendor: a lost answer makes no second one.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  type Envelope,
  SigningUnavailable,
  type SigningRequest,
  type VendorEnvelopeStore,
} from '#ports/signing.ts';
import type { AgreementId } from '#units/identifiers.ts';
import { type Instant, instant, MINUTE_MS } from '#units/instant.ts';
import { composeAgreement } from '../document/compose-agreement.ts';
import { appendEvent, signerDetails } from '../embedded/evidence-chain.ts';
import type { DocusignClient } from './docusign-client.ts';
import { ANCHORS, envelopeRequest, OUR_ID } from './envelope-request.ts';

export const PROVIDER = 'docusign';
/** Marks an envelope that the vendor may not know yet. */
const INTENT = 'intent-';

type Tools = {
  readonly client: DocusignClient;
  readonly store: VendorEnvelopeStore;
  /** Where the vendor sends its notices. */
  readonly noticeUrl: string;
  readonly at: Date;
  readonly expiresAt: Instant;
};

/** The person's open envelope of exactly this text, made at the vendor when it is not there yet. */
export async function placeEnvelope(request: SigningRequest, tools: Tools): Promise<Envelope> {
  const { client, store, noticeUrl } = tools;
  const { version } = request.agreement;
  const open = await store.findOpen({ userId: request.signer.userId, version, provider: PROVIDER });
  const isSame = open !== undefined && sameText(open, request);
  if (isSame && !isIntent(open)) return open;
  const envelope = isSame ? open : await newEnvelope(request, tools);
  // A link of its own follows once the vendor has the envelope; until then nobody knows this one.
  if (!isSame) await store.create(envelope, randomBytes(32));
  const known = isSame ? await findAtVendor(client, envelope) : undefined;
  const vendorId = known ?? (await makeAtVendor(client, envelope, noticeUrl));
  if (!(await store.rename(envelope.envelopeId, vendorId)))
    throw new SigningUnavailable('this agreement was started twice at the same time');
  return { ...envelope, envelopeId: vendorId };
}

export function isIntent({ envelopeId }: Pick<Envelope, 'envelopeId'>): boolean {
  return envelopeId.startsWith(INTENT);
}

async function findAtVendor(
  client: DocusignClient,
  { agreementId, createdAt }: Envelope,
): Promise<string | undefined> {
  const query = new URLSearchParams({
    from_date: new Date(createdAt - MINUTE_MS).toISOString(),
    custom_field: `${OUR_ID}=${agreementId}`,
  });
  const { envelopes } = (await client.ask('GET', `/envelopes?${query}`)) as {
    envelopes?: readonly { envelopeId: string; status: string }[];
  };
  return envelopes?.find((found) => found.status !== 'voided')?.envelopeId;
}

async function makeAtVendor(client: DocusignClient, envelope: Envelope, noticeUrl: string): Promise<string> {
  const { envelopeId } = await client.ask('POST', '/envelopes', envelopeRequest(envelope, noticeUrl));
  if (typeof envelopeId !== 'string') throw new SigningUnavailable('DocuSign answered without an envelope');
  return envelopeId;
}

async function newEnvelope(
  { agreement, signer, session, visitor, returnUrl }: SigningRequest,
  { at, expiresAt }: Pick<Tools, 'at' | 'expiresAt'>,
): Promise<Envelope> {
  const presented = await composeAgreement(agreement, { composedAt: at, anchors: Object.values(ANCHORS) });
  const agreementId = randomUUID();
  const presentedHash = createHash('sha256').update(presented).digest('hex');
  return {
    agreementId: agreementId as AgreementId,
    envelopeId: `${INTENT}${agreementId}`,
    provider: PROVIDER,
    signer,
    sessionId: session.id,
    agreement,
    returnUrl,
    status: 'created',
    createdAt: instant(at.getTime()),
    expiresAt,
    presented,
    presentedHash,
    events: appendEvent([], {
      type: 'session_created',
      at,
      visitor,
      details: {
        ...signerDetails({ signer, session }),
        version: agreement.version,
        document_hash: presentedHash,
      },
    }),
  };
}

function sameText(open: Envelope, { agreement, signer }: SigningRequest): boolean {
  const text = ({ name, email }: Envelope['signer'], shown: Envelope['agreement']) =>
    JSON.stringify([name, email, shown.version, shown.title, shown.consent, shown.electronicConsent]) +
    JSON.stringify([shown.preamble, shown.sections.map(({ heading, paragraphs }) => [heading, paragraphs])]);
  return text(open.signer, open.agreement) === text(signer, agreement);
}
