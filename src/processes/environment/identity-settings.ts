// Who checks the identity of people; nobody unless IDENTITY_CHECK_URL is set.
import { isLoopback } from './loopback.ts';

/** Throws an Error that names the setting and the way out. */
export function readIdentityCheck(
  text: (name: string) => string | null,
): { readonly url: string; readonly key: string } | null {
  const url = text('IDENTITY_CHECK_URL');
  if (url === null) return null;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(
      `IDENTITY_CHECK_URL must be an address, such as https://checks.example.test, not "${url}"`,
    );
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new Error(
      `IDENTITY_CHECK_URL is ${url}, and what people say of themselves would travel unencrypted: use https`,
    );
  const key = text('IDENTITY_CHECK_KEY');
  if (key === null)
    throw new Error('IDENTITY_CHECK_URL needs IDENTITY_CHECK_KEY, the key that the service gave you');
  return { url, key };
}
