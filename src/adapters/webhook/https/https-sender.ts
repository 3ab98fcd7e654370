// Posts to an address that a client chose. The name is looked up once, and the connection goes to the very addresses that were
// checked: a name that leads elsewhere at the second look gains nothing.
import { lookup } from 'node:dns/promises';
import { request, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { WebhookOutcome, WebhookSender } from '#ports/webhook-sender.ts';
import { isPublicAddress } from './public-address.ts';

type Options = {
  /** Which addresses may be reached. */
  readonly isAllowed?: (address: string) => boolean;
  readonly find?: (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;
  readonly timeoutMs?: number;
  /** Trusted besides those of the system. */
  readonly ca?: string;
};

const ANSWERS_WITHIN_MS = 10_000;

export function httpsSender({
  isAllowed = isPublicAddress,
  find = (host) => lookup(host, { all: true }),
  timeoutMs = ANSWERS_WITHIN_MS,
  ca,
}: Options = {}): WebhookSender {
  return {
    async send({ url, headers, body }) {
      const target = new URL(url);
      if (target.protocol !== 'https:') return { outcome: 'failed', code: 'forbidden_address' };
      const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
      const found =
        isIP(host) === 0 ? await find(host).catch(() => []) : [{ address: host, family: isIP(host) }];
      if (found.length === 0) return { outcome: 'failed', code: 'unreachable' };
      // One that is not public among them is enough: which is taken is the network's choice.
      if (!found.every(({ address }) => isAllowed(address)))
        return { outcome: 'failed', code: 'forbidden_address' };
      const checked = ((_host, options, done) => {
        const all = found.map(({ address, family }) => ({ address, family }));
        if (options.all) done(null, all);
        else done(null, all[0]!.address, all[0]!.family);
      }) as LookupFunction;
      return post(target, body, {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        lookup: checked,
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        ...(ca !== undefined && { ca }),
      });
    },
  };
}

/** Status and pause alone are read; a redirect is an answer like any other. */
function post(target: URL, body: string | Uint8Array, options: RequestOptions): Promise<WebhookOutcome> {
  return new Promise((settle) => {
    const sent = request(target, options, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      settle({ outcome: 'answered', status, retryAfterSeconds: secondsOf(headers['retry-after']) });
      answer.destroy();
    });
    sent.on('error', (error) =>
      settle({
        outcome: 'failed',
        code: error.name === 'AbortError' || error.name === 'TimeoutError' ? 'late' : 'unreachable',
      }),
    );
    sent.end(body);
  });
}

/** A date in its place is not worth reading: null. */
function secondsOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : null;
}
