/** The one account that the stand-in has. */
export const ACCOUNT_ID = '5d1c8f0e-0f5f-4a39-9d6e-2f0f7a3c1b11';

export type StandInSettings = {
  readonly nowMs: () => number;
  readonly integrationKey: string;
  readonly userId: string;
  /** The public half of the app's RSA key, PEM. */
  readonly publicKeyPem: string;
  readonly connectKeys: readonly string[];
};
