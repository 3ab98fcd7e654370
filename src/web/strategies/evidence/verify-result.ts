import { lastingToken } from '../../call/lasting-token.ts';
import type { VerifyAnswer, VerifyRequest } from './verify-messages.ts';

/** Runs a published result again, in a worker of this browser, from its passport and its prices. */
export async function verifyResult(addresses: Omit<VerifyRequest, 'token'>): Promise<VerifyAnswer> {
  let token: string | null;
  try {
    token = await lastingToken();
  } catch {
    return { ok: false, message: 'We cannot reach the service. Check your connection and try again.' };
  }
  return new Promise((resolve) => {
    const worker = new Worker(new URL('verify-worker.ts', import.meta.url), { type: 'module' });
    const finish = (answer: VerifyAnswer) => {
      worker.terminate();
      resolve(answer);
    };
    worker.addEventListener('message', (event: MessageEvent<VerifyAnswer>) => finish(event.data));
    worker.addEventListener('error', () =>
      finish({ ok: false, message: 'The verification could not run here.' }),
    );
    worker.postMessage({ ...addresses, token } satisfies VerifyRequest);
  });
}
