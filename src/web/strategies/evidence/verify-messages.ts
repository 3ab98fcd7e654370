// What the page and the worker that verifies a result say to each other.
import type { Verification } from '#engine/evidence/verify-passport.ts';

export type VerifyRequest = {
  readonly passportUrl: string;
  readonly barsUrl: string;
  /** Of whoever is signed in: figures may be hidden from visitors. */
  readonly token: string | null;
};

export type VerifyAnswer =
  | { readonly ok: true; readonly verification: Verification; readonly seconds: number }
  | { readonly ok: false; readonly message: string };
