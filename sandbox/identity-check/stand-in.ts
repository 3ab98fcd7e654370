// A stand-in for a service that checks identities: documents by the name a person gives, sanctions by a short list of its own.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

type Person = { readonly name?: string; readonly date_of_birth?: string; readonly country?: string };

/** Names that no client bears. */
const SANCTIONED = ['Viktor Sanctioned', 'Sanctioned Shipping'];

export function mountIdentityStandIn(app: FastifyInstance, { key }: { readonly key: string }): void {
  app.post('/checks', (request, reply) => {
    if (request.headers.authorization !== `Bearer ${key}`) return reply.status(401).send({ error: 'key' });
    const { name = '', date_of_birth: birth, country } = (request.body ?? {}) as Person;
    if (name === '' || birth === undefined || country === undefined)
      return reply.status(422).send({ error: 'name, date_of_birth and country are needed' });
    const sanctions = SANCTIONED.filter((one) => name.toLowerCase().includes(one.toLowerCase())).map(
      (one) => ({ list: 'stand-in list', name: one }),
    );
    const documents = /unclear/i.test(name) ? 'unclear' : /forged/i.test(name) ? 'rejected' : 'verified';
    return reply.status(201).send({ id: randomUUID(), documents, sanctions });
  });
}
