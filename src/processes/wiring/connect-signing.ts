// Our own signing page, or DocuSign's.
import { createDocusignClient } from '#adapters/signing/docusign/docusign-client.ts';
import { createDocusignSigning } from '#adapters/signing/docusign/docusign-signing.ts';
import { createEmbeddedSigning } from '#adapters/signing/embedded/embedded-signing.ts';
import type { AgreementDocuments } from '#records/agreements/agreement-documents.ts';
import { createEnvelopeStore } from '#records/agreements/agreements.ts';
import type { Database } from '#records/postgres/database.ts';
import { NOTICE_PATH } from '#server/agreements/signing-page/serve-vendor-page.ts';
import type { Dependencies } from '#server/http/dependencies.ts';
import type { Environment } from '../environment/environment.ts';
import type { KnownKeys } from '../environment/known-keys.ts';

export async function connectSigning(
  { docusign, publicUrl }: Pick<Environment, 'docusign' | 'publicUrl'>,
  { database, documents }: { readonly database: Database; readonly documents: AgreementDocuments },
  keys: Pick<KnownKeys, 'agreementSeal'>,
): Promise<Pick<Dependencies, 'signing' | 'signingCeremony' | 'vendorSigning'>> {
  const store = createEnvelopeStore(database, documents);
  const signingPage = `${publicUrl}/sign`;
  if (docusign === null) {
    const openKey = keys.agreementSeal;
    // Another key than that of the database refuses the start.
    await openKey();
    const signing = createEmbeddedSigning({ store, openKey, signingPage });
    return { signing, signingCeremony: signing, vendorSigning: null };
  }
  const signing = createDocusignSigning({
    client: createDocusignClient(docusign, { nowSeconds: () => Math.floor(Date.now() / 1000) }),
    store,
    signingPage,
    noticeUrl: `${publicUrl}${NOTICE_PATH}`,
    noticeKeys: docusign.noticeKeys,
    integrationKey: docusign.integrationKey,
    scriptUrl: docusign.scriptUrl,
    appsOrigin: docusign.appsOrigin,
  });
  return { signing, signingCeremony: null, vendorSigning: signing };
}
