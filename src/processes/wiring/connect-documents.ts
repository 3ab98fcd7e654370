// Where signed agreements move to; undefined where the database keeps them.
import { s3Documents } from '#adapters/documents/s3-documents.ts';
import type { DocumentStore } from '#ports/document-store.ts';
import type { Environment } from '../environment/environment.ts';

export function connectDocuments({
  documentStore,
}: Pick<Environment, 'documentStore'>): DocumentStore | undefined {
  return documentStore === null ? undefined : s3Documents(documentStore);
}
