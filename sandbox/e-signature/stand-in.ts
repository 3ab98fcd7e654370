// A stand-in for DocuSign's eSignature service, written against its documentation alone: sign-in by JWT grant, envelopes,
// the recipient view with its script, and the signed notices of Connect. It does not put the vendor's own seal on a document.
import type { FastifyInstance } from 'fastify';
import { type Books, createBooks } from './envelopes/books.ts';
import { envelopeRoutes } from './envelopes/envelope-routes.ts';
import type { StandInSettings } from './account.ts';
import { createNotices, type Notices } from './notices.ts';
import { createSignIn } from './sign-in.ts';
import { viewRoutes } from './views/view-routes.ts';

export type SignatureStandIn = {
  readonly books: Books;
  readonly notices: Notices;
  /** The answer to the next envelope is lost after the envelope was made. */
  loseNextAnswer(): void;
  /** Whether it answers at all. */
  setDown(down: boolean): void;
};

export function mountSignatureStandIn(app: FastifyInstance, settings: StandInSettings): SignatureStandIn {
  const faults = { down: false, loseNextAnswer: false };
  const books = createBooks(settings.nowMs);
  const notices = createNotices(settings);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.addHook('onRequest', async (_request, reply) => {
    if (faults.down) await reply.status(503).send('');
  });
  const signIn = createSignIn(app, settings);
  envelopeRoutes(app, {
    books,
    isSignedIn: signIn.isSignedIn,
    losesAnswer: () => {
      const loses = faults.loseNextAnswer;
      faults.loseNextAnswer = false;
      return loses;
    },
  });
  viewRoutes(app, { books, notices, isSignedIn: signIn.isSignedIn, nowMs: settings.nowMs });
  return {
    books,
    notices,
    loseNextAnswer: () => {
      faults.loseNextAnswer = true;
    },
    setDown: (down) => {
      faults.down = down;
    },
  };
}
