// A person with an authenticator app.
import { codeOf, STEP_SECONDS } from '#server/identity/second-factor/totp.ts';
import { instant } from '#units/instant.ts';
import type { TestApp } from './test-app.ts';
import { signedInPerson, type TestPerson } from './test-person.ts';

export type TwoFactorPerson = TestPerson & {
  readonly backupCodes: readonly string[];
  /** The app's code now; each is new, because the clock moves on. */
  readonly nextCode: () => string;
};

export async function twoFactorPerson(
  app: TestApp,
  person: TestPerson | null = null,
): Promise<TwoFactorPerson> {
  const owner = person ?? (await signedInPerson(app));
  const { token } = owner;
  const url = '/api/auth/2fa/setup/';
  const { secret } = (await app.request({ method: 'POST', url, token })).body as { secret: string };
  const nextCode = () => {
    app.world.now = instant(app.world.now + STEP_SECONDS * 1000);
    return codeAt(secret, app.world.now);
  };
  const enabled = await app.request({
    method: 'POST',
    url: '/api/auth/2fa/enable/',
    token,
    body: { code: codeAt(secret, app.world.now) },
  });
  return { ...owner, backupCodes: enabled.body.backup_codes, nextCode };
}

/** What an authenticator app shows for a secret in base32. */
export function codeAt(secret: string, now: number): string {
  const bits = Array.from(secret, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return codeOf(Uint8Array.from(bytes), Math.floor(now / 1000 / STEP_SECONDS));
}
