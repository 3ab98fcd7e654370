// Where the vendor of payments sends its signed notices.
import type { FastifyInstance } from 'fastify';
import { type PaymentNotice, type PaymentNotices, PaymentsUnavailable } from '#ports/payments.ts';
import { findCharge } from '#records/payments/charges.ts';
import { findRefund } from '#records/payments/refunds.ts';
import { asEverybody } from '#records/postgres/row-scope.ts';
import { sendRefusal } from '../http/answer-errors.ts';
import { refuse } from '../http/refusal.ts';
import { giveBack } from './review-payments.ts';
import { askAboutCharge, type PaymentDependencies } from './settle-charge.ts';
import { settleDispute } from './settle-dispute.ts';

export const PAYMENT_NOTICE_PATH = '/api/payment-notices';

export async function servePaymentNotices(
  app: FastifyInstance,
  notices: PaymentNotices,
  dependencies: PaymentDependencies,
): Promise<void> {
  await app.register(async (own) => {
    // The signature is over the bytes as they came.
    own.removeAllContentTypeParsers();
    own.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: NOTICE_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    own.post(PAYMENT_NOTICE_PATH, { schema: { hide: true } }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = request.headers['stripe-signature'];
      try {
        const notice = await notices.take(body, typeof signature === 'string' ? signature : '');
        if (notice === 'refused')
          return await sendRefusal(reply, refuse('forbidden', 'The notice has no valid signature.'));
        // It names its charge or refund, and nobody is signed in.
        await asEverybody(() => act(notice, dependencies));
        return { received: true };
      } catch (error) {
        if (!(error instanceof PaymentsUnavailable)) throw error;
        request.log.warn({ err: error }, 'the payment service did not answer about its notice');
        // The vendor sends it again.
        return sendRefusal(reply, refuse('unavailable', 'The payment service did not answer.'));
      }
    });
  });
}

/** Every notice leads to a question, and the answer is booked once. */
async function act(notice: PaymentNotice, dependencies: PaymentDependencies): Promise<void> {
  const { database } = dependencies.records;
  if (notice.about === 'charge') {
    const charge = await findCharge(database, notice.reference);
    if (charge === undefined || charge.status === 'paid') return;
    // An open one may be in the hands of its request: a notice books what was paid, and ends nothing else.
    if ((await askAboutCharge(charge, 'learn', dependencies)) === 'unanswered')
      throw new PaymentsUnavailable('the charge of a notice could not be read');
  } else if (notice.about === 'refund') {
    const refund = await findRefund(database, notice.id);
    if (refund?.status === 'agreed') await giveBack(refund, dependencies);
  } else if (notice.about === 'dispute') {
    await settleDispute(notice.id, dependencies);
  }
}

const NOTICE_BYTES_MAX = 1_048_576;
