// Where the bytes of an agreement are. A row keeps its own at first, so that nobody's signature waits for another service; where the
// installation has a document store, they move there, and the row names them by their SHA-256.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type DocumentStore, DocumentsUnavailable } from '#ports/document-store.ts';
import type { AgreementId } from '#units/identifiers.ts';
import type { Database } from '../postgres/database.ts';

/** Absent: the rows keep them. */
export type AgreementDocuments = DocumentStore | undefined;

type Named = { readonly id: AgreementId; readonly hash: string };

/** The trigger of the table removes by the first two parts. */
const nameOf = ({ id, hash }: Named) => `agreements/${id}/${hash}.pdf`;

/** Throws when it is nowhere, and when it is not what was kept. */
export async function readDocument(
  documents: AgreementDocuments,
  { inRow, ...named }: Named & { readonly inRow: Buffer | null },
): Promise<Buffer> {
  if (inRow !== null) return inRow;
  const name = nameOf(named);
  if (documents === undefined)
    throw new DocumentsUnavailable(`it has ${name}, and DOCUMENT_STORE_URL is not set`);
  const found = await documents.get(name);
  if (found === null) throw new DocumentsUnavailable(`${name} is not there`);
  if (createHash('sha256').update(found).digest('hex') !== named.hash)
    throw new DocumentsUnavailable(`${name} is not the document that was kept`);
  return Buffer.from(found);
}

/** From the rows to the store, and out of the store what was erased here. Broken off at any point, it goes on next time. */
export async function moveDocuments(
  database: Database,
  documents: DocumentStore,
): Promise<{ readonly moved: number; readonly removed: number }> {
  let [moved, removed] = [0, 0];
  while (await moveOne(database, documents)) moved += 1;
  while (await removeOne(database, documents)) removed += 1;
  return { moved, removed };
}

/** Under the lock of its row: who erases it meanwhile waits, and finds the document in the store. */
async function moveOne(database: Database, documents: DocumentStore): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('agreements')
      .select(['id', 'document_hash', 'unsigned_pdf', 'sealed_hash', 'sealed_pdf'])
      .where((is) => is.or([is('unsigned_pdf', 'is not', null), is('sealed_pdf', 'is not', null)]))
      // Who is about to sign waits for no store.
      .where((is) =>
        is.or([is('status', '<>', 'created'), is('expires_at', '<', sql<Date>`clock_timestamp()`)]),
      )
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (row === undefined) return false;
    const {
      id,
      document_hash: presentedHash,
      unsigned_pdf: presented,
      sealed_hash: sealedHash,
      sealed_pdf: sealed,
    } = row;
    if (presented !== null) await documents.put(nameOf({ id, hash: presentedHash }), presented);
    if (sealed !== null && sealedHash !== null) await documents.put(nameOf({ id, hash: sealedHash }), sealed);
    await trx
      .updateTable('agreements')
      .set({ unsigned_pdf: null, sealed_pdf: null })
      .where('id', '=', id)
      .execute();
    return true;
  });
}

async function removeOne(database: Database, documents: DocumentStore): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    const { rows } = await sql<{ prefix: string }>`
      select prefix from documents_to_remove order by prefix limit 1 for update skip locked`.execute(trx);
    const [erased] = rows;
    if (erased === undefined) return false;
    let names: readonly string[];
    while ((names = await documents.list(erased.prefix)).length > 0)
      for (const name of names) await documents.remove(name);
    await sql`delete from documents_to_remove where prefix = ${erased.prefix}`.execute(trx);
    return true;
  });
}
