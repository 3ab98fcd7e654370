// How requests prove whose they are: by a signature of their own (OAuth 1.0a) or by a bearer token (OAuth 2.0).
import type { BrokerAnswer } from '#ports/broker.ts';
import type { Priority } from '../../rate-limits.ts';
import type { SignedRequest } from './oauth-signature.ts';

export type Authorizer = {
  /** What the next requests are authorised with; renewed in time, and asked for once however many wait. */
  permit(): Promise<BrokerAnswer<Permit>>;
  /** The broker turned this permit away. */
  forget(permit: Permit): void;
};

export type Permit = {
  /** The value of the Authorization header. */
  header(request: Omit<SignedRequest, 'oauth'>): string;
  /** What the stream's address carries after its question mark. */
  readonly streamQuery: string;
  readonly renewAt: number;
};

/** Signing in counts against the same limits, and whatever is most urgent may wait for it. */
export const SIGN_IN_PRIORITY: Priority = 'cancel';

/** Keeps the permit that `obtain` gets. */
export function createAuthorizer(obtain: () => Promise<BrokerAnswer<Permit>>, now: () => number): Authorizer {
  let current: Permit | null = null;
  let obtaining: Promise<BrokerAnswer<Permit>> | null = null;
  return {
    permit() {
      if (current && now() < current.renewAt) return Promise.resolve({ outcome: 'ok', value: current });
      obtaining ??= obtain()
        .then((answer) => {
          current = answer.outcome === 'ok' ? answer.value : null;
          return answer;
        })
        .finally(() => {
          obtaining = null;
        });
      return obtaining;
    },
    forget(permit) {
      if (current === permit) current = null;
    },
  };
}
