// A client of the product's HTTP API: the demo account uses the same calls as every browser.

export type Person = {
  /** Sends JSON, answers JSON; throws with the server's sentence on a refusal. */
  call<Answer>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** The same, with null for 404. */
  find<Answer>(path: string): Promise<Answer | null>;
  /** Sends a form, or asks for a page, as a browser does. */
  visit(path: string, form?: Readonly<Record<string, string>>): Promise<{ status: number; text: string }>;
};

class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(answer: { status: number; code: string; message: string }) {
    super(answer.message);
    this.status = answer.status;
    this.code = answer.code;
  }
}

/** Registers when there is no such account yet, then signs in. */
export async function signIn(
  baseUrl: string,
  account: { email: string; password: string; firstName: string },
): Promise<Person> {
  const { email, password } = account;
  let token = await logIn(baseUrl, email, password);
  if (token === null) {
    await send(baseUrl, null, 'POST', '/api/auth/register/', {
      email,
      username: email,
      password,
      confirm_password: password,
      first_name: account.firstName,
    });
    token = await logIn(baseUrl, email, password);
  }
  if (token === null)
    throw new Error(
      `the demo account ${email} exists with another password: remove the data folder to start again`,
    );
  const bearer = { value: token };

  const call = async <Answer>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer> => {
    try {
      return await send<Answer>(baseUrl, bearer.value, method, path, body, headers);
    } catch (error) {
      // Access tokens live for minutes; creating the history may take longer.
      if (!(error instanceof Refused) || error.status !== 401) throw error;
      bearer.value = (await logIn(baseUrl, email, password)) ?? bearer.value;
      return send<Answer>(baseUrl, bearer.value, method, path, body, headers);
    }
  };
  return {
    call,
    async find<Answer>(path: string) {
      try {
        return await call<Answer>('GET', path);
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return null;
        throw error;
      }
    },
    async visit(path, form) {
      const answer = await fetch(baseUrl + path, {
        method: form === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${bearer.value}` },
        body: form && new URLSearchParams(form),
        redirect: 'manual',
        signal: AbortSignal.timeout(30_000),
      });
      return { status: answer.status, text: await answer.text() };
    },
  };
}

async function logIn(baseUrl: string, email: string, password: string): Promise<string | null> {
  try {
    const answer = await send<{ token: string }>(baseUrl, null, 'POST', '/api/auth/login/', {
      email,
      password,
    });
    return answer.token;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return null;
    throw error;
  }
}

async function send<Answer>(
  baseUrl: string,
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const value: unknown = text === '' ? null : JSON.parse(text);
  if (response.ok) return value as Answer;
  const refusal = (value ?? {}) as { code?: string; message?: string };
  throw new Refused({
    status: response.status,
    code: refusal.code ?? 'unknown',
    message: `${method} ${path}: ${response.status} ${refusal.message ?? ''}`,
  });
}
