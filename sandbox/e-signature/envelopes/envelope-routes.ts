import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ACCOUNT_ID } from '../account.ts';
import type { Books, SandboxEnvelope } from './books.ts';
import { completedDocument } from './completed-document.ts';
import { readEnvelopeRequest } from './read-request.ts';

export const API = `/restapi/v2.1/accounts/${ACCOUNT_ID}`;

type Shown = { readonly Params: { readonly id: string } };

export function envelopeRoutes(
  app: FastifyInstance,
  {
    books,
    isSignedIn,
    losesAnswer,
  }: { books: Books; isSignedIn: (request: FastifyRequest) => boolean; losesAnswer: () => boolean },
): void {
  const signedIn = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isSignedIn(request)) await refuse(reply, 401, 'USER_AUTHENTICATION_FAILED');
  };

  app.post(`${API}/envelopes`, { preHandler: signedIn, bodyLimit: 26_214_400 }, async (request, reply) => {
    const read = await readEnvelopeRequest((request.body ?? {}) as object);
    if (!read.ok) return reply.status(400).send({ errorCode: read.errorCode, message: read.message });
    const { envelopeId, status } = books.add(read.envelope);
    if (losesAnswer()) {
      request.raw.socket.destroy();
      return reply;
    }
    return reply.status(201).send({ envelopeId, status, uri: `/envelopes/${envelopeId}` });
  });

  app.get(`${API}/envelopes`, { preHandler: signedIn }, async (request, reply) => {
    const { from_date: from, custom_field: field } = request.query as Record<string, string | undefined>;
    if (from === undefined) return refuse(reply, 400, 'INVALID_REQUEST_PARAMETER');
    const [name, value] = (field ?? '').split('=', 2) as [string, string?];
    const envelopes = books
      .list()
      .filter((envelope) => envelope.createdAtMs >= Date.parse(from))
      .filter((envelope) => field === undefined || envelope.customFields.get(name) === value)
      .map(shown);
    return { resultSetSize: String(envelopes.length), envelopes };
  });

  app.get<Shown>(`${API}/envelopes/:id`, { preHandler: signedIn }, async (request, reply) => {
    const envelope = books.find(request.params.id);
    return envelope === undefined ? refuse(reply, 404, 'ENVELOPE_DOES_NOT_EXIST') : shown(envelope);
  });

  app.get<Shown>(`${API}/envelopes/:id/recipients`, { preHandler: signedIn }, async (request, reply) => {
    const envelope = books.find(request.params.id);
    if (envelope === undefined) return refuse(reply, 404, 'ENVELOPE_DOES_NOT_EXIST');
    const { signer, signedName, signedAtMs } = envelope;
    const status = envelope.status === 'voided' ? 'sent' : envelope.status;
    const signed = signedAtMs === null ? {} : { signedDateTime: new Date(signedAtMs).toISOString() };
    const recipient = { ...signer, name: signedName ?? signer.name, recipientId: '1', status, ...signed };
    return { signers: [recipient], recipientCount: '1' };
  });

  app.get<Shown>(
    `${API}/envelopes/:id/documents/combined`,
    { preHandler: signedIn },
    async (request, reply) => {
      const envelope = books.find(request.params.id);
      if (envelope === undefined) return refuse(reply, 404, 'ENVELOPE_DOES_NOT_EXIST');
      const document =
        envelope.status === 'completed' ? await completedDocument(envelope) : envelope.document;
      return reply.type('application/pdf').send(Buffer.from(document));
    },
  );
}

export function refuse(reply: FastifyReply, status: number, errorCode: string): FastifyReply {
  return reply.status(status).send({ errorCode, message: errorCode.toLowerCase().replaceAll('_', ' ') });
}

function shown({ envelopeId, status, createdAtMs, signedAtMs }: SandboxEnvelope) {
  const completed =
    status === 'completed' && signedAtMs !== null
      ? { completedDateTime: new Date(signedAtMs).toISOString() }
      : {};
  return { envelopeId, status, createdDateTime: new Date(createdAtMs).toISOString(), ...completed };
}
