import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { fillFromVault } from './vault-settings.ts';

const app = Fastify();
let asked = 0;
app.get('/v1/secret/data/bellwether', async (request, reply) => {
  asked += 1;
  if (request.headers['x-vault-token'] !== 'hush')
    return reply.status(403).send({ errors: ['permission denied'] });
  return {
    data: {
      data: { database_url: 'postgresql://a', mail_url: 'smtps://b', empty: '' },
      metadata: { version: 3 },
    },
  };
});
app.get('/v1/kv/old', async () => ({ data: { key: 'of the first version' } }));
const url = await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => app.close());
const vault = { VAULT_ADDR: `${url}/`, VAULT_TOKEN: 'hush' };
const filled = async (variables: Record<string, string>) => {
  const all: Record<string, string | undefined> = { ...vault, ...variables };
  await fillFromVault(all);
  return all;
};

test('each reference becomes what is at Vault, read once for a path; other settings stay', async () => {
  asked = 0;
  expect(
    await filled({
      DATABASE_URL: 'vault:secret/data/bellwether#database_url',
      MAIL_URL: 'vault:secret/data/bellwether#mail_url',
      STRIPE_SECRET_KEY: 'vault:kv/old#key',
      HOST: '127.0.0.1',
    }),
  ).toEqual({
    ...vault,
    DATABASE_URL: 'postgresql://a',
    MAIL_URL: 'smtps://b',
    STRIPE_SECRET_KEY: 'of the first version',
    HOST: '127.0.0.1',
  });
  expect(asked).toBe(1);
});

test('without a reference nothing is asked, and no address is needed', async () => {
  const variables = { HOST: '127.0.0.1', MAIL_URL: undefined };
  await fillFromVault(variables);
  expect(variables).toEqual({ HOST: '127.0.0.1', MAIL_URL: undefined });
});

test.each([
  [{ MAIL_URL: 'vault:secret/data/bellwether' }, 'MAIL_URL must be vault:<path>#<field>'],
  [
    { MAIL_URL: 'vault:secret/data/bellwether#nothing' },
    'MAIL_URL: the secret secret/data/bellwether at Vault has no text in the field "nothing"',
  ],
  [{ MAIL_URL: 'vault:secret/data/bellwether#empty' }, 'has no text in the field "empty"'],
  [
    { MAIL_URL: 'vault:secret/data/bellwether#mail_url', VAULT_TOKEN: 'wrong' },
    'Vault refuses the secret secret/data/bellwether: status 403, permission denied',
  ],
  [{ MAIL_URL: 'vault:a#b', VAULT_ADDR: 'http://vault.example.test' }, 'settings would travel unencrypted'],
  [{ MAIL_URL: 'vault:a#b', VAULT_ADDR: 'vault' }, 'MAIL_URL=vault:… needs VAULT_ADDR'],
  [
    { MAIL_URL: 'vault:a#b', VAULT_ADDR: 'http://127.0.0.1:1' },
    'VAULT_ADDR: http://127.0.0.1:1 does not answer',
  ],
])('%o is refused with what to do', async (variables, said) => {
  await expect(filled(variables)).rejects.toThrow(said);
});

test('a secret is in no message', async () => {
  const failed = filled({ MAIL_URL: 'vault:a#b', VAULT_ADDR: 'http://127.0.0.1:1' });
  await expect(failed).rejects.not.toThrow('hush');
});
