import { randomUUID } from 'node:crypto';
import type { agreementsEndpoints } from '../../../src/contract/agreements.ts';
import { AGREEMENT_VERSION } from '../../../src/rules/provider.ts';
import type { TestApp } from '../../support/test-app.ts';
import { signAgreement, signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';

async function eligible(app: TestApp) {
  const person = await signedInPerson(app);
  await app.request({
    method: 'PATCH',
    url: '/api/auth/me/',
    token: person.token,
    body: { date_of_birth: '1980-02-29', country: 'CH' },
  });
  return person;
}

/** Signed and sealed: the document is some bytes here. */
async function sealed(app: TestApp) {
  const person = await signedInPerson(app);
  const id = randomUUID();
  await app.records.pool.query(
    `insert into agreements (id, user_id, version, provider, envelope_id, status, document_hash, sealed_hash, sealed_pdf,
       signed_name, expires_at, signed_at)
     values ($1, $2, $3, 'embedded', $1::uuid::text, 'signed', 'h', 's', '%PDF-1.7', 'Ada', now(), now())`,
    [id, person.id, AGREEMENT_VERSION],
  );
  return { token: person.token, params: { id } };
}

export const agreementsCases: CasesOf<typeof agreementsEndpoints> = {
  getAgreementUrl: {
    success: async (app) => ({ token: (await eligible(app)).token }),
    already_exists: async (app) => {
      const person = await eligible(app);
      await signAgreement(app, person.id);
      return { token: person.token };
    },
    not_eligible: async (app) => ({ token: (await signedInPerson(app)).token }),
  },
  getAgreementStatus: { success: async (app) => ({ token: (await signedInPerson(app)).token }) },
  listAgreements: { success: async (app) => ({ token: (await sealed(app)).token }) },
  downloadAgreement: { success: sealed },
};
