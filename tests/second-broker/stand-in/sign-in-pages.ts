// The pages on which a person signs in and consents, as plain forms in two steps.
import { randomBytes } from 'node:crypto';
import { type Answer, page } from './answer.ts';
import type { Permissions } from './oauth.ts';

export class SignInPages {
  readonly #permissions: Permissions;
  readonly #passwords: ReadonlyMap<string, string>;
  /** Visits that have signed in: by the key that the consent form carries. */
  readonly #visits = new Map<string, { readonly user: string; readonly token: string; readonly back: URL }>();

  constructor(permissions: Permissions, passwords: ReadonlyMap<string, string>) {
    this.#permissions = permissions;
    this.#passwords = passwords;
  }

  show(query: URLSearchParams): Answer {
    const token = query.get('oauth_token') ?? '';
    const back = query.get('redirect_uri') ?? '';
    if (!this.#permissions.isPending(token) || !URL.canParse(back))
      return page('<html><body>This request has expired.</body></html>', 400);
    return form('Log in', '/sso/login', [
      `<input type=hidden name=t value="${token}">`,
      `<input type=hidden name=b value="${encodeURIComponent(back)}">`,
      '<input name=user> <input name=pass type=password>',
    ]);
  }

  logIn(fields: URLSearchParams): Answer {
    const user = fields.get('user') ?? '';
    if (this.#passwords.get(user) !== fields.get('pass'))
      return page('<html><body>Wrong password</body></html>', 401);
    const key = randomBytes(12).toString('hex');
    const back = new URL(decodeURIComponent(fields.get('b') ?? ''));
    this.#visits.set(key, { user, token: fields.get('t') ?? '', back });
    return form('Third-party access', '/sso/consent', [
      `<input type=hidden name=visit value="${key}">`,
      '<input type=checkbox name=agree value=1>',
    ]);
  }

  consent(fields: URLSearchParams): Answer {
    const visit = this.#visits.get(fields.get('visit') ?? '');
    if (visit === undefined || !this.#permissions.isPending(visit.token))
      return page('<html><body>This request has expired.</body></html>', 400);
    visit.back.searchParams.set('oauth_token', visit.token);
    if (fields.get('agree') === '1')
      visit.back.searchParams.set('oauth_verifier', this.#permissions.approve(visit.token, visit.user));
    return { status: 302, location: visit.back.href };
  }
}

function form(title: string, action: string, inputs: readonly string[]): Answer {
  return page(
    `<html><head><title>${title}</title></head><body><form method=post action="${action}">${inputs.join('\n')}<button>Continue</button></form></body></html>`,
  );
}
