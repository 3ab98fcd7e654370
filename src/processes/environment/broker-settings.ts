// What is set for one broker, from its own settings.
import type { BrokerClock } from './broker-refusal.ts';

export type BrokerSettings = {
  /** sandbox: ours, on this machine. The others: the real ones, by the addresses below; alpaca is beta. */
  readonly choice: string;
  /** Of the adapter, and the slug of its row among the brokers. */
  readonly vendor: string;
  /** How messages name the settings that every vendor has: BROKER where one is set up, otherwise the vendor's own prefix. */
  readonly prefix: string;
  readonly clock: BrokerClock;
  readonly baseUrl: string | null;
  readonly authorizeUrl: string | null;
  readonly consumerKey: string | null;
  readonly realm: string | null;
  readonly signatureKeyFile: string | null;
  readonly encryptionKeyFile: string | null;
  readonly dhPrimeHex: string | null;
  /** The stream's address, where it is not the REST base's with /ws behind it. */
  readonly websocketUrl: string | null;
  readonly alpaca: {
    readonly clientId: string | null;
    readonly clientSecret: string | null;
    /** Of the operator's own account, which is then the only one; null where clients give permission. */
    readonly keys: { readonly keyId: string; readonly secretKey: string } | null;
  };
  /** Null: the role's default limit. */
  readonly requestsPerSecond: number | null;
  /** Between two requests for the same list. Null: what the vendor publishes. */
  readonly listSpacingMs: number | null;
  /** person: each client gives permission (OAuth 1.0a). adviser: one user name for all clients (OAuth 2.0). */
  readonly tenancy: 'person' | 'adviser';
  readonly tokenUrl: string | null;
  readonly sessionUrl: string | null;
  readonly clientId: string | null;
  readonly keyId: string | null;
  readonly privateKeyFile: string | null;
  readonly credential: string | null;
  readonly ip: string | null;
};
