import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import fastify, { type FastifyInstance } from 'fastify';

/** Nothing from elsewhere, and nothing inline but the one script that a document names by its hash. Our own signing page is framed by our own pages, so 'self' may frame. */
export async function setSecurityHeaders(app: FastifyInstance, publicUrl: string): Promise<void> {
  const headers = await headersOf(publicUrl.startsWith('https:'));
  // What may be kept says so itself.
  const ofApi = { ...headers, 'cache-control': 'no-store' };
  const ofData = dataHeaders(ofApi);
  app.addHook('onRequest', ({ routeOptions, url }, reply, done) => {
    const ofOther = url.startsWith('/api/') ? ofApi : headers;
    reply.headers(routeOptions.config.isData === true ? ofData : ofOther);
    done();
  });
}

/** What matters to JSON, which no browser runs or frames: a poll sends each of these bytes again. */
function dataHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => OF_DATA.has(name));
  return { ...Object.fromEntries(kept), 'content-security-policy': DATA_POLICY };
}

const OF_DATA: ReadonlySet<string> = new Set([
  'strict-transport-security',
  'x-content-type-options',
  'referrer-policy',
  'cross-origin-resource-policy',
  'cache-control',
]);
const DATA_POLICY = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'";

/** The same for every answer, and made once: helmet would make them again for each. */
async function headersOf(isSecure: boolean): Promise<Record<string, string>> {
  const probe = fastify();
  await probe.register(helmet, optionsOf(isSecure));
  probe.get('/', (_request, reply) => reply.status(204).send());
  const { headers } = await probe.inject('/');
  await probe.close();
  const { connection: _, date: __, ...made } = headers;
  return made as Record<string, string>;
}

function optionsOf(isSecure: boolean): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        // WebAssembly runs trained models when a visitor verifies a result; it allows no other evaluation.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        frameSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        // No text becomes markup or code; the app's own policy lets its workers start, and nothing else.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['default'],
      },
    },
    frameguard: { action: 'sameorigin' },
    // The broker's sign-in opens in a new window.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isSecure,
  };
}
