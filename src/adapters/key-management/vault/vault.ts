// HashiCorp Vault's transit engine, and OpenBao's, over HTTP: the root key never leaves it. Its versions are the root keys.
// https://developer.hashicorp.com/vault/api-docs/secret/transit
import type { KeyAnswer, KeyFailure, KeyManagement } from '#ports/key-management.ts';

export type VaultSettings = {
  /** Without a trailing slash. */
  readonly url: string;
  /** Read before each request, because an agent renews it. */
  readonly token: () => string;
  /** Where the transit engine is mounted, and the name of the key in it. */
  readonly mount: string;
  readonly keyName: string;
};

const ANSWERS_WITHIN_MS = 10_000;

export function vault(settings: VaultSettings): KeyManagement {
  const { keyName, url } = settings;
  return {
    async wrap(key, name) {
      const answer = await post(settings, `encrypt/${keyName}`, {
        plaintext: base64(key),
        associated_data: base64(Buffer.from(name)),
      });
      if (!answer.ok) return answer;
      const ciphertext = answer.value['ciphertext'];
      const version = typeof ciphertext === 'string' ? versionOf(ciphertext) : null;
      if (version === null) return failed(url, 'refused', 'no ciphertext');
      const by = `vault ${keyName} v${version}`;
      return { ok: true, value: { by, bytes: Buffer.from(ciphertext as string) } };
    },
    async unwrap({ bytes }, name) {
      const ciphertext = Buffer.from(bytes).toString();
      if (versionOf(ciphertext) === null) return failed(url, 'foreign', `${keyName} at Vault`);
      const answer = await post(settings, `decrypt/${keyName}`, {
        ciphertext,
        associated_data: base64(Buffer.from(name)),
      });
      if (!answer.ok) return answer;
      const plaintext = answer.value['plaintext'];
      if (typeof plaintext !== 'string') return failed(url, 'refused', 'no plaintext');
      return { ok: true, value: Buffer.from(plaintext, 'base64') };
    },
    async rotate() {
      const answer = await post(settings, `keys/${keyName}/rotate`, {});
      return answer.ok ? DONE : answer;
    },
    // Older versions stay: Vault's own `min_decryption_version` retires them.
    retire: async () => DONE,
  };
}

type Fields = Readonly<Record<string, unknown>>;

async function post(
  { url, token, mount }: VaultSettings,
  path: string,
  body: Fields,
): Promise<KeyAnswer<Fields>> {
  try {
    const answer = await fetch(`${url}/v1/${mount}/${path}`, {
      method: 'POST',
      headers: { 'x-vault-token': token(), 'x-vault-request': 'true', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    const said = (await answer.json().catch(() => ({}))) as { data?: Fields; errors?: readonly string[] };
    if (answer.ok) return { ok: true, value: said.data ?? {} };
    const reason = `status ${answer.status}${said.errors?.length ? `: ${said.errors.join(', ').trim()}` : ''}`;
    // Sealed, standing by, or overrun.
    if (answer.status >= 500 || answer.status === 429) return failed(url, 'unreachable', reason);
    return failed(url, 'refused', reason);
  } catch (error) {
    return failed(url, 'unreachable', reasonOf(error));
  }
}

/** As in vault:v3:…; null for anything else. */
function versionOf(ciphertext: string): string | null {
  return /^vault:v(\d+):/.exec(ciphertext)?.[1] ?? null;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function failed(place: string, code: KeyFailure['code'], said: string) {
  return { ok: false, code, setting: 'VAULT_ADDR', place, said } as const;
}

const DONE: KeyAnswer<null> = { ok: true, value: null };
