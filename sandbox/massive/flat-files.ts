// Massive's files of bars, by the protocol of S3: each request has to be signed (AWS Signature Version 4), which is computed here
// from the published algorithm. A file of minutes begins half an hour before the opening.
import { createHash, createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newYorkInstant } from '#engine/market/calendar-new-york-time.ts';
import { session } from '#engine/market/calendar.ts';
import { type Instant, instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import type { PriceSource } from '../market/price-source.ts';

type Settings = {
  readonly prices: PriceSource;
  readonly now: () => Instant;
  readonly keys: { readonly id: string; readonly secret: string };
};

export function mountFlatFiles(app: FastifyInstance, { prices, now, keys }: Settings): void {
  app.get('/flatfiles/us_stocks_sip/:kind/:year/:month/:file', (request, reply) => {
    const refused = refusalOf(request, keys);
    const fail = (status: number, code: string) =>
      reply.code(status).type('application/xml').send(`<Error><Code>${code}</Code></Error>`);
    if (refused !== null) return fail(403, refused);
    const { kind, year, month, file } = request.params as Record<string, string>;
    const date = file!.slice(0, 10) as IsoDate;
    const held = session('us-equity', date);
    const isListed = file === `${date}.csv.gz` && date.startsWith(`${year}-${month}-`);
    if (!isListed || held === null || held.closesAt > now()) return fail(404, 'NoSuchKey');
    const rows = kind === 'day_aggs_v1' ? dayRows(prices, date) : minuteRows(prices, date);
    return reply.type('application/gzip').send(gzipSync([HEADER, ...rows, ''].join('\n')));
  });
}

function dayRows(prices: PriceSource, date: IsoDate): string[] {
  const begin = newYorkInstant(date, 0);
  return shares(prices).flatMap((symbol) => {
    const [bar] = prices.dailyBars(symbol, { from: date, to: date, asOf: instant(begin + 36 * 3_600_000) });
    if (bar === undefined) return [];
    const { open, high, low, close, volume } = bar;
    return [rowOf(symbol, begin, { open, high, low, close, volume })];
  });
}

function minuteRows(prices: PriceSource, date: IsoDate): string[] {
  const { opensAt, closesAt } = session('us-equity', date)!;
  return shares(prices).flatMap((symbol) => {
    const rows: string[] = [];
    for (let at = opensAt - 30 * MINUTE_MS; at < closesAt; at += MINUTE_MS) {
      const [open, close] = [0, MINUTE_MS - 1].map((ms) => prices.quote(symbol, instant(at + ms))?.last);
      if (open === undefined || close === undefined) continue;
      const [high, low] = [Math.max(open, close), Math.min(open, close)];
      rows.push(rowOf(symbol, instant(at), { open, high, low, close, volume: 100 }));
    }
    return rows;
  });
}

type Prices = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', number>>;

function rowOf(symbol: string, at: Instant, { open, high, low, close, volume }: Prices): string {
  return [symbol, volume, open, close, high, low, `${at}000000`, 1].join(',');
}

function shares({ instruments }: PriceSource) {
  return instruments.filter(({ kind }) => kind === 'equity').map(({ symbol }) => symbol);
}

/** Null for a request that the keys signed. */
function refusalOf(request: FastifyRequest, keys: Settings['keys']): string | null {
  const { authorization = '' } = request.headers;
  const [, id, day, region, service, signed, signature] = AUTHORIZATION.exec(authorization) ?? [];
  if (signed === undefined) return 'AccessDenied';
  if (id !== keys.id) return 'InvalidAccessKeyId';
  const headers = signed.split(';');
  const canonical = [
    request.method,
    request.url.split('?')[0],
    '',
    ...headers.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signed,
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day!, region!, service!, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.secret}`);
  return hmac(key, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch';
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const HEADER = 'ticker,volume,open,close,high,low,window_start,transactions';
