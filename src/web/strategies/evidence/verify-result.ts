import type { VerifyAnswer, VerifyRequest } from './verify-messages.ts';

/** Runs a published result again, in a worker of this browser, from its passport and its prices. */
export function verifyResult(request: VerifyRequest): Promise<VerifyAnswer> {
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
    worker.postMessage(request);
  });
}
