// A vendor's signing page within a page of ours, and the address of its notices.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { VendorSigning } from '#ports/signing.ts';
import { asEverybody } from '#records/postgres/row-scope.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { refuse } from '../../http/refusal.ts';
import { sendRefusal } from '../../http/answer-errors.ts';
import { answered } from '../answered.ts';
import type { SignerChecks } from '../bind-signer.ts';
import { visitorOf } from '../visitor.ts';
import { fontFaces } from './font-faces.ts';
import { onlySigner, sendPage, sendRefused } from './only-signer.ts';
import { pageFrame, themeOf } from './page-frame.ts';
import { signedPage } from './signed-page.ts';

export const NOTICE_PATH = '/api/docusign-connect';

export async function serveVendorPage(
  app: FastifyInstance,
  vendor: VendorSigning,
  checks: SignerChecks,
): Promise<void> {
  await app.register(async (pages) => {
    for (const [name, type] of ASSETS) {
      const own = readFileSync(path.join(import.meta.dirname, name), 'utf8');
      const text = name === 'signing.css' ? fontFaces(checks.config.webRoot) + own : own;
      pages.get(`/sign/assets/${name}`, { schema: { hide: true } }, (_request, reply) =>
        reply.type(type).header('cache-control', 'no-cache').send(text),
      );
    }
    const options = { schema: { hide: true }, config: { security: 'optional' } } as const;
    // Says nothing of whether anything was signed: whoever shows this page asks the server.
    pages.get<{ Querystring: Record<string, unknown> }>('/sign/returned', options, (request, reply) =>
      sendPage(reply, returnedPage(`${checks.config.publicUrl}/marketplace`, themeOf(request.query))),
    );
    pages.get(
      '/sign/:token',
      options,
      onlySigner(vendor, checks, async (request, reply, envelope) => {
        const theme = themeOf(request.query);
        if (envelope.status === 'signed') return sendPage(reply, signedPage(envelope, theme));
        const view = await answered(request, () => vendor.openView(envelope, visitorOf(request)));
        if ('refused' in view) return sendRefused(reply, 'unavailable', theme);
        reply.header('content-security-policy', policyOf(view));
        return sendPage(reply, vendorPage(view, { next: envelope.returnUrl, theme }));
      }),
    );
  });
  await app.register(async (notices) => {
    // The signature is over the bytes as they came.
    notices.removeAllContentTypeParsers();
    notices.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: NOTICE_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    notices.post(NOTICE_PATH, { schema: { hide: true } }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signatures = signaturesOf(request.headers);
      const said = await answered(request, async () => ({
        notice: await asEverybody(() => vendor.takeNotice(body, signatures)),
      }));
      // The vendor sends it again.
      if ('refused' in said) return sendRefusal(reply, said.refused);
      if (said.notice === 'taken') return { status: true };
      return sendRefusal(reply, refuse('forbidden', 'The notice has no valid signature.'));
    });
  });
}

const NOTICE_BYTES_MAX = 1_048_576;
const ASSETS = [
  ['signing.css', 'text/css; charset=utf-8'],
  ['signing.js', 'text/javascript; charset=utf-8'],
] as const;

/** X-DocuSign-Signature-1 to -N. */
function signaturesOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => /^x-docusign-signature-\d+$/.test(name))
    .flatMap(([, value]) => value ?? []);
}

type View = Awaited<ReturnType<VendorSigning['openView']>>;

/** The only page that runs a script of others: it may do nothing but show its own pages. */
function policyOf({ scriptUrl, origins }: View): string {
  const vendor = `${new URL(scriptUrl).origin} ${origins.join(' ')}`;
  return [
    "default-src 'none'",
    `script-src 'self' ${new URL(scriptUrl).origin}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${vendor}`,
    `frame-src 'self' ${vendor}`,
    "frame-ancestors 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}

type Shown = { readonly next: string; readonly theme: ReturnType<typeof themeOf> };

function vendorPage({ url, scriptUrl, integrationKey }: View, { next, theme }: Shown): string {
  const back = `${next}?event=signing_complete`;
  return pageFrame({
    title: 'Sign the agreement',
    theme,
    view: 'vendor',
    vendorScript: scriptUrl,
    body: `<main class="vendor" data-url="${escapeHtml(url)}" data-key="${escapeHtml(integrationKey)}" data-next="${escapeHtml(back)}">
<div id="vendor"></div>
<p id="missing" class="missing" role="status"></p>
</main>`,
  });
}

function returnedPage(next: string, theme: Shown['theme']): string {
  const back = `${next}?event=signing_complete`;
  return pageFrame({
    title: 'Checking your signature',
    theme,
    view: 'signed',
    body: `<main class="message" data-next="${escapeHtml(back)}">
<h1>Checking your signature</h1>
<p><a href="${escapeHtml(back)}" target="_top">Continue</a></p>
</main>`,
  });
}
