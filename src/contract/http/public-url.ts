import { z } from 'zod';

/** An address that we post to, as far as its text says; where it leads is looked at again before each delivery. */
export function publicUrl(what: 'address' | 'endpoint', lengthMax: number) {
  return z
    .string(`Give the ${what}`)
    .trim()
    .max(lengthMax, `The ${what} is too long`)
    .superRefine((text, context) => {
      const message = problemOf(text, what);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });
}

function problemOf(text: string, what: string): string | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return `Give a whole ${what}, such as https://example.com/hooks`;
  }
  if (url.protocol !== 'https:') return `The ${what} must begin with https://`;
  if (url.username !== '' || url.password !== '') return `Leave user name and password out of the ${what}`;
  if (url.hash !== '') return 'Leave out what follows the # sign';
  const host = url.hostname;
  // Numbers in any writing are read as four by now. A name is looked up, and looked at, before each delivery.
  if (!host.includes('.') || /^[\d.]+$/.test(host) || host.startsWith('['))
    return 'Give a name that is reachable from the Internet, such as hooks.example.com';
  return null;
}
