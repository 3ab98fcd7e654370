// A service that checks identities over HTTP: one POST with what the person says of themselves, one answer with the finding. What it
// cannot be read from is no finding.
import type { CheckedPerson, IdentityCheckPort, IdentityFinding } from '#ports/identity-check.ts';

type Options = { readonly url: string; readonly key: string };

const ANSWERS_WITHIN_MS = 15_000;
const DOCUMENTS: readonly IdentityFinding['documents'][] = ['verified', 'unclear', 'rejected'];

export function httpIdentityCheck({ url, key }: Options): IdentityCheckPort {
  return {
    provider: new URL(url).host,
    async check(person) {
      const answer = await ask(url, key, person);
      return answer === undefined ? undefined : findingOf(answer);
    },
  };
}

async function ask(url: string, key: string, person: CheckedPerson): Promise<unknown> {
  try {
    const answer = await fetch(new URL('/checks', url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        // The same person with the same details is one check, however often it is asked for.
        'idempotency-key': person.userId,
      },
      body: JSON.stringify({
        name: person.name,
        date_of_birth: person.dateOfBirth,
        country: person.country,
        subject: person.userId,
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    // Whatever went wrong on the way, the person was not checked.
    return undefined;
  }
}

/** Sanctioned or rejected fails; unclear documents need a person; only verified documents without a hit pass. */
function findingOf(answer: unknown): IdentityFinding | undefined {
  const { id, documents, sanctions } = (answer ?? {}) as Record<string, unknown>;
  const known = DOCUMENTS.find((one) => one === documents);
  if (typeof id !== 'string' || known === undefined || !Array.isArray(sanctions)) return undefined;
  const hits = sanctions.map((hit: { list?: unknown; name?: unknown }) => ({
    list: String(hit.list),
    name: String(hit.name),
  }));
  if (hits.length > 0 || known === 'rejected')
    return { reference: id, status: 'failed', documents: known, sanctions: hits };
  const status = known === 'verified' ? 'passed' : 'review';
  return { reference: id, status, documents: known, sanctions: hits };
}
