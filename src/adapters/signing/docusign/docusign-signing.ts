// DocuSign as the e-signature service. An envelope is written here before it is made there, and carries our id, so that a
// lost answer makes no second one. Only the vendor's own answer makes anyone a signer: neither the browser's word nor a
// notice does.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  type Envelope,
  type EnvelopeStatus,
  SigningUnavailable,
  type SigningPort,
  type SigningRequest,
  type VendorEnvelopeStore,
  type VendorSigning,
} from '#ports/signing.ts';
import type { AgreementId } from '#units/identifiers.ts';
import { instant, MINUTE_MS } from '#units/instant.ts';
import { composeAgreement } from '../document/compose-agreement.ts';
import { appendEvent } from '../embedded/evidence-chain.ts';
import { envelopeOfNotice, isSignedByVendor } from './connect-notice.ts';
import type { DocusignClient } from './docusign-client.ts';
import { ANCHORS, envelopeRequest, OUR_ID } from './envelope-request.ts';
import { declined, type Outcome, readOutcome, signed } from './read-outcome.ts';

export interface DocusignOptions {
  readonly client: DocusignClient;
  readonly store: VendorEnvelopeStore;
  /** Our own signing page, such as 'https://product.example/sign': the vendor's is shown within it. */
  readonly signingPage: string;
  /** Where the vendor sends its notices. */
  readonly noticeUrl: string;
  readonly noticeKeys: readonly string[];
  readonly integrationKey: string;
  readonly scriptUrl: string;
  /** From where the vendor's signing pages come. */
  readonly appsOrigin: string;
  readonly now?: () => Date;
}

const TOKEN_LIFE_MS = 15 * MINUTE_MS;
const PROVIDER = 'docusign';
/** Marks an envelope that the vendor may not know yet. */
const INTENT = 'intent-';

export function createDocusignSigning(options: DocusignOptions): SigningPort & VendorSigning {
  const { client, store } = options;
  const now = options.now ?? (() => new Date());

  return {
    provider: PROVIDER,

    async createSigningSession(request) {
      const at = now();
      const token = randomBytes(32).toString('base64url');
      const expiresAt = instant(at.getTime() + TOKEN_LIFE_MS);
      const envelope = await placedEnvelope(request, at, expiresAt);
      const link = { tokenHash: sha256(token), expiresAt, sessionId: request.session.id };
      await store.renewLink(envelope.envelopeId, link);
      return {
        signingUrl: `${options.signingPage}/${token}`,
        envelopeId: envelope.envelopeId,
        expiresAt,
      };
    },

    status,

    async evidence(envelopeId) {
      return (await store.find(envelopeId))?.signed;
    },

    async find(token) {
      const envelope = await store.findByToken(sha256(token));
      if (envelope === undefined) return { kind: 'refused', code: 'unknown-token' };
      if (now().getTime() >= envelope.expiresAt) return { kind: 'refused', code: 'expired-token' };
      return { kind: 'found', envelope };
    },

    async openView({ envelopeId, signer }, visitor) {
      const { url } = await client.ask('POST', `/envelopes/${envelopeId}/views/recipient`, {
        returnUrl: `${options.signingPage}/returned`,
        authenticationMethod: 'none',
        email: signer.email,
        userName: signer.name,
        clientUserId: signer.userId,
        frameAncestors: [new URL(options.signingPage).origin, options.appsOrigin],
        messageOrigins: [options.appsOrigin],
      });
      if (typeof url !== 'string') throw new SigningUnavailable('DocuSign answered without a view');
      await store.change(envelopeId, async (current) => withPresentation(current, visitor, now()));
      return {
        url,
        scriptUrl: options.scriptUrl,
        integrationKey: options.integrationKey,
        origins: [...new Set([new URL(url).origin, options.appsOrigin])],
      };
    },

    async takeNotice(body, signatures) {
      if (!isSignedByVendor(body, signatures, options.noticeKeys)) return 'refused';
      const envelopeId = envelopeOfNotice(body);
      if (envelopeId !== undefined) await status(envelopeId);
      return 'taken';
    },
  };

  async function status(envelopeId: string): Promise<EnvelopeStatus> {
    const kept = await store.find(envelopeId);
    if (kept === undefined) return 'unknown-envelope';
    if (kept.status !== 'created') return kept.status;
    if (envelopeId.startsWith(INTENT)) return 'created';
    const outcome = await readOutcome(client, kept);
    if (outcome.kind === 'open') return 'created';
    const settled = await store.change(envelopeId, async (current) => settle(current, outcome, now()));
    return settled.status;
  }

  /** The person's open envelope of exactly this text, made at the vendor when it is not there yet. */
  async function placedEnvelope(request: SigningRequest, at: Date, expiresAt: Envelope['expiresAt']) {
    const { version } = request.agreement;
    const open = await store.findOpen({ userId: request.signer.userId, version, provider: PROVIDER });
    const isSame = open !== undefined && sameText(open, request);
    if (isSame && !open.envelopeId.startsWith(INTENT)) return open;
    const envelope = isSame ? open : await newEnvelope(request, at, expiresAt);
    // A link of its own follows once the vendor has the envelope; until then nobody knows this one.
    if (!isSame) await store.create(envelope, randomBytes(32));
    const vendorId = (isSame ? await findAtVendor(envelope) : undefined) ?? (await makeAtVendor(envelope));
    if (!(await store.rename(envelope.envelopeId, vendorId)))
      throw new SigningUnavailable('this agreement was started twice at the same time');
    return { ...envelope, envelopeId: vendorId };
  }

  async function findAtVendor({ agreementId, createdAt }: Envelope): Promise<string | undefined> {
    const query = new URLSearchParams({
      from_date: new Date(createdAt - MINUTE_MS).toISOString(),
      custom_field: `${OUR_ID}=${agreementId}`,
    });
    const { envelopes } = (await client.ask('GET', `/envelopes?${query}`)) as {
      envelopes?: readonly { envelopeId: string; status: string }[];
    };
    return envelopes?.find((found) => found.status !== 'voided')?.envelopeId;
  }

  async function makeAtVendor(envelope: Envelope): Promise<string> {
    const body = envelopeRequest(envelope, options.noticeUrl);
    const { envelopeId } = await client.ask('POST', '/envelopes', body);
    if (typeof envelopeId !== 'string') throw new SigningUnavailable('DocuSign answered without an envelope');
    return envelopeId;
  }
}

async function newEnvelope(
  { agreement, signer, session, visitor, returnUrl }: SigningRequest,
  at: Date,
  expiresAt: Envelope['expiresAt'],
): Promise<Envelope> {
  const presented = await composeAgreement(agreement, { composedAt: at, anchors: Object.values(ANCHORS) });
  const agreementId = randomUUID();
  const presentedHash = sha256(presented).toString('hex');
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
        user_id: signer.userId,
        signed_in_as: signer.email,
        session_id: session.id,
        identity_confirmed_at: new Date(session.confirmedAt).toISOString(),
        sign_in: session.hasSecondFactor ? 'password and second factor' : 'password',
        version: agreement.version,
        document_hash: presentedHash,
      },
    }),
  };
}

function withPresentation(
  envelope: Envelope,
  visitor: SigningRequest['visitor'],
  at: Date,
): Envelope {
  const details = { document_hash: envelope.presentedHash, shown_by: PROVIDER };
  const events = appendEvent(envelope.events, { type: 'document_presented', at, visitor, details });
  return { ...envelope, events };
}

function settle(current: Envelope, outcome: Exclude<Outcome, { kind: 'open' }>, at: Date): Envelope {
  if (current.status !== 'created') return current;
  return outcome.kind === 'signed' ? signed(current, outcome, at) : declined(current, outcome, at);
}

function sameText(open: Envelope, { agreement, signer }: SigningRequest): boolean {
  const text = ({ name, email }: Envelope['signer'], shown: Envelope['agreement']) =>
    JSON.stringify([name, email, shown.version, shown.title, shown.consent, shown.electronicConsent]) +
    JSON.stringify([shown.preamble, shown.sections.map(({ heading, paragraphs }) => [heading, paragraphs])]);
  return text(open.signer, open.agreement) === text(signer, agreement);
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}
