// Documents in a bucket, over the protocol of S3: https://docs.aws.amazon.com/AmazonS3/latest/API/. Names of ours need no encoding, in
// addresses or in XML: they are of letters, digits, `-`, `.` and `/`.
import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { type DocumentStore, DocumentsUnavailable } from '#ports/document-store.ts';

export type S3Config = {
  /** https://HOST/BUCKET, without a trailing slash. */
  readonly url: string;
  readonly region: string;
  readonly keyId: string;
  readonly secretKey: string;
  readonly timeoutMs?: number;
};

export function s3Documents({ url, region, keyId, secretKey, timeoutMs = 15_000 }: S3Config): DocumentStore {
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secretKey, service: 's3', region });
  const ask = async (method: string, address: string, sent?: Sent): Promise<Answer> => {
    const body = sent?.body ?? new Uint8Array();
    const headers = { ...sent?.headers, 'x-amz-content-sha256': sha256(body) };
    const init = { method, headers, ...(sent && { body: Buffer.from(body) }) };
    for (let attempt = 1; ; attempt++) {
      const answer = await once(await client.sign(address, init), timeoutMs).catch((error: unknown) => {
        if (attempt >= ATTEMPTS) throw new DocumentsUnavailable(saidBy(error), { cause: error });
        return null;
      });
      if (answer !== null && (answer.status < 500 || attempt >= ATTEMPTS)) return answer;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt));
    }
  };
  return {
    async put(name, document) {
      const answer = await ask('PUT', `${url}/${name}`, {
        body: document,
        headers: { 'content-type': 'application/pdf' },
      });
      if (answer.status !== 200) throw refused(`keeping ${name}`, answer);
    },
    async get(name) {
      const answer = await ask('GET', `${url}/${name}`);
      if (answer.status === 200) return answer.bytes;
      if (answer.status === 404 && codeOf(answer) === 'NoSuchKey') return null;
      throw refused(`reading ${name}`, answer);
    },
    async remove(name) {
      const answer = await ask('DELETE', `${url}/${name}`);
      if (answer.status !== 204 && answer.status !== 200) throw refused(`removing ${name}`, answer);
    },
    async list(prefix) {
      const answer = await ask('GET', `${url}?${new URLSearchParams({ 'list-type': '2', prefix })}`);
      if (answer.status !== 200) throw refused(`listing ${prefix}`, answer);
      return Array.from(textOf(answer).matchAll(/<Key>([^<]*)<\/Key>/g), ([, name = '']) => name);
    },
  };
}

type Sent = { readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> };
type Answer = { readonly status: number; readonly bytes: Uint8Array };

const ATTEMPTS = 3;
const RETRY_MS = 200;

async function once(request: Request, timeoutMs: number): Promise<Answer> {
  const response = await fetch(request, { signal: AbortSignal.timeout(timeoutMs) });
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
}

function textOf({ bytes }: Answer): string {
  return Buffer.from(bytes).toString('utf8');
}

function codeOf(answer: Answer): string {
  return /<Code>(\w+)<\/Code>/.exec(textOf(answer))?.[1] ?? `HTTP ${answer.status}`;
}

function refused(doing: string, answer: Answer): DocumentsUnavailable {
  return new DocumentsUnavailable(`${doing} was answered with ${codeOf(answer)}`);
}

/** `fetch` says what happened in its cause. */
function saidBy(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message : String(error);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
