// What we need of an e-signature service, in our words: present one agreement to one person, learn whether it was
// signed, get the sealed document with its evidence. Promises that a browser alone never makes anyone a signer: only
// `status` and `evidence`, queried from the service itself, do.
import type { Instant } from '#units/instant.ts';
import type { AgreementId, UserId } from '#units/identifiers.ts';

export interface SigningPort {
  /** 'embedded' is our own signing page; a vendor's name otherwise. Kept with each agreement. */
  readonly provider: string;
  /** Throws SigningUnavailable when the service does not answer. */
  createSigningSession(request: SigningRequest): Promise<SigningSession>;
  /** Asks the service; a signature that it reports is kept before this answers. Throws SigningUnavailable. */
  status(envelopeId: string): Promise<EnvelopeStatus>;
  /** The sealed document and its record; undefined until the envelope is signed. */
  evidence(envelopeId: string): Promise<SignedEvidence | undefined>;
}

export type EnvelopeStatus = 'created' | 'signed' | 'declined' | 'expired' | 'unknown-envelope';

/** The service did not answer, or not with what it promises. Its message is for the log. */
export class SigningUnavailable extends Error {}

export interface SigningRequest {
  readonly agreement: AgreementText;
  readonly signer: Signer;
  readonly session: SignerSession;
  readonly visitor: Visitor;
  /** Where the browser goes afterwards when it was not in a frame; our own address, never read as proof. */
  readonly returnUrl: string;
}

interface SigningSession {
  readonly signingUrl: string;
  readonly envelopeId: string;
  readonly expiresAt: Instant;
}

/** An agreement as text: one source for the document that is sealed and for the page that shows it. */
export interface AgreementText {
  readonly template: string;
  readonly version: string;
  readonly language: string;
  readonly title: string;
  /** What the person agrees to by ticking the box, shown apart from the agreement itself. */
  readonly consent: string;
  /** That records and the signature may be electronic: consented to by a box of its own. */
  readonly electronicConsent: string;
  readonly preamble: readonly string[];
  readonly sections: readonly AgreementSection[];
}

export interface AgreementSection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

export interface Signer {
  readonly userId: UserId;
  readonly name: string;
  readonly email: string;
}

/** The sign-in from which the signing was started: it alone may sign. */
export interface SignerSession {
  readonly id: string;
  /** When the person last proved who they are, and whether by a second factor. */
  readonly confirmedAt: Instant;
  readonly hasSecondFactor: boolean;
}

/** Who was at the other end of the line, as the server saw it. */
export interface Visitor {
  readonly ip: string;
  readonly userAgent: string;
}

export interface SignedEvidence {
  readonly sealedDocument: Uint8Array;
  readonly sealedHash: string;
  readonly signedName: string;
  readonly signedAt: Instant;
  readonly events: readonly EvidenceEvent[];
}

/** One link of the evidence chain; `hash` covers everything before it in the object and `previousHash`. */
export interface EvidenceEvent {
  readonly seq: number;
  readonly type: EvidenceEventType;
  /** ISO 8601 UTC, the server's clock. */
  readonly at: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly details: Readonly<Record<string, string>>;
  readonly previousHash: string;
  readonly hash: string;
}

export type EvidenceEventType =
  | 'session_created'
  | 'document_presented'
  | 'document_read'
  | 'consent_shown'
  | 'consent_given'
  | 'signature_adopted'
  | 'sign_clicked'
  | 'document_sealed'
  | 'signed_at_service'
  | 'declined_at_service';

/** Our own signing page, where we are the e-signature service ourselves. */
export interface SigningCeremony {
  /** Whose signing a link is, to ask whether they are here. Records nothing. */
  find(token: string): Promise<FoundEnvelope>;
  /** What the page shows. Records that the document was presented. */
  present(token: string, visitor: Visitor): Promise<Presentation>;
  /** Records that the person came to the end of the text. */
  read(token: string, visitor: Visitor): Promise<Presentation>;
  /** Signs once: a second call, at the same time or later, finds it signed and changes nothing. */
  finish(token: string, signature: TypedSignature, visitor: Visitor): Promise<FinishResult>;
}

export type FoundEnvelope =
  | { readonly kind: 'found'; readonly envelope: Envelope }
  | { readonly kind: 'refused'; readonly code: TokenRefusal };

type Presentation =
  | { readonly kind: 'open'; readonly envelope: Envelope }
  | { readonly kind: 'signed'; readonly envelope: Envelope }
  | { readonly kind: 'refused'; readonly code: TokenRefusal };

export type TokenRefusal = 'unknown-token' | 'expired-token';

interface TypedSignature {
  readonly name: string;
  readonly consents: boolean;
  readonly consentsToElectronicRecords: boolean;
}

/** What a signature still lacks. */
export type MissingPart = 'reading' | 'consent' | 'electronic_consent' | 'name';

type FinishResult =
  | { readonly kind: 'signed'; readonly envelope: Envelope }
  | { readonly kind: 'incomplete'; readonly missing: readonly MissingPart[] }
  | { readonly kind: 'refused'; readonly code: TokenRefusal };

/** A vendor's signing page, shown within a page of ours. */
export interface VendorSigning {
  find(token: string): Promise<FoundEnvelope>;
  /** Asks the vendor for its page; each opening needs a new one. Throws SigningUnavailable. */
  openView(envelope: Envelope, visitor: Visitor): Promise<VendorView>;
  /**
   * Takes a notice of the vendor. One without a valid signature over exactly these bytes is refused; what it says is then
   * asked of the vendor itself.
   */
  takeNotice(body: Uint8Array, signatures: readonly string[]): Promise<'taken' | 'refused'>;
}

interface VendorView {
  /** Opens once, within minutes. */
  readonly url: string;
  /** The vendor's script that shows it, with the key that it wants. */
  readonly scriptUrl: string;
  readonly integrationKey: string;
  /** From where the vendor's pages come. */
  readonly origins: readonly string[];
}

/** One agreement on its way to be signed, as kept. */
export interface Envelope {
  readonly agreementId: AgreementId;
  readonly envelopeId: string;
  readonly provider: string;
  readonly signer: Signer;
  readonly sessionId: string;
  readonly agreement: AgreementText;
  readonly returnUrl: string;
  readonly status: 'created' | 'signed' | 'declined';
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** The document exactly as it was presented, and its SHA-256. */
  readonly presented: Uint8Array;
  readonly presentedHash: string;
  readonly events: readonly EvidenceEvent[];
  readonly signed?: SignedEvidence;
}

/**
 * Where envelopes are kept. Promises that `change` runs alone for one person's agreement until its result is kept, and
 * that `work` is asked only while that person has not signed this version: otherwise the signed envelope is answered.
 */
export interface EnvelopeStore {
  create(envelope: Envelope, tokenHash: Uint8Array): Promise<void>;
  find(envelopeId: string): Promise<Envelope | undefined>;
  findByToken(tokenHash: Uint8Array): Promise<Envelope | undefined>;
  change(envelopeId: string, work: (current: Envelope) => Promise<Envelope>): Promise<Envelope>;
}

/** What an envelope at a vendor needs besides: it exists here before it exists there, and its link is renewed. */
export interface VendorEnvelopeStore extends EnvelopeStore {
  /** The newest that this person has neither signed nor declined. */
  findOpen(query: {
    readonly userId: UserId;
    readonly version: string;
    readonly provider: string;
  }): Promise<Envelope | undefined>;
  /** False when another call has renamed it. */
  rename(envelopeId: string, vendorId: string): Promise<boolean>;
  renewLink(
    envelopeId: string,
    link: { readonly tokenHash: Uint8Array; readonly expiresAt: Instant; readonly sessionId: string },
  ): Promise<void>;
}
