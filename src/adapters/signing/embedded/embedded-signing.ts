// Our own e-signature service: stores envelopes, shows them to the holder of the token, signs and seals once.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type {
  Envelope,
  EnvelopeStatus,
  EnvelopeStore,
  EvidenceEvent,
  FoundEnvelope,
  MissingPart,
  SignedEvidence,
  SigningCeremony,
  SigningPort,
  SigningRequest,
  Visitor,
} from '#ports/signing.ts';
import type { AgreementId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { composeAgreement } from '../document/compose-agreement.ts';
import { appendCertificate } from './certificate-page.ts';
import { appendEvent, signerDetails } from './evidence-chain.ts';
import { sealDocument } from './seal-document.ts';
import type { SealKey } from './seal-key.ts';

interface EmbeddedSigningOptions {
  readonly store: EnvelopeStore;
  /** The one that counts now: it may be replaced while the product runs. */
  readonly openKey: () => Promise<SealKey>;
  /** The address of the signing page, such as 'https://product.example/sign'. */
  readonly signingPage: string;
  readonly now?: () => Date;
}

/** A token is valid for one signing and for fifteen minutes. */
const TOKEN_LIFE_MS = 15 * 60_000;
const TOKEN_BYTES = 32;
/** The label of the signing button, stored with the evidence. Spec section 2, agreement step. */
const FINISH_LABEL = 'Finish Signing!';
const NAME_LETTERS_MIN = 2;
const NAME_LENGTH_MAX = 120;

export function createEmbeddedSigning(options: EmbeddedSigningOptions): SigningPort & SigningCeremony {
  const { store } = options;
  const now = options.now ?? (() => new Date());

  return {
    provider: 'embedded',

    async createSigningSession(request) {
      const at = now();
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const presented = await composeAgreement(request.agreement, { composedAt: at });
      const envelope = newEnvelope({ request, presented, at });
      await store.create(envelope, tokenHash(token));
      return {
        signingUrl: `${options.signingPage}/${token}`,
        envelopeId: envelope.envelopeId,
        expiresAt: envelope.expiresAt,
      };
    },

    async status(envelopeId) {
      const envelope = await store.find(envelopeId);
      return envelope === undefined ? 'unknown-envelope' : statusAt(envelope, now());
    },

    async evidence(envelopeId) {
      const envelope = await store.find(envelopeId);
      return envelope?.signed;
    },

    find,

    present: (token, visitor) => note(token, (current) => withPresentation(current, visitor, now())),

    read: (token, visitor) => note(token, (current) => withReading(current, visitor, now())),

    async finish(token, signature, visitor) {
      const found = await find(token);
      if (found.kind === 'refused') return found;
      if (found.envelope.status === 'signed') return { kind: 'signed', envelope: found.envelope };
      const name = signature.name.normalize('NFC').replace(/\s+/g, ' ').trim();
      const missing = missingParts(found.envelope, { ...signature, name });
      if (missing.length > 0) return { kind: 'incomplete', missing };
      const envelope = await store.change(found.envelope.envelopeId, async (current) =>
        sign(current, { name, visitor, at: now(), key: await options.openKey() }),
      );
      return { kind: 'signed', envelope };
    },
  };

  async function note(token: string, change: (current: Envelope) => Envelope) {
    const found = await find(token);
    if (found.kind === 'refused') return found;
    if (found.envelope.status === 'signed') return { kind: 'signed', envelope: found.envelope } as const;
    const envelope = await store.change(found.envelope.envelopeId, async (current) => change(current));
    return { kind: envelope.status === 'signed' ? 'signed' : 'open', envelope } as const;
  }

  async function find(token: string): Promise<FoundEnvelope> {
    const envelope = await store.findByToken(tokenHash(token));
    if (envelope === undefined) return { kind: 'refused', code: 'unknown-token' };
    if (now().getTime() >= envelope.expiresAt) return { kind: 'refused', code: 'expired-token' };
    return { kind: 'found', envelope };
  }
}

function newEnvelope({
  request,
  presented,
  at,
}: {
  readonly request: SigningRequest;
  readonly presented: Uint8Array;
  readonly at: Date;
}): Envelope {
  const { agreement, signer, session, visitor, returnUrl } = request;
  const presentedHash = sha256(presented);
  return {
    agreement,
    signer,
    sessionId: session.id,
    returnUrl,
    presented,
    agreementId: randomUUID() as AgreementId,
    envelopeId: randomUUID(),
    provider: 'embedded',
    status: 'created',
    createdAt: instant(at.getTime()),
    expiresAt: instant(at.getTime() + TOKEN_LIFE_MS),
    presentedHash,
    events: appendEvent([], {
      type: 'session_created',
      at,
      visitor,
      details: {
        ...signerDetails({ signer, session }),
        template: agreement.template,
        version: agreement.version,
        language: agreement.language,
        document_hash: presentedHash,
      },
    }),
  };
}

function statusAt(envelope: Envelope, at: Date): EnvelopeStatus {
  if (envelope.status === 'signed') return 'signed';
  return at.getTime() >= envelope.expiresAt ? 'expired' : 'created';
}

function missingParts(
  envelope: Envelope,
  signature: { name: string; consents: boolean; consentsToElectronicRecords: boolean },
): MissingPart[] {
  const letters = signature.name.match(/\p{L}/gu)?.length ?? 0;
  const isPresent: Readonly<Record<MissingPart, boolean>> = {
    reading: has(envelope, 'document_read'),
    consent: signature.consents,
    electronic_consent: signature.consentsToElectronicRecords,
    name: letters >= NAME_LETTERS_MIN && signature.name.length <= NAME_LENGTH_MAX,
  };
  return (Object.keys(isPresent) as MissingPart[]).filter((part) => !isPresent[part]);
}

function has(envelope: Envelope, step: EvidenceEvent['type']): boolean {
  return envelope.events.some(({ type }) => type === step);
}

function withPresentation(envelope: Envelope, visitor: Visitor, at: Date): Envelope {
  // A reloaded page shows the same document, so the view is recorded once.
  if (has(envelope, 'document_presented')) return envelope;
  const presented = appendEvent(envelope.events, {
    type: 'document_presented',
    at,
    visitor,
    details: { document_hash: envelope.presentedHash },
  });
  const events = appendEvent(presented, {
    type: 'consent_shown',
    at,
    visitor,
    details: consentHashes(envelope),
  });
  return { ...envelope, events };
}

/** Only what was presented can have been read. */
function withReading(envelope: Envelope, visitor: Visitor, at: Date): Envelope {
  if (!has(envelope, 'document_presented') || has(envelope, 'document_read')) return envelope;
  const events = appendEvent(envelope.events, {
    type: 'document_read',
    at,
    visitor,
    details: { document_hash: envelope.presentedHash },
  });
  return { ...envelope, events };
}

function consentHashes({ agreement }: Envelope): Readonly<Record<string, string>> {
  return {
    consent_hash: sha256(Buffer.from(agreement.consent)),
    electronic_consent_hash: sha256(Buffer.from(agreement.electronicConsent)),
  };
}

async function sign(
  envelope: Envelope,
  act: { name: string; visitor: Visitor; at: Date; key: SealKey },
): Promise<Envelope> {
  const { visitor, at, name } = act;
  const document_hash = envelope.presentedHash;
  let events = appendEvent(envelope.events, {
    type: 'consent_given',
    at,
    visitor,
    details: consentHashes(envelope),
  });
  events = appendEvent(events, { type: 'signature_adopted', at, visitor, details: { typed_name: name } });
  const clicked = { button: FINISH_LABEL, document_hash };
  events = appendEvent(events, { type: 'sign_clicked', at, visitor, details: clicked });
  const certified = await appendCertificate(envelope, { name, signedAt: at, events });
  const reason = `${envelope.agreement.title} ${envelope.agreement.version} signed by ${envelope.signer.email}`;
  const sealedDocument = await sealDocument(certified, { key: act.key, sealedAt: at, reason });
  const sealedHash = sha256(sealedDocument);
  events = appendEvent(events, {
    type: 'document_sealed',
    at,
    visitor,
    details: { sealed_hash: sealedHash, seal_certificate: act.key.fingerprint },
  });
  const signed: SignedEvidence = {
    sealedDocument,
    sealedHash,
    signedName: name,
    signedAt: instant(at.getTime()),
    events,
  };
  return { ...envelope, status: 'signed', events, signed };
}

function tokenHash(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
