import type { PasskeyProof } from '#contract/passkeys.ts';
import { CallError } from '../call/call-error.ts';

/** The service's options for a passkey, which go to the browser as they are. */
type Options = { readonly challenge: string };

/** The browser asks the person for one of the passkeys that the options name. */
export async function answerWithPasskey(options: Options): Promise<PasskeyProof> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return (await startAuthentication({ optionsJSON })) as PasskeyProof;
}

/** The browser asks the person where to keep a new one. */
export async function makePasskey(options: Options) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'];
  const { id, rawId, response } = await startRegistration({ optionsJSON });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return {
    id,
    rawId,
    type: 'public-key' as const,
    response: { clientDataJSON, attestationObject, transports },
  };
}

/** What to say when a passkey was not made or did not answer. */
export function passkeyProblem(error: unknown): string {
  if (error instanceof CallError) return error.message;
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'This device keeps a passkey of this account already.';
  if (name === 'SecurityError')
    return 'Your browser keeps no passkeys for this address. Use an authenticator app instead.';
  return 'Your browser did not answer: its question was closed, or took too long. Please try again.';
}
