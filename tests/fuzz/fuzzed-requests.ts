// Requests as nobody should send them: cases of success of every call, asked by anyone, with fields, headers and bodies spoilt.
import type { Endpoint } from '#contract/http/endpoint.ts';
import type { Sent } from '../api/call-case.ts';
import { prepare, type Prepared } from '../api/send.ts';
import type { Chance } from '../simulation/chance.ts';

export type Known = {
  readonly endpoint: Endpoint;
  /** What makes the call succeed. */
  readonly sent: Sent;
};

/** `tokens`: of everybody who could ask; '' asks without a sign-in. */
export async function fuzzedRequest(
  { endpoint, sent }: Known,
  tokens: readonly string[],
  chance: Chance,
): Promise<Prepared> {
  const { token: own, ...bare } = sent;
  const token = chance.happens(0.6) ? own : chance.pick(tokens);
  const params = chance.happens(0.3) ? spoiltFields(bare.params ?? {}, chance) : bare.params;
  const query = chance.happens(0.4) ? spoiltFields({ ...QUERIES, ...bare.query }, chance) : bare.query;
  const form = bare.form && chance.happens(0.7) ? spoiltForm(bare.form, chance) : bare.form;
  const body = chance.happens(0.8) ? spoilt(bare.body, chance, DEPTH) : bare.body;
  const prepared = await prepare(endpoint, {
    ...(token !== undefined && token !== '' && { token }),
    ...(params !== undefined && { params: encoded(params) }),
    ...(query !== undefined && { query }),
    ...(form !== undefined && { form }),
    ...(body !== undefined && { body }),
  });
  return spoiltRequest(prepared, chance);
}

/** What goes over the wire, after everything was in order. */
function spoiltRequest(prepared: Prepared, chance: Chance): Prepared {
  const headers: Record<string, string> = { ...prepared.headers };
  let { payload, method } = prepared;
  if (chance.happens(0.2)) headers['idempotency-key'] = chance.pick(TEXTS) || chance.uuid();
  if (chance.happens(0.1)) headers['content-type'] = chance.pick(TYPES);
  if (chance.happens(0.05)) headers['authorization'] = chance.pick(AUTHORIZATIONS);
  if (chance.happens(0.05)) headers['cookie'] = chance.pick(COOKIES);
  if (chance.happens(0.05))
    headers['accept-encoding'] = chance.pick(['gzip', 'br', 'identity;q=0', '*;q=2', ',']);
  if (chance.happens(0.05)) headers['x-forwarded-for'] = chance.pick(['::1', '1.2.3.4, x', ',,,', 'unknown']);
  if (chance.happens(0.05)) headers['if-none-match'] = chance.pick(['*', '"x"', 'W/"']);
  if (chance.happens(0.05)) headers['range'] = chance.pick(['bytes=0-1', 'bytes=9-1', 'lines=1']);
  if (payload !== undefined && chance.happens(0.1)) payload = cut(payload, chance);
  if (chance.happens(0.03)) payload = chance.pick(PAYLOADS);
  if (chance.happens(0.03))
    method = chance.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) as typeof method;
  if (method === 'GET') payload = undefined;
  return { method, headers, url: prepared.url, ...(payload !== undefined && { payload }) };
}

function cut(payload: string | Buffer, chance: Chance): Buffer {
  const bytes = Buffer.from(payload);
  const at = chance.below(bytes.length + 1);
  return chance.happens(0.5)
    ? bytes.subarray(0, at)
    : Buffer.concat([bytes.subarray(0, at), Buffer.from(chance.pick(TEXTS)), bytes.subarray(at)]);
}

/** The same with something in it replaced, left out, or put in. */
function spoilt(value: unknown, chance: Chance, depth: number): unknown {
  if (depth === 0 || chance.happens(0.15)) return chance.pick(VALUES);
  if (Array.isArray(value)) {
    if (value.length === 0 || chance.happens(0.2)) return [...value, chance.pick(VALUES)];
    const at = chance.below(value.length);
    return value.map((item, index) => (index === at ? spoilt(item, chance, depth - 1) : (item as unknown)));
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (chance.happens(0.15)) return { ...value, [chance.pick(NAMES)]: chance.pick(VALUES) };
    if (entries.length === 0) return chance.pick(VALUES);
    const at = chance.below(entries.length);
    if (chance.happens(0.2)) return Object.fromEntries(entries.filter((_, index) => index !== at));
    return Object.fromEntries(
      entries.map(([name, item], index) => [
        name,
        index === at ? spoilt(item, chance, depth - 1) : (item as unknown),
      ]),
    );
  }
  return chance.pick(VALUES);
}

function spoiltFields(fields: Readonly<Record<string, string>>, chance: Chance): Record<string, string> {
  const names = Object.keys(fields);
  const spoiltName = names.length === 0 || chance.happens(0.1) ? chance.pick(NAMES) : chance.pick(names);
  return { ...fields, [spoiltName]: chance.pick(TEXTS) };
}

function spoiltForm(form: NonNullable<Sent['form']>, chance: Chance): NonNullable<Sent['form']> {
  const name = chance.pick([...Object.keys(form), ...NAMES, 'thumbnail', 'definition']);
  const value = chance.happens(0.2)
    ? Uint8Array.from({ length: chance.below(300) }, () => chance.below(256))
    : chance.pick(TEXTS);
  return { ...form, [name]: value };
}

/** Slashes would ask for another address; an empty one for the list above it. */
function encoded(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value.toWellFormed())]),
  );
}

const DEPTH = 6;
/** Names that many lists know. */
const QUERIES = { limit: '10', offset: '0', page: '1', before: '5' };
const LONG = 'x'.repeat(5_000);
const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e308',
  '99999999999999999999',
  'NaN',
  'null',
  'true',
  'undefined',
  '2026-02-30',
  '2026-13-01T99:00:00Z',
  '0000-00-00',
  '+275760-09-13',
  '%',
  '%00',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '😀'.repeat(50),
  '\u202e\u0301',
  "' or 1=1 --",
  '${7*7}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '[object Object]',
  '__proto__',
  'constructor',
  '00000000-0000-0000-0000-000000000000',
  '11111111-2222-4333-8444-555555555555',
  'x@y',
  LONG,
];
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'user_id',
  'role',
  'status',
  'limit',
  'x',
  '',
  'a.b',
  '$where',
];
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.1,
  1e21,
  -1e308,
  Number.MAX_SAFE_INTEGER + 2,
  2_147_483_648,
  1e-7,
  [],
  [[]],
  [null],
  {},
  { a: { b: { c: [] } } },
  { __proto__: null, length: -1 },
  Array.from({ length: 300 }, (_, i) => i),
  ...TEXTS,
];
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/xml',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json;;;',
  '',
  'x',
];
const AUTHORIZATIONS = [
  'Bearer',
  'Bearer x',
  'Bearer a.b.c',
  'Basic YTpi',
  `Bearer ${LONG}`,
  'Bearer eyJhbGciOiJub25lIn0.e30.',
];
const COOKIES = [
  'device=x',
  'device=~~~',
  'a=b; device=',
  '=',
  `device=${LONG}`,
  'signing_x=y',
  'connecting_x=y',
];
const PAYLOADS = [
  '',
  '{',
  '[]',
  '"x"',
  'null',
  '1',
  '{"a":1,"a":2}',
  '{"__proto__":{"role":"admin"}}',
  '['.repeat(5_000) + ']'.repeat(5_000),
  '{"a":'.repeat(90) + '1' + '}'.repeat(90),
  '\ufeff{}',
  Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
  Buffer.alloc(300_000, 0x20),
  '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1',
  '--x--',
];
