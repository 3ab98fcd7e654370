// The documents of the built web app, with the provider's words in their places: filled in once, at the start.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Installation } from '#rules/installation.ts';
import { type ProviderTerms, TERM_PLACES } from '#rules/provider.ts';
import { providerStatements, STATEMENT_PLACES } from '#rules/provider-statements.ts';
import { escapeHtml } from './escape-html.ts';

export type WebDocument = {
  readonly html: string;
  readonly brotli: Buffer;
  readonly gzip: Buffer;
  readonly tag: string;
  /** The scripts that the build wrote into it, as the policy for scripts names them. */
  readonly inlineScripts: readonly string[];
};

/** What the documents say of the one who runs the product. */
export type Operator = { readonly installation: Installation; readonly provider: ProviderTerms };

export function readDocument(webRoot: string, file: string, operator: Operator): WebDocument {
  const built = readFileSync(path.join(webRoot, file), 'utf8');
  const html = fillIn(built, operator);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return {
    html,
    brotli: brotliCompressSync(html, { params }),
    gzip: gzipSync(html),
    tag: `"${createHash('sha256').update(html).digest('base64url')}"`,
    inlineScripts: Array.from(built.matchAll(/<script>(.*?)<\/script>/gs), ([, script = '']) =>
      hashOf(script),
    ),
  };
}

/** As a content security policy writes it. */
function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/** Revalidated on each request, answered with 304 if unchanged. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: WebDocument) {
  reply.header('cache-control', 'no-cache').header('etag', document.tag).header('vary', 'accept-encoding');
  const policy = String(reply.getHeader(POLICY));
  reply.header(
    POLICY,
    policy.replace("script-src 'self'", `$& ${document.inlineScripts.join(' ')}`.trimEnd()),
  );
  if (request.headers['if-none-match'] === document.tag) return reply.code(304).send();
  reply.type('text/html; charset=utf-8');
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (/\bbr\b(?!;q=0(?!\.))/.test(accepted))
    return reply.header('content-encoding', 'br').send(document.brotli);
  if (/\bgzip\b(?!;q=0(?!\.))/.test(accepted))
    return reply.header('content-encoding', 'gzip').send(document.gzip);
  return reply.send(document.html);
}

/** The app reads both from the document too, so that both say the same. */
function fillIn(html: string, { installation, provider: terms }: Operator): string {
  const meta = `    <meta name="installation" content="${installation}" />
    <meta name="provider" content="${escapeHtml(JSON.stringify(terms))}" />
  </head>`;
  const said = { ...terms, ...providerStatements(terms) };
  const places = { ...TERM_PLACES, ...STATEMENT_PLACES };
  const filled = (Object.keys(places) as (keyof typeof places)[]).reduce(
    (text, name) => text.replaceAll(places[name], () => escapeHtml(said[name])),
    html,
  );
  return filled.replace(/ *<\/head>/, () => meta);
}

const POLICY = 'content-security-policy';

/** Of 11: all documents take a tenth of a second. */
const BROTLI_QUALITY = 5;
