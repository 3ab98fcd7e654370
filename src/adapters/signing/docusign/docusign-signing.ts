// DocuSign as the e-signature service. An envelope is written here before it is made there, and carries our id, so that a
// lost answer makes no second one. Only the vendor's own answer makes anyone a signer: neither the browser's word nor a
// notice does.
import { createHash, randomBytes } from 'node:crypto';
import {
  type Envelope,
  type EnvelopeStatus,
  SigningUnavailable,
  type SigningPort,
  type SigningRequest,
  type VendorEnvelopeStore,
  type VendorSigning,
} from '#ports/signing.ts';
import { instant, MINUTE_MS } from '#units/instant.ts';
import { appendEvent } from '../embedded/evidence-chain.ts';
import { envelopeOfNotice, isSignedByVendor } from './connect-notice.ts';
import type { DocusignClient } from './docusign-client.ts';
import { isIntent, placeEnvelope, PROVIDER } from './place-envelope.ts';
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

export function createDocusignSigning(options: DocusignOptions): SigningPort & VendorSigning {
  const { client, store } = options;
  const now = options.now ?? (() => new Date());

  return {
    provider: PROVIDER,

    async createSigningSession(request) {
      const at = now();
      const token = randomBytes(32).toString('base64url');
      const expiresAt = instant(at.getTime() + TOKEN_LIFE_MS);
      const envelope = await placeEnvelope(request, { ...options, at, expiresAt });
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
    if (isIntent(kept)) return 'created';
    const outcome = await readOutcome(client, kept);
    if (outcome.kind === 'open') return 'created';
    const settled = await store.change(envelopeId, async (current) => settle(current, outcome, now()));
    return settled.status;
  }
}

function withPresentation(envelope: Envelope, visitor: SigningRequest['visitor'], at: Date): Envelope {
  const details = { document_hash: envelope.presentedHash, shown_by: PROVIDER };
  const events = appendEvent(envelope.events, { type: 'document_presented', at, visitor, details });
  return { ...envelope, events };
}

function settle(current: Envelope, outcome: Exclude<Outcome, { kind: 'open' }>, at: Date): Envelope {
  if (current.status !== 'created') return current;
  return outcome.kind === 'signed' ? signed(current, outcome, at) : declined(current, outcome, at);
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}
