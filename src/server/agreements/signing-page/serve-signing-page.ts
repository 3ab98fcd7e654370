import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SigningCeremony } from '#ports/signing.ts';
import type { SignerChecks } from '../bind-signer.ts';
import { visitorOf } from '../visitor.ts';
import { fontFaces } from './font-faces.ts';
import { onlySigner, sendPage, sendRefused, type SigningRequest } from './only-signer.ts';
import { signedPage } from './signed-page.ts';
import { signingPage } from './signing-page.ts';
import { themeOf } from './page-frame.ts';

/**
 * Our own signing page at /sign/{token}: whoever asked for the link signs, while their sign-in goes on. The web app's
 * folder contains the fonts; without it the page uses system fonts.
 */
export async function serveSigningPage(
  app: FastifyInstance,
  ceremony: SigningCeremony,
  checks: SignerChecks,
): Promise<void> {
  await app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    for (const [name, type] of ASSETS) {
      const own = readFileSync(path.join(import.meta.dirname, name), 'utf8');
      const text = name === 'signing.css' ? fontFaces(checks.config.webRoot) + own : own;
      pages.get(`/sign/assets/${name}`, { schema: { hide: true } }, (_request, reply) =>
        reply.type(type).header('cache-control', 'no-cache').send(text),
      );
    }
    const options = { schema: { hide: true }, config: { security: 'optional' } } as const;
    const forSigner = (act: Act) =>
      onlySigner(ceremony, checks, (request, reply) => act(request, reply, ceremony));
    pages.get('/sign/:token', options, forSigner(show));
    pages.get('/sign/:token/document.pdf', options, forSigner(sendDocument));
    pages.post('/sign/:token/read', options, forSigner(noteReading));
    pages.post('/sign/:token', options, forSigner(finish));
  });
}

type Act = (request: SigningRequest, reply: FastifyReply, ceremony: SigningCeremony) => Promise<FastifyReply>;

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

async function noteReading(
  request: SigningRequest,
  reply: FastifyReply,
  ceremony: SigningCeremony,
): Promise<FastifyReply> {
  const result = await ceremony.read(request.params.token, visitorOf(request));
  if (result.kind === 'refused') return sendRefused(reply, result.code, themeOf(request.query));
  return reply.status(204).header('cache-control', 'no-store').send();
}

async function finish(
  request: SigningRequest,
  reply: FastifyReply,
  ceremony: SigningCeremony,
): Promise<FastifyReply> {
  const theme = themeOf(request.query);
  const { token } = request.params;
  const form = (request.body ?? {}) as Partial<Record<string, string>>;
  const signature = {
    name: form['name'] ?? '',
    consents: form['consent'] === 'yes',
    consentsToElectronicRecords: form['electronic_consent'] === 'yes',
  };
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
