// Agreements and the envelopes they are signed in: one row each, from presentation to seal.
import { type Selectable, sql } from 'kysely';
import type {
  AgreementText,
  Envelope,
  EvidenceEvent,
  SignedEvidence,
  Signer,
  VendorEnvelopeStore,
} from '#ports/signing.ts';
import type { AgreementId, UserId } from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';
import { type AgreementDocuments, readDocument } from './agreement-documents.ts';

type AgreementRow = Selectable<Tables['agreements']>;

/** The row's jsonb column, written and read only here. */
type Content = {
  readonly agreement: AgreementText;
  readonly signer: { readonly name: string; readonly email: string };
  readonly returnUrl: string;
  readonly sessionId: string;
};

export async function hasSignedAgreement(
  database: Database,
  query: { readonly userId: UserId; readonly version: string },
): Promise<boolean> {
  const row = await database
    .selectFrom('agreements')
    .select('id')
    .where('user_id', '=', query.userId)
    .where('version', '=', query.version)
    .where('status', '=', 'signed')
    .executeTakeFirst();
  return row !== undefined;
}

/** Unsigned envelopes presented to a person, newest first: the vendor is asked about these. */
export async function listOpenEnvelopes(
  database: Database,
  query: { readonly userId: UserId; readonly version: string; readonly provider: string },
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('agreements')
    .select('envelope_id')
    .where('user_id', '=', query.userId)
    .where('version', '=', query.version)
    .where('provider', '=', query.provider)
    .where('status', '=', 'created')
    .orderBy('created_at', 'desc')
    .limit(5)
    .execute();
  return rows.map((row) => row.envelope_id);
}

type SignedAgreement = {
  readonly id: AgreementId;
  readonly version: string;
  readonly signedName: string;
  readonly signedAt: Date;
  readonly sealedHash: string;
};

export async function listSignedAgreements(
  database: Database,
  userId: UserId,
): Promise<readonly SignedAgreement[]> {
  const rows = await database
    .selectFrom('agreements')
    .select(['id', 'version', 'signed_name', 'signed_at', 'sealed_hash'])
    .where('user_id', '=', userId)
    .where('status', '=', 'signed')
    .orderBy('signed_at', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    signedName: present(row.signed_name),
    signedAt: present(row.signed_at),
    sealedHash: present(row.sealed_hash),
  }));
}

/** Of our own signing page, oldest first. */
export async function* listSealedAgreements(
  database: Database,
  documents: AgreementDocuments,
): AsyncGenerator<{ readonly id: AgreementId; readonly signedAt: Date; readonly document: Buffer }> {
  const ids = await database
    .selectFrom('agreements')
    .select('id')
    .where('status', '=', 'signed')
    .where('provider', '=', 'embedded')
    .where('sealed_hash', 'is not', null)
    .orderBy('signed_at')
    .execute();
  for (const { id } of ids) {
    const row = await database
      .selectFrom('agreements')
      .select(['id', 'signed_at', 'sealed_hash', 'sealed_pdf'])
      .where('id', '=', id)
      .executeTakeFirst();
    // Erased meanwhile.
    if (row === undefined) continue;
    yield { id, signedAt: present(row.signed_at), document: await readSealed(row, documents) };
  }
}

/** The sealed PDF of a person's own agreement; undefined when it is absent, unsigned or someone else's. */
export async function findSealedDocument(
  database: Database,
  documents: AgreementDocuments,
  query: { readonly agreementId: string; readonly userId: UserId },
): Promise<Buffer | undefined> {
  const { agreementId } = query;
  if (!isUuid<AgreementId>(agreementId)) return undefined;
  const row = await database
    .selectFrom('agreements')
    .select(['id', 'sealed_hash', 'sealed_pdf'])
    .where('id', '=', agreementId)
    .where('user_id', '=', query.userId)
    .where('status', '=', 'signed')
    .executeTakeFirst();
  return row && readSealed(row, documents);
}

function readSealed(
  { id, sealed_hash: hash, sealed_pdf: inRow }: Pick<AgreementRow, 'id' | 'sealed_hash' | 'sealed_pdf'>,
  documents: AgreementDocuments,
): Promise<Buffer> {
  return readDocument(documents, { id, hash: present(hash), inRow });
}

export function createEnvelopeStore(database: Database, documents?: AgreementDocuments): VendorEnvelopeStore {
  return {
    async create(envelope, tokenHash) {
      const content: Content = {
        agreement: envelope.agreement,
        signer: { name: envelope.signer.name, email: envelope.signer.email },
        returnUrl: envelope.returnUrl,
        sessionId: envelope.sessionId,
      };
      await database
        .insertInto('agreements')
        .values({
          id: envelope.agreementId,
          user_id: envelope.signer.userId,
          version: envelope.agreement.version,
          provider: envelope.provider,
          envelope_id: envelope.envelopeId,
          signing_token_hash: Buffer.from(tokenHash),
          status: 'created',
          document_hash: envelope.presentedHash,
          unsigned_pdf: Buffer.from(envelope.presented),
          evidence: JSON.stringify(envelope.events),
          content: JSON.stringify(content),
          created_at: new Date(envelope.createdAt),
          expires_at: new Date(envelope.expiresAt),
        })
        .execute();
    },

    async find(envelopeId) {
      const row = await database
        .selectFrom('agreements')
        .selectAll()
        .where('envelope_id', '=', envelopeId)
        .executeTakeFirst();
      return row && envelopeOf(row, documents);
    },

    async findByToken(tokenHash) {
      const row = await database
        .selectFrom('agreements')
        .selectAll()
        .where('signing_token_hash', '=', Buffer.from(tokenHash))
        .executeTakeFirst();
      return row && envelopeOf(row, documents);
    },

    change: (envelopeId, work) => changeEnvelope({ database, documents }, envelopeId, work),

    async findOpen(query) {
      const [newest] = await listOpenEnvelopes(database, query);
      return newest === undefined ? undefined : this.find(newest);
    },

    ...vendorLinks(database),
  };
}

function vendorLinks(database: Database): Pick<VendorEnvelopeStore, 'rename' | 'renewLink'> {
  return {
    async rename(envelopeId, vendorId) {
      const renamed = await database
        .updateTable('agreements')
        .set({ envelope_id: vendorId })
        .where('envelope_id', '=', envelopeId)
        .returning('id')
        .executeTakeFirst();
      return renamed !== undefined;
    },

    async renewLink(envelopeId, { tokenHash, expiresAt, sessionId }) {
      await database
        .updateTable('agreements')
        .set({
          signing_token_hash: Buffer.from(tokenHash),
          expires_at: new Date(expiresAt),
          content: sql`content || jsonb_build_object('sessionId', ${sessionId}::text)`,
        })
        .where('envelope_id', '=', envelopeId)
        .execute();
    },
  };
}

/**
 * Locks all envelopes of the same person and version: if another one was signed in the meantime, that one is the answer
 * and nothing changes, so no one signs the same agreement twice.
 */
async function changeEnvelope(
  { database, documents }: { readonly database: Database; readonly documents: AgreementDocuments },
  envelopeId: string,
  work: (current: Envelope) => Promise<Envelope>,
): Promise<Envelope> {
  return database.transaction().execute(async (transaction) => {
    const asked = await transaction
      .selectFrom('agreements')
      .select(['id', 'user_id', 'version'])
      .where('envelope_id', '=', envelopeId)
      .executeTakeFirstOrThrow();
    const siblings = await transaction
      .selectFrom('agreements')
      .select(['id', 'status'])
      .where('user_id', '=', asked.user_id)
      .where('version', '=', asked.version)
      .orderBy('id')
      .forUpdate()
      .execute();
    const signedId = siblings.find(({ status }) => status === 'signed')?.id;
    const row = await transaction
      .selectFrom('agreements')
      .selectAll()
      .where('id', '=', signedId ?? asked.id)
      .executeTakeFirstOrThrow();
    const current = await envelopeOf(row, documents);
    if (signedId !== undefined) return current;
    const changed = await work(current);
    if (changed === current) return current;
    const { signed } = changed;
    await transaction
      .updateTable('agreements')
      .set({
        status: changed.status,
        evidence: JSON.stringify(changed.events),
        sealed_pdf: signed ? Buffer.from(signed.sealedDocument) : null,
        sealed_hash: signed?.sealedHash ?? null,
        signed_name: signed?.signedName ?? null,
        signed_at: signed ? new Date(signed.signedAt) : null,
      })
      .where('id', '=', row.id)
      .execute();
    return changed;
  });
}

async function envelopeOf(row: AgreementRow, documents: AgreementDocuments): Promise<Envelope> {
  const content = row.content as Content;
  const events = row.evidence as readonly EvidenceEvent[];
  const signer: Signer = { userId: row.user_id, ...content.signer };
  return {
    agreementId: row.id,
    envelopeId: row.envelope_id,
    provider: row.provider,
    signer,
    sessionId: content.sessionId,
    agreement: content.agreement,
    returnUrl: content.returnUrl,
    status: row.status as Envelope['status'],
    createdAt: parseInstant(row.created_at),
    expiresAt: parseInstant(row.expires_at),
    presented: await readDocument(documents, {
      id: row.id,
      hash: row.document_hash,
      inRow: row.unsigned_pdf,
    }),
    presentedHash: row.document_hash,
    events,
    signed: row.status === 'signed' ? await signedEvidenceOf(row, events, documents) : undefined,
  };
}

async function signedEvidenceOf(
  row: AgreementRow,
  events: readonly EvidenceEvent[],
  documents: AgreementDocuments,
): Promise<SignedEvidence> {
  return {
    sealedDocument: await readSealed(row, documents),
    sealedHash: present(row.sealed_hash),
    signedName: present(row.signed_name),
    signedAt: parseInstant(present(row.signed_at)),
    events,
  };
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error('an agreement row lacks what its status promises');
  return value;
}
