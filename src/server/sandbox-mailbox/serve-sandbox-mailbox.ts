import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Mailbox } from '#ports/mail.ts';
import { servePageStyle } from '../http/serve-page-style.ts';
import { mailboxPage } from './mailbox-page.ts';

const SHOWN_MAX = 100;

/** The mails that would have been sent, at /sandbox/mailbox; ?to=address filters by recipient. For sandboxes only. */
export async function serveSandboxMailbox(app: FastifyInstance, mailbox: Mailbox): Promise<void> {
  servePageStyle(app, {
    url: '/sandbox/mailbox.css',
    file: path.join(import.meta.dirname, 'mailbox.css'),
  });
  app.get('/sandbox/mailbox', { schema: { hide: true } }, async (request, reply) => {
    const { to } = request.query as Record<string, unknown>;
    const wanted = typeof to === 'string' && to !== '' ? to.toLowerCase() : null;
    const mails = await mailbox.list({ to: wanted, limit: SHOWN_MAX });
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex')
      .send(mailboxPage(mails, wanted));
  });
}
