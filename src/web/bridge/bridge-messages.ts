// What a page and its bridge worker say to each other.
import type { ReturnBridge } from '#contract/return-bridge.ts';
import type { BridgeDay } from '#engine/bridge/return-bridge.ts';
import type { Passport } from '#engine/evidence/passport.ts';

export type BridgeRequest = {
  readonly own: ReturnBridge;
  readonly passport: Passport;
  /** Packed. */
  readonly bars: Uint8Array;
};

export type BridgeAnswer =
  /** In whole cents. */
  | { readonly ok: true; readonly days: readonly BridgeDay[] }
  | { readonly ok: false; readonly message: string };
