import type { FastifyRequest } from 'fastify';
import { SigningUnavailable } from '#ports/signing.ts';
import { refuse, type Refused } from '../http/refusal.ts';

/** What the signing service answers, or a refusal that says it does not. */
export async function answered<Answer extends object>(
  request: FastifyRequest,
  ask: () => Promise<Answer>,
): Promise<Answer | { readonly refused: Refused }> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof SigningUnavailable)) throw error;
    request.log.error({ err: error }, 'the signing service does not answer');
    const sentence = 'The signing service is not answering. Please try again in a few minutes.';
    return { refused: refuse('unavailable', sentence) };
  }
}
