// Settings that are kept at Vault, or OpenBao: `DATABASE_URL=vault:secret/data/bellwether#database_url` is the field database_url of
// the secret at that path, read at each start. https://developer.hashicorp.com/vault/api-docs/secret/kv
import { isLoopback } from './loopback.ts';
import { readVaultAccess, type VaultAccess } from './vault-access.ts';

const REFERENCE = /^vault:([\w./-]+)#([\w.-]+)$/;
const ANSWERS_WITHIN_MS = 10_000;

type Variables = Record<string, string | undefined>;

/** Puts what is at Vault in place of each reference. Throws an Error that names the setting and the way out. */
export async function fillFromVault(variables: Variables): Promise<void> {
  const references = Object.entries(variables).filter(([, value]) => value?.startsWith('vault:') === true);
  if (references.length === 0) return;
  const access = readVaultAccess((name) => variables[name] ?? null, `${references[0]![0]}=vault:…`);
  const { protocol, hostname } = new URL(access.url);
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new Error(
      `VAULT_ADDR is ${access.url}, and settings would travel unencrypted: set it to an https address`,
    );
  const secrets = new Map<string, Promise<Fields>>();
  for (const [name, value] of references) {
    const [, path, field] = REFERENCE.exec(value!) ?? [];
    if (path === undefined || field === undefined)
      throw new Error(
        `${name} must be vault:<path>#<field>, such as vault:secret/data/bellwether#database_url`,
      );
    const reading = secrets.get(path) ?? readSecret(access, path);
    secrets.set(path, reading);
    const found = (await reading)[field];
    if (typeof found !== 'string' || found === '')
      throw new Error(`${name}: the secret ${path} at Vault has no text in the field "${field}"`);
    variables[name] = found;
  }
}

type Fields = Readonly<Record<string, unknown>>;

async function readSecret({ url, token }: VaultAccess, path: string): Promise<Fields> {
  const answer = await fetch(`${url}/v1/${path}`, {
    headers: { 'x-vault-token': token(), 'x-vault-request': 'true' },
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
  }).catch((error: unknown) => {
    throw new Error(`VAULT_ADDR: ${url} does not answer: ${(error as Error).message}`, { cause: error });
  });
  const said = (await answer.json().catch(() => ({}))) as { data?: Fields; errors?: readonly string[] };
  if (!answer.ok)
    throw new Error(
      `Vault refuses the secret ${path}: status ${answer.status}${said.errors?.length ? `, ${said.errors.join(', ').trim()}` : ''}`,
    );
  // The second version of the engine wraps the fields, the first does not.
  const inner = said.data?.['data'];
  return typeof inner === 'object' && inner !== null ? (inner as Fields) : (said.data ?? {});
}
