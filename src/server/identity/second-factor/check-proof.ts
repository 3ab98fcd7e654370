import type { PasskeyProof } from '#contract/passkeys.ts';
import type { ChallengeFor } from '#records/identity/passkeys.ts';
import type { SecurityEventKind } from '#rules/identity/security-event.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { isRefused, type Refused } from '../../http/refusal.ts';
import { guessing } from '../password/guessing.ts';
import { checkCode } from './check-code.ts';
import { spendPasskey, WRONG_PASSKEY } from './check-passkey.ts';

export type Proof = {
  readonly code?: string | undefined;
  readonly passkey?: PasskeyProof | undefined;
};

type Proving = {
  /** For what and whom a passkey was asked. */
  readonly wanted: ChallengeFor;
  /** A known device or session; null for strangers. */
  readonly guesser: string | null;
  readonly note: (kind: SecurityEventKind) => Promise<void>;
};

/** Null when the second factor is the person's: a passkey, a code of the app or a backup code. It is then spent. */
export async function checkProof(
  { wanted, guesser, note }: Proving,
  { code, passkey }: Proof,
  dependencies: Dependencies,
): Promise<Refused | null> {
  const { userId } = wanted;
  if (passkey === undefined) return checkCode({ userId, guesser }, code ?? '', dependencies);
  const checked = await guessing({ secret: `code:${userId}`, guesser }, dependencies, async () => {
    const outcome = await spendPasskey(wanted, passkey, dependencies);
    if (outcome === 'copied') await note('passkey_copied');
    return outcome === 'right' ? null : WRONG_PASSKEY;
  });
  return isRefused(checked) ? checked : null;
}
