import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SigningCeremony, TokenRefusal } from '#ports/signing.ts';
import { visitorOf } from '../visitor.ts';
import { fontFaces } from './font-faces.ts';
import { messagePage } from './message-page.ts';
import { signedPage } from './signed-page.ts';
import { signingPage } from './signing-page.ts';
import { type Theme, themeOf } from './page-frame.ts';

type SigningRequest = FastifyRequest<{ Params: { token: string }; Querystring: Record<string, unknown> }>;

/**
 * Our own signing page at /sign/{token}: the holder of the token is the signer. `webRoot` contains the web app's
 * fonts; without it the page uses system fonts.
 */
export async function serveSigningPage(
  app: FastifyInstance,
  ceremony: SigningCeremony,
  webRoot: string | null,
): Promise<void> {
  await app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    for (const [name, type] of ASSETS) {
      const own = readFileSync(path.join(import.meta.dirname, name), 'utf8');
      const text = name === 'signing.css' ? fontFaces(webRoot) + own : own;
      pages.get(`/sign/assets/${name}`, { schema: { hide: true } }, (_request, reply) =>
        reply.type(type).header('cache-control', 'no-cache').send(text),
      );
    }
    pages.get('/sign/:token', { schema: { hide: true } }, (request, reply) =>
      show(request as SigningRequest, reply, ceremony),
    );
    pages.get('/sign/:token/document.pdf', { schema: { hide: true } }, (request, reply) =>
      sendDocument(request as SigningRequest, reply, ceremony),
    );
    pages.post('/sign/:token', { schema: { hide: true } }, (request, reply) =>
      finish(request as SigningRequest, reply, ceremony),
    );
  });
}

const FORM_BYTES_MAX = 8192;
const ASSETS = [
  ['signing.css', 'text/css; charset=utf-8'],
  ['signing.js', 'text/javascript; charset=utf-8'],
] as const;

async function show(
  request: SigningRequest,
  reply: FastifyReply,
  ceremony: SigningCeremony,
): Promise<FastifyReply> {
  const theme = themeOf(request.query);
  const presentation = await ceremony.present(request.params.token, visitorOf(request));
  if (presentation.kind === 'refused') return sendRefused(reply, presentation.code, theme);
  const { envelope } = presentation;
  if (presentation.kind === 'signed') return sendPage(reply, signedPage(envelope, theme));
  return sendPage(
    reply,
    signingPage(envelope, { token: request.params.token, theme, typedName: '', missing: [] }),
  );
}

async function sendDocument(
  request: SigningRequest,
  reply: FastifyReply,
  ceremony: SigningCeremony,
): Promise<FastifyReply> {
  const presentation = await ceremony.present(request.params.token, visitorOf(request));
  if (presentation.kind === 'refused') {
    return sendRefused(reply, presentation.code, themeOf(request.query));
  }
  return reply
    .type('application/pdf')
    .header('cache-control', 'no-store')
    .header('content-disposition', 'inline; filename="investment-agreement.pdf"')
    .send(Buffer.from(presentation.envelope.presented));
}

async function finish(
  request: SigningRequest,
  reply: FastifyReply,
  ceremony: SigningCeremony,
): Promise<FastifyReply> {
  const theme = themeOf(request.query);
  const { token } = request.params;
  const form = (request.body ?? {}) as Partial<Record<string, string>>;
  const signature = { name: form['name'] ?? '', consents: form['consent'] === 'yes' };
  const visitor = visitorOf(request);
  const result = await ceremony.finish(token, signature, visitor);
  if (result.kind === 'refused') return sendRefused(reply, result.code, theme);
  // Redirects to a GET, so that a reload does not submit the form again.
  if (result.kind === 'signed') return reply.redirect(`/sign/${token}?theme=${theme}`, 303);
  const presentation = await ceremony.present(token, visitor);
  if (presentation.kind !== 'open') return reply.redirect(`/sign/${token}?theme=${theme}`, 303);
  const options = { token, theme, typedName: signature.name, missing: result.missing };
  return sendPage(reply.status(422), signingPage(presentation.envelope, options));
}

function sendRefused(reply: FastifyReply, code: TokenRefusal, theme: Theme): FastifyReply {
  const status = code === 'unknown-token' ? 404 : 410;
  return sendPage(reply.status(status), messagePage({ ...REFUSALS[code], theme }));
}

const REFUSALS: Readonly<Record<TokenRefusal, { title: string; text: string }>> = {
  'unknown-token': {
    title: 'This signing link does not exist',
    text: 'Nothing was signed. Close this panel and press Sign Agreement again for a new link.',
  },
  'expired-token': {
    title: 'This signing link has expired',
    text: 'A link is valid for 15 minutes. Nothing was signed. Close this panel and press Sign Agreement again for a new link.',
  },
};

/** The address contains the token: the page must not be cached, nor the address passed on. */
function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .send(html);
}
