// Signs the investment agreement on our own signing page, by the requests that a browser makes.
import type { Person } from './person.ts';

/** Throws with what the page said when nothing was signed. */
export async function signAgreement(person: Person, name: string): Promise<void> {
  const isSigned = async () =>
    (await person.call<{ status: boolean }>('GET', '/api/docusign-callback')).status;
  if (await isSigned()) return;
  const { signing_url } = await person.call<{ signing_url: string }>('GET', '/api/investment-agreement-url');
  const page = new URL(signing_url).pathname;
  await person.visit(page);
  await person.visit(`${page}/read`, {});
  const answer = await person.visit(page, { name, consent: 'yes', electronic_consent: 'yes' });
  if (!(await isSigned()))
    throw new Error(`the agreement could not be signed: ${answer.status} ${answer.text}`);
}
