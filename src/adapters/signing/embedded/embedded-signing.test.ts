import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PDF } from '@libpdf/core';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { firstBrokenEvent } from '../../../../tests/support/first-broken-event.ts';
import { isInstalled, opensslVerifies, pdfsigSays } from '../../../../tests/support/outside-seal-check.ts';
import { verifySeal } from './verify-seal.ts';
import type {
  Envelope,
  EnvelopeStore,
  EvidenceEvent,
  SigningCeremony,
  SigningRequest,
} from '#ports/signing.ts';
import type { UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { EVIDENCE_FILE } from './certificate-page.ts';
import { createEmbeddedSigning } from './embedded-signing.ts';
import { openSealKey } from './seal-key.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'signing-'));
afterAll(() => rmSync(folder, { recursive: true }));
const key = await openSealKey(path.join(folder, 'seal.pem'), { owner: 'An Adviser', now: new Date() });
const visitor = { ip: '192.0.2.7', userAgent: 'A browser' };

let clock = new Date('2026-11-20T10:00:00Z');
let store: EnvelopeStore;
beforeEach(() => {
  clock = new Date('2026-11-20T10:00:00Z');
  store = memoryStore();
});

const request: SigningRequest = {
  agreement: {
    template: 'investment-agreement',
    version: '1',
    language: 'en',
    title: 'Investment Agreement',
    consent: 'I agree.',
    electronicConsent: 'I agree to sign electronically.',
    preamble: ['Between us and Ana.'],
    sections: [{ heading: '1. All of it', paragraphs: ['We trade for you.', 'You may lose money.'] }],
  },
  session: { id: randomUUID(), confirmedAt: instant(Date.UTC(2026, 10, 20, 9)), hasSecondFactor: true },
  signer: { userId: randomUUID() as UserId, name: 'Ana Müller', email: 'ana@example.test' },
  visitor,
  returnUrl: 'https://product.test/',
};

async function openSession() {
  const signing = createEmbeddedSigning({
    store,
    openKey: async () => key,
    signingPage: 'https://product.test/sign',
    now: () => clock,
  });
  const session = await signing.createSigningSession(request);
  return { signing, session, token: session.signingUrl.slice('https://product.test/sign/'.length) };
}

test('a finished signing gives a sealed document whose first bytes are the document as presented', async () => {
  const { signing, session, token } = await openSession();
  const shown = await signing.present(token, visitor);
  if (shown.kind !== 'open') throw new Error(shown.kind);
  await signing.read(token, visitor);
  const result = await signing.finish(token, complete('  Ana  Müller '), visitor);
  expect(result.kind).toBe('signed');
  const evidence = await signing.evidence(session.envelopeId);
  if (evidence === undefined) throw new Error('no evidence');
  const first = evidence.sealedDocument.subarray(0, shown.envelope.presented.length);
  expect(createHash('sha256').update(first).digest('hex')).toBe(shown.envelope.presentedHash);
  expect(verifySeal(evidence.sealedDocument, [key.fingerprint])).toMatchObject({ intact: true });
  expect(evidence.signedName).toBe('Ana Müller');
});

test('Poppler and OpenSSL find the seal valid, and broken once a byte has changed', async ({ skip }) => {
  const absent = (['pdfsig', 'openssl'] as const).filter((program) => !isInstalled(program));
  skip(
    absent.length > 0,
    `${absent.join(' and ')} not found: apt install poppler-utils openssl lets this test check the seal`,
  );
  const { signing, session, token } = await openSession();
  await readToEnd(signing, token);
  await signing.finish(token, complete('Ana Müller'), visitor);
  const { sealedDocument } = (await signing.evidence(session.envelopeId))!;
  const said = pdfsigSays(sealedDocument);
  expect(said).toContain('Signature Validation: Signature is Valid.');
  expect(said).toContain('Signature Type: ETSI.CAdES.detached');
  expect(said).toContain('Total document signed');
  expect(said).not.toContain('Signature #2');
  expect(opensslVerifies(sealedDocument, key.certificate)).toBe(true);

  const changed = Uint8Array.from(sealedDocument);
  changed[1000] = changed[1000]! ^ 1;
  expect(pdfsigSays(changed)).not.toContain('Signature is Valid');
  expect(opensslVerifies(changed, key.certificate)).toBe(false);
  const stranger = await openSealKey(path.join(folder, 'stranger.pem'), {
    owner: 'Another',
    now: new Date(),
  });
  expect(opensslVerifies(sealedDocument, stranger.certificate)).toBe(false);
});

test('the evidence records every step of the signing in order, as a chain, and is attached to the document', async () => {
  const { signing, session, token } = await openSession();
  await readToEnd(signing, token);
  await signing.finish(token, complete('आना Müller'), visitor);
  const evidence = await signing.evidence(session.envelopeId);
  const events = evidence?.events ?? [];
  expect(events.map(({ type }) => type)).toEqual([
    'session_created',
    'document_presented',
    'consent_shown',
    'document_read',
    'consent_given',
    'signature_adopted',
    'sign_clicked',
    'document_sealed',
  ]);
  expect(firstBrokenEvent(events)).toBeNull();
  const pdf = await PDF.load(evidence!.sealedDocument);
  const attached = JSON.parse(new TextDecoder().decode(pdf.getAttachment(EVIDENCE_FILE)!)) as EvidenceEvent[];
  expect(attached).toEqual(events.slice(0, -1));
  expect(attached[5]?.details['typed_name']).toBe('आना Müller');
});

test('a changed event breaks the chain at that event', async () => {
  const { signing, session, token } = await openSession();
  await readToEnd(signing, token);
  await signing.finish(token, complete('Ana Müller'), visitor);
  const { events } = (await signing.evidence(session.envelopeId))!;
  const changed = events.map((event) => (event.seq === 3 ? { ...event, ip: '203.0.113.1' } : event));
  expect(firstBrokenEvent(changed)).toBe(3);
  expect(firstBrokenEvent(events.filter(({ seq }) => seq !== 2))).toBe(2);
});

test('finishing again returns the same signed envelope', async () => {
  const { signing, token } = await openSession();
  await readToEnd(signing, token);
  const once = await signing.finish(token, complete('Ana Müller'), visitor);
  const again = await signing.finish(token, complete('Someone Else'), visitor);
  expect(again).toEqual(once);
});

test.each([
  [{ name: 'Ana Müller', consents: false, consentsToElectronicRecords: true }, ['consent']],
  [{ name: 'Ana Müller', consents: true, consentsToElectronicRecords: false }, ['electronic_consent']],
  [{ name: ' . ', consents: true, consentsToElectronicRecords: true }, ['name']],
  [
    { name: '', consents: false, consentsToElectronicRecords: false },
    ['consent', 'electronic_consent', 'name'],
  ],
])('%j is not a signature: %j is missing', async (signature, missing) => {
  const { signing, session, token } = await openSession();
  await readToEnd(signing, token);
  expect(await signing.finish(token, signature, visitor)).toEqual({ kind: 'incomplete', missing });
  expect(await signing.status(session.envelopeId)).toBe('created');
});

test('nobody signs what they have not read to its end, and only what was shown can be read', async () => {
  const { signing, session, token } = await openSession();
  await signing.read(token, visitor);
  await signing.present(token, visitor);
  const unread = { kind: 'incomplete', missing: ['reading'] };
  expect(await signing.finish(token, complete('Ana Müller'), visitor)).toEqual(unread);
  expect(await signing.status(session.envelopeId)).toBe('created');
  await signing.read(token, visitor);
  expect(await signing.finish(token, complete('Ana Müller'), visitor)).toMatchObject({ kind: 'signed' });
});

test('a token expires after fifteen minutes', async () => {
  const { signing, session, token } = await openSession();
  clock = new Date('2026-11-20T10:15:00Z');
  const refused = { kind: 'refused', code: 'expired-token' };
  expect(await signing.present(token, visitor)).toEqual(refused);
  expect(await signing.finish(token, complete('Ana Müller'), visitor)).toEqual(refused);
  expect(await signing.status(session.envelopeId)).toBe('expired');
});

test('a token that was never issued opens nothing', async () => {
  const { signing } = await openSession();
  expect(await signing.present('nothing', visitor)).toEqual({ kind: 'refused', code: 'unknown-token' });
});

function complete(name: string) {
  return { name, consents: true, consentsToElectronicRecords: true };
}

async function readToEnd(signing: SigningCeremony, token: string): Promise<void> {
  await signing.present(token, visitor);
  await signing.read(token, visitor);
}

/** Stores envelopes as the port requires, one change at a time. */
function memoryStore(): EnvelopeStore {
  const envelopes = new Map<string, Envelope>();
  const tokens = new Map<string, string>();
  let turn: Promise<unknown> = Promise.resolve();
  return {
    create: async (envelope, hash) => {
      envelopes.set(envelope.envelopeId, envelope);
      tokens.set(Buffer.from(hash).toString('hex'), envelope.envelopeId);
    },
    find: async (id) => envelopes.get(id),
    findByToken: async (hash) => envelopes.get(tokens.get(Buffer.from(hash).toString('hex')) ?? ''),
    change: (id, work) => {
      const result = turn.then(async () => {
        const current = envelopes.get(id)!;
        if (current.status === 'signed') return current;
        const changed = await work(current);
        envelopes.set(id, changed);
        return changed;
      });
      turn = result;
      return result;
    },
  };
}
