// Who signs agreements: our own page, or DocuSign by its DOCUSIGN_ settings.
import { readFileSync } from 'node:fs';
import { isLoopback } from './loopback.ts';
import { oneOf } from './setting.ts';

type Text = (name: string) => string | null;

export type DocusignEnvironment = {
  readonly authUrl: string;
  readonly scriptUrl: string;
  readonly appsOrigin: string;
  readonly integrationKey: string;
  readonly userId: string;
  readonly privateKeyPem: string;
  /** Null: the default account of the user. */
  readonly accountId: string | null;
  readonly noticeKeys: readonly string[];
};

/** Null where our own page signs. Throws an Error that names the setting and the way out. */
export function readSigning(text: Text): DocusignEnvironment | null {
  if (oneOf('ESIGN', text('ESIGN'), CHOICES, 'embedded') === 'embedded') return null;
  const noticeKeys = needed(text, 'DOCUSIGN_CONNECT_KEYS', 'the HMAC keys of Connect, separated by commas')
    .split(',')
    .map((key) => key.trim());
  if (noticeKeys.some((key) => key.length < KEY_LENGTH_MIN))
    throw new Error(
      `DOCUSIGN_CONNECT_KEYS holds a key of fewer than ${KEY_LENGTH_MIN} characters: take the keys that Connect made`,
    );
  return {
    ...addressesOf(text),
    integrationKey: needed(text, 'DOCUSIGN_INTEGRATION_KEY', 'the integration key of your app at DocuSign'),
    userId: needed(text, 'DOCUSIGN_USER_ID', 'the user in whose name envelopes are sent'),
    privateKeyPem: privateKey(needed(text, 'DOCUSIGN_PRIVATE_KEY_FILE', 'the file of the app’s RSA key')),
    accountId: text('DOCUSIGN_ACCOUNT_ID'),
    noticeKeys,
  };
}

const CHOICES = ['embedded', 'docusign'] as const;
const WORLDS = ['demo', 'production'] as const;
const KEY_LENGTH_MIN = 16;

const ADDRESSES = {
  demo: {
    authUrl: 'https://account-d.docusign.com',
    scriptUrl: 'https://js-d.docusign.com/bundle.js',
    appsOrigin: 'https://apps-d.docusign.com',
  },
  production: {
    authUrl: 'https://account.docusign.com',
    scriptUrl: 'https://js.docusign.com/bundle.js',
    appsOrigin: 'https://apps.docusign.com',
  },
} as const;

/** A stand-in has all of it at one address, which must be on this machine: it would learn what clients sign. */
function addressesOf(text: Text): Pick<DocusignEnvironment, 'authUrl' | 'scriptUrl' | 'appsOrigin'> {
  const standIn = text('DOCUSIGN_STAND_IN_URL');
  if (standIn === null) return ADDRESSES[oneOf('DOCUSIGN_WORLD', text('DOCUSIGN_WORLD'), WORLDS, 'demo')];
  if (!URL.canParse(standIn) || !isLoopback(new URL(standIn).hostname))
    throw new Error(
      `DOCUSIGN_STAND_IN_URL is "${standIn}": a stand-in must be on this machine, such as http://127.0.0.1:3220. Remove it for the real service`,
    );
  const { origin } = new URL(standIn);
  return { authUrl: origin, scriptUrl: `${origin}/bundle.js`, appsOrigin: origin };
}

function needed(text: Text, name: string, what: string): string {
  const said = text(name);
  if (said === null) throw new Error(`ESIGN=docusign needs ${name}, ${what}`);
  return said;
}

function privateKey(file: string): string {
  const pem = readIfExists(file);
  if (pem === null || !pem.includes('PRIVATE KEY'))
    throw new Error(`DOCUSIGN_PRIVATE_KEY_FILE is ${file}, which holds no private key: name its PEM file`);
  return pem;
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
