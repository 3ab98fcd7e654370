// Whether a passport is byte for byte as issued, including what no run can recompute: the grade and its tries, the
// dates, the chains of the bars. The seal is the hash of everything else.
import { canonicalJson } from './canonical-json.ts';
import { sha256Hex } from './sha256.ts';
import type { PartVerdict, Verification } from './verify-passport.ts';

/** The hash of everything in a passport but the seal itself. */
export function passportSeal(passport: object): string {
  const { seal: _, ...rest } = passport as { readonly seal?: unknown };
  return sha256Hex(canonicalJson(rest));
}

/** The verification with the verdict on the passport as a whole. */
export function verifyStatement(verification: Verification, passport: object): Verification {
  const { seal } = passport as { readonly seal?: unknown };
  const stated = typeof seal === 'string' ? seal : '';
  const computed = passportSeal(passport);
  const agrees = stated === computed;
  const verdict: PartVerdict = {
    part: 'passport',
    stated,
    computed,
    agrees,
    reason: agrees ? null : DIFFERENT,
  };
  return { verified: verification.verified && agrees, parts: [...verification.parts, verdict] };
}

const DIFFERENT =
  'The passport is not as it was issued: what it says of grade, tries, dates or chains was changed.';
