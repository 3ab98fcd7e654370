import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** OWASP's password storage cheat sheet (2025): argon2id with 19 MiB, 2 passes, 1 lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

const derive = promisify(argon2);

/** The hash in PHC form: $argon2id$v=19$m=…,t=…,p=…$salt$tag. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await tagOf(password, {
    salt,
    memory: MEMORY_KIB,
    passes: PASSES,
    lanes: LANES,
    bytes: TAG_BYTES,
  });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Whether the password matches this hash. Throws when the stored text is not an argon2id hash. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (!match) throw new Error('a stored password hash is not argon2id');
  const expected = Buffer.from(match[5]!, 'base64');
  const tag = await tagOf(password, {
    salt: Buffer.from(match[4]!, 'base64'),
    memory: Number(match[1]),
    passes: Number(match[2]),
    lanes: Number(match[3]),
    bytes: expected.length,
  });
  return timingSafeEqual(tag, expected);
}

/** The same work for a secret that is found by its hash: who hashes says the salt. */
export function stretched(secret: string, salt: Buffer): Promise<Buffer> {
  return tagOf(secret, { salt, memory: MEMORY_KIB, passes: PASSES, lanes: LANES, bytes: TAG_BYTES });
}

/** A hash that no password matches, used for unknown e-mails: a refusal takes the same time either way. */
export const NOBODYS_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(Buffer.alloc(SALT_BYTES))}$${unpadded(Buffer.alloc(TAG_BYTES))}`;

type Costs = { salt: Buffer; memory: number; passes: number; lanes: number; bytes: number };

function tagOf(password: string, { salt, memory, passes, lanes, bytes }: Costs): Promise<Buffer> {
  return derive('argon2id', {
    message: password.normalize('NFKC'),
    nonce: salt,
    parallelism: lanes,
    tagLength: bytes,
    memory,
    passes,
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
