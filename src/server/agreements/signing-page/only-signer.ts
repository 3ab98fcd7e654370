// Opens a signing page to its signer alone, and says to everybody else what to do.
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Envelope, FoundEnvelope, TokenRefusal } from '#ports/signing.ts';
import { asEverybody } from '#records/postgres/row-scope.ts';
import { isSigner, type SignerChecks } from '../bind-signer.ts';
import { messagePage } from './message-page.ts';
import { type Theme, themeOf } from './page-frame.ts';

export type SigningRequest = FastifyRequest<{
  Params: { token: string };
  Querystring: Record<string, unknown>;
}>;

export function onlySigner(
  links: { find(token: string): Promise<FoundEnvelope> },
  checks: SignerChecks,
  act: (request: SigningRequest, reply: FastifyReply, envelope: Envelope) => Promise<FastifyReply>,
): RouteHandlerMethod {
  // The link names the envelope; whose it is shows when it was found.
  return (incoming, reply) =>
    asEverybody(async () => {
      const request = incoming as SigningRequest;
      const found = await links.find(request.params.token);
      if (found.kind === 'refused') return sendRefused(reply, found.code, themeOf(request.query));
      if (!(await isSigner(request, found.envelope, checks))) {
        return sendRefused(reply, 'not-the-signer', themeOf(request.query));
      }
      return act(request, reply, found.envelope);
    });
}

type LinkRefusal = TokenRefusal | 'not-the-signer' | 'unavailable';

export function sendRefused(reply: FastifyReply, code: LinkRefusal, theme: Theme): FastifyReply {
  const { status, ...message } = REFUSALS[code];
  return sendPage(reply.status(status), messagePage({ ...message, theme }));
}

const REFUSALS: Readonly<Record<LinkRefusal, { status: number; title: string; text: string }>> = {
  'not-the-signer': {
    status: 403,
    title: 'This signing link belongs to another sign-in',
    text: 'Nothing was signed. Only the person who asked for the link can sign, in the same browser and while signed in. Sign in and press Sign Agreement for a link of your own.',
  },
  unavailable: {
    status: 503,
    title: 'The signing service is not answering',
    text: 'Nothing was signed. Close this panel and press Sign Agreement again in a few minutes.',
  },
  'unknown-token': {
    status: 404,
    title: 'This signing link does not exist',
    text: 'Nothing was signed. Close this panel and press Sign Agreement again for a new link.',
  },
  'expired-token': {
    status: 410,
    title: 'This signing link has expired',
    text: 'A link is valid for 15 minutes. Nothing was signed. Close this panel and press Sign Agreement again for a new link.',
  },
};

/** The address contains the token: the page must not be cached, nor the address passed on. */
export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .send(html);
}
