import type { Passport, PassportBars } from '#engine/evidence/passport.ts';
import { verifyPassport } from '#engine/evidence/verify-passport.ts';
import { verifyScores } from '#engine/evidence/verify-scores.ts';
import { verifyStatement } from '#engine/evidence/verify-statement.ts';
import { siteModels } from '../../models/site-models.ts';
import type { VerifyAnswer, VerifyRequest } from './verify-messages.ts';

/** The hash of the engine's source files that this app was built from, put in by the build. */
declare const __ENGINE_HASH__: string;

self.addEventListener('message', (event: MessageEvent<VerifyRequest>) => {
  void answer(event.data).then((result) => self.postMessage(result));
});

async function answer({ passportUrl, barsUrl, token }: VerifyRequest): Promise<VerifyAnswer> {
  try {
    const [passport, bars] = (await Promise.all([read(passportUrl, token), read(barsUrl, token)])) as [
      Passport,
      PassportBars,
    ];
    const start = performance.now();
    // The verification itself checks the received data, part by part.
    const run = verifyPassport(passport, bars, __ENGINE_HASH__);
    const scored = await verifyScores(run, { passport, bars }, siteModels());
    const verification = verifyStatement(scored, passport);
    return { ok: true, verification, seconds: (performance.now() - start) / 1000 };
  } catch (error) {
    return {
      ok: false,
      message: error instanceof Error ? error.message : 'The verification could not run.',
    };
  }
}

async function read(url: string, token: string | null): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
  });
  if (!response.ok) throw new Error('The passport or its prices could not be loaded. Please try again.');
  return response.json();
}
