// The vendor's files over the protocol of S3. A file that is not there is no failure: it may come later.
import { gunzipSync } from 'node:zlib';
import { AwsClient } from 'aws4fetch';
import type { MarketDataAnswer } from '#ports/market-data.ts';
import type { IsoDate } from '#units/instant.ts';
import { failure } from '../../read-answer.ts';
import { type FlatInterval, flatFilePath } from './flat-file.ts';

/** The text of the file of a day; null while there is none. */
export type FlatFiles = (date: IsoDate, interval: FlatInterval) => Promise<MarketDataAnswer<string | null>>;

export type FlatFileConfig = {
  /** https://files.massive.com, without a trailing slash. */
  readonly url: string;
  readonly keyId: string;
  readonly secretKey: string;
  readonly timeoutMs?: number;
};

export function flatFileStore({ url, keyId, secretKey, timeoutMs = 120_000 }: FlatFileConfig): FlatFiles {
  const client = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secretKey,
    service: 's3',
    region: 'us-east-1',
  });
  return async (date, interval) => {
    const name = flatFilePath(date, interval);
    let status: number;
    let bytes: Buffer;
    try {
      const request = await client.sign(`${url}/${BUCKET}/${name}`);
      const response = await fetch(request, { signal: AbortSignal.timeout(timeoutMs) });
      status = response.status;
      bytes = Buffer.from(await response.arrayBuffer());
    } catch (error) {
      return failure('unreachable', `the vendor's files did not answer: ${String(error)}`);
    }
    if (status === 200) return textOf(bytes, name);
    const code = /<Code>(\w+)<\/Code>/.exec(bytes.toString('utf8', 0, 2_000))?.[1] ?? `HTTP ${status}`;
    if (status === 404) return { ok: true, value: null };
    if (status === 429 || code === 'SlowDown')
      return failure('rate_limited', 'the vendor asks us to slow down');
    if (KEY_CODES.has(code))
      return failure(
        'unauthorized',
        `the vendor refuses MASSIVE_S3_KEY_ID and MASSIVE_S3_SECRET_KEY: ${code}`,
      );
    if (status === 401 || status === 403)
      return failure('not_subscribed', `the plan of these keys lacks ${name}: ${code}`);
    return failure(status >= 500 ? 'unreachable' : 'refused', `${name}: ${code}`);
  };
}

function textOf(bytes: Buffer, name: string): MarketDataAnswer<string> {
  try {
    return { ok: true, value: gunzipSync(bytes).toString('utf8') };
  } catch {
    return failure('malformed', `${name} is no whole gzip file`);
  }
}

const BUCKET = 'flatfiles';
const KEY_CODES: ReadonlySet<string> = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch']);
