// The envelopes that the stand-in has, as its API shows them.
import { randomUUID } from 'node:crypto';

export type EnvelopeStatus = 'sent' | 'delivered' | 'completed' | 'declined' | 'voided';

export type SandboxEnvelope = {
  readonly envelopeId: string;
  readonly createdAtMs: number;
  readonly document: Buffer;
  readonly subject: string;
  readonly signer: { readonly email: string; readonly name: string; readonly clientUserId: string };
  readonly customFields: ReadonlyMap<string, string>;
  readonly noticeUrl: string | null;
  readonly noticeEvents: readonly string[];
  status: EnvelopeStatus;
  signedAtMs: number | null;
  /** What the signer wrote in the field of the full name. */
  signedName: string | null;
};

type NewEnvelope = Omit<
  SandboxEnvelope,
  'envelopeId' | 'createdAtMs' | 'status' | 'signedAtMs' | 'signedName'
>;

export type Books = {
  add(envelope: NewEnvelope): SandboxEnvelope;
  find(envelopeId: string): SandboxEnvelope | undefined;
  list(): readonly SandboxEnvelope[];
};

export function createBooks(nowMs: () => number): Books {
  const envelopes = new Map<string, SandboxEnvelope>();
  return {
    add(added) {
      const envelope: SandboxEnvelope = {
        ...added,
        envelopeId: randomUUID(),
        createdAtMs: nowMs(),
        status: 'sent',
        signedAtMs: null,
        signedName: null,
      };
      envelopes.set(envelope.envelopeId, envelope);
      return envelope;
    },
    find: (envelopeId) => envelopes.get(envelopeId),
    list: () => [...envelopes.values()],
  };
}
