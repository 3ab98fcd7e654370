// What DocuSign itself says of an envelope, and the envelope that this makes.
import { createHash } from 'node:crypto';
import { type Envelope, SigningUnavailable } from '#ports/signing.ts';
import { parseInstant } from '#units/instant.ts';
import { appendEvent } from '../embedded/evidence-chain.ts';
import type { DocusignClient } from './docusign-client.ts';

export type Outcome =
  | { readonly kind: 'open' }
  | { readonly kind: 'declined'; readonly status: string }
  | {
      readonly kind: 'signed';
      readonly name: string;
      readonly signedAt: string;
      /** With the vendor's certificate, sealed by the vendor. */
      readonly document: Uint8Array;
    };

type Recipient = {
  readonly clientUserId?: string;
  readonly name?: string;
  readonly status?: string;
  readonly signedDateTime?: string;
};

export async function readOutcome(
  client: DocusignClient,
  { envelopeId, signer }: Envelope,
): Promise<Outcome> {
  const { status } = await client.ask('GET', `/envelopes/${envelopeId}`);
  if (status === 'declined' || status === 'voided') return { kind: 'declined', status };
  if (status !== 'completed') return { kind: 'open' };
  const { signers } = (await client.ask('GET', `/envelopes/${envelopeId}/recipients`)) as {
    signers?: readonly Recipient[];
  };
  const own = signers?.find(({ clientUserId }) => clientUserId === signer.userId);
  if (own?.status !== 'completed' || own.signedDateTime === undefined)
    throw new SigningUnavailable(`envelope ${envelopeId} is completed, but not by whom it was made for`);
  const document = await client.download(`/envelopes/${envelopeId}/documents/combined?certificate=true`);
  if (!Buffer.from(document.subarray(0, 5)).equals(Buffer.from('%PDF-')))
    throw new SigningUnavailable(`the document of envelope ${envelopeId} is no PDF`);
  return { kind: 'signed', name: own.name ?? signer.name, signedAt: own.signedDateTime, document };
}

/** The service reports these: nobody of ours was at the other end of the line. */
const VENDOR = { ip: 'the signing service', userAgent: 'DocuSign-eSignature-REST' };

export function signed(
  current: Envelope,
  { name, signedAt, document }: Extract<Outcome, { kind: 'signed' }>,
  at: Date,
): Envelope {
  const sealedHash = createHash('sha256').update(document).digest('hex');
  const events = appendEvent(current.events, {
    type: 'signed_at_service',
    at,
    visitor: VENDOR,
    details: {
      envelope_id: current.envelopeId,
      signed_name: name,
      signed_at: signedAt,
      sealed_hash: sealedHash,
    },
  });
  const evidence = {
    sealedDocument: document,
    sealedHash,
    signedName: name,
    signedAt: parseInstant(signedAt),
    events,
  };
  return { ...current, status: 'signed', events, signed: evidence };
}

export function declined(
  current: Envelope,
  { status }: Extract<Outcome, { kind: 'declined' }>,
  at: Date,
): Envelope {
  const details = { envelope_id: current.envelopeId, status };
  const events = appendEvent(current.events, { type: 'declined_at_service', at, visitor: VENDOR, details });
  return { ...current, status: 'declined', events };
}
