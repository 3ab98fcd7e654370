// The recipient view: an address that opens once and within five minutes, the page behind it, and what its buttons do.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Books, SandboxEnvelope } from '../envelopes/books.ts';
import { API, refuse } from '../envelopes/envelope-routes.ts';
import type { Notices } from '../notices.ts';
import { endPage, signingPage, textPage } from './pages.ts';

type View = {
  readonly envelope: SandboxEnvelope;
  readonly returnUrl: string;
  readonly frameAncestors: readonly string[];
  readonly expiresAtMs: number;
  isOpened: boolean;
};

type ViewRequest = {
  readonly returnUrl?: string;
  readonly email?: string;
  readonly userName?: string;
  readonly clientUserId?: string;
  readonly frameAncestors?: readonly string[];
};

const VIEW_LIFE_MS = 5 * 60_000;
const RETURN_URL_MAX = 470;

export function viewRoutes(
  app: FastifyInstance,
  tools: {
    books: Books;
    notices: Notices;
    isSignedIn: (request: FastifyRequest) => boolean;
    nowMs: () => number;
  },
): void {
  const views = new Map<string, View>();
  const script = readFileSync(path.join(import.meta.dirname, 'bundle.js'), 'utf8');
  app.get('/bundle.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));

  app.post<{ Params: { id: string } }>(`${API}/envelopes/:id/views/recipient`, async (request, reply) => {
    if (!tools.isSignedIn(request)) return refuse(reply, 401, 'USER_AUTHENTICATION_FAILED');
    const envelope = tools.books.find(request.params.id);
    if (envelope === undefined) return refuse(reply, 404, 'ENVELOPE_DOES_NOT_EXIST');
    const sent = (request.body ?? {}) as ViewRequest;
    const { email, name, clientUserId } = envelope.signer;
    if (sent.email !== email || sent.userName !== name || sent.clientUserId !== clientUserId)
      return refuse(reply, 400, 'UNKNOWN_ENVELOPE_RECIPIENT');
    const { returnUrl = '', frameAncestors = [] } = sent;
    if (returnUrl === '' || returnUrl.length > RETURN_URL_MAX || !frameAncestors.every(isOrigin))
      return refuse(reply, 400, 'INVALID_REQUEST_PARAMETER');
    const token = randomUUID();
    const expiresAtMs = tools.nowMs() + VIEW_LIFE_MS;
    views.set(token, { envelope, returnUrl, frameAncestors, expiresAtMs, isOpened: false });
    return reply.status(201).send({ url: `http://${request.headers.host}/signing/${token}` });
  });

  app.get<{ Params: { token: string } }>('/signing/:token', (request, reply) => {
    const view = views.get(request.params.token);
    if (view === undefined || view.isOpened || tools.nowMs() >= view.expiresAtMs)
      return sendPage(reply.status(410), textPage('This signing link was used or has expired.'));
    view.isOpened = true;
    if (view.envelope.status === 'sent') view.envelope.status = 'delivered';
    const { finishText } = request.query as { finishText?: string };
    const own = `http://${request.headers.host}`;
    reply.header(
      'content-security-policy',
      `frame-ancestors ${[...view.frameAncestors, own].join(' ')}; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'`,
    );
    return sendPage(reply, signingPage(request.params.token, view.envelope, finishText ?? 'Finish'));
  });

  app.post<{ Params: { token: string } }>('/signing/:token', (request, reply) => {
    const view = views.get(request.params.token);
    if (view === undefined || !view.isOpened)
      return sendPage(reply.status(410), textPage('This signing link was used or has expired.'));
    const { act, name } = (request.body ?? {}) as { act?: string; name?: string };
    return sendPage(reply, endPage(settle(view, act ?? '', name ?? '', tools), view.returnUrl));
  });
}

function settle(
  { envelope }: View,
  act: string,
  name: string,
  { notices, nowMs }: { notices: Notices; nowMs: () => number },
): string {
  if (envelope.status !== 'delivered') return 'exception';
  if (act === 'sign') {
    envelope.status = 'completed';
    envelope.signedAtMs = nowMs();
    envelope.signedName = name.trim() === '' ? envelope.signer.name : name.trim();
    notices.note(envelope, 'envelope-completed');
    return 'signing_complete';
  }
  if (act !== 'decline') return 'cancel';
  envelope.status = 'declined';
  notices.note(envelope, 'envelope-declined');
  return 'decline';
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(html);
}
