import { randomUUID } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import openVips from 'wasm-vips';
import { runStaffCommand } from '../../processes/staff/staff-command.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';
import { publishedStrategy } from '../../../tests/support/test-strategy.ts';
import { BOTH_ABOVE_30 } from '../../../tests/support/trading-world.ts';

const app = await testApp();
const { request, records } = app;
await records.pool.query(
  `insert into instruments (symbol, kind, name, currency, quantity_step, price_decimals, calendar, settlement, source)
   select symbol, kind, symbol, 'USD', 1, 2, 'us-equity', 'cash', 'sandbox'
   from (values ('AAA', 'equity'), ('BBB', 'equity'), ('CCC', 'crypto')) as listed (symbol, kind)`,
);

const FIELDS = {
  name: 'Mine',
  shortDescription: 'Two shares above thirty',
  strategy_type: 'momentum',
  market: 'us',
  min_investment: '10000',
  definition: JSON.stringify(BOTH_ABOVE_30),
};

type Sent = { readonly token: string; readonly fields: object; readonly picture?: Uint8Array };

async function send(method: 'POST' | 'PATCH', url: string, { token, fields, picture }: Sent) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  if (picture) form.set('thumbnail', new File([new Uint8Array(picture)], 'picture.png'));
  const encoded = new Response(form);
  return request({
    method,
    url,
    token,
    headers: { 'content-type': encoded.headers.get('content-type')! },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
}

const create = (sent: Sent) => send('POST', '/api/strategies/', sent);
const change = (id: string, sent: Sent) => send('PATCH', `/api/strategies/${id}/`, sent);
const drafts = async (token: string) => (await request({ url: '/api/strategies/drafts/', token })).body;
const remove = (id: string, token: string) =>
  request({ method: 'DELETE', url: `/api/strategies/${id}/`, token });

async function provider() {
  const person = await signedInPerson(app);
  await runStaffCommand(
    { name: 'create', email: person.email, role: 'provider', firstName: 'P' },
    records.database,
    null,
  );
  return person;
}

test('a draft is its writer’s own: made, listed, changed as a new version, removed', async () => {
  const { token } = await signedInPerson(app);
  const made = await create({ token, fields: FIELDS });
  expect(made).toMatchObject({
    status: 201,
    body: {
      name: 'Mine',
      asset_class: 'equity',
      status: 'draft',
      version: 1,
      min_investment: 10_000,
      thumbnail: null,
      definition: { name: 'Both above thirty' },
    },
  });
  const { id, definition_hash } = made.body;
  expect(await drafts(token)).toEqual([made.body]);
  const renamed = await change(id, { token, fields: { name: 'Renamed' } });
  expect(renamed).toMatchObject({ status: 200, body: { name: 'Renamed', version: 1, definition_hash } });
  const definition = JSON.stringify({ ...BOTH_ABOVE_30, gross: 0.5 });
  const second = await change(id, { token, fields: { definition } });
  expect(second.body).toMatchObject({ name: 'Renamed', version: 2, definition: { gross: 0.5 } });
  expect(second.body.definition_hash).not.toBe(definition_hash);
  expect((await remove(id, token)).status).toBe(204);
  expect(await drafts(token)).toEqual([]);
});

test("someone else's draft is like an absent one", async () => {
  const owner = await signedInPerson(app);
  const { token } = await signedInPerson(app);
  const { id } = (await create({ token: owner.token, fields: FIELDS })).body;
  for (const one of [id, randomUUID(), 'nonsense']) {
    expect((await change(one, { token, fields: { name: 'Taken' } })).status).toBe(404);
    expect((await remove(one, token)).status).toBe(404);
    expect((await request({ url: `/api/strategies/${one}/` })).status).toBe(404);
  }
  expect(await drafts(token)).toEqual([]);
  expect((await drafts(owner.token))[0]).toMatchObject({ id, name: 'Mine' });
});

test('ordinary people neither publish nor touch the catalogue; the provider’s staff do both', async () => {
  const { token } = await signedInPerson(app);
  const { id } = (await create({ token, fields: FIELDS })).body;
  expect(await change(id, { token, fields: { status: 'published' } })).toMatchObject({
    status: 403,
    body: { code: 'forbidden', field: 'status' },
  });
  const staff = await provider();
  expect((await change(id, { token: staff.token, fields: { status: 'published' } })).status).toBe(404);
  const { id: theirs } = (await create({ token: staff.token, fields: FIELDS })).body;
  expect(await change(theirs, { token: staff.token, fields: { status: 'published' } })).toMatchObject({
    status: 200,
    body: { status: 'published' },
  });
  expect((await change(theirs, { token, fields: { name: 'Taken' } })).status).toBe(404);
  expect(await remove(theirs, staff.token)).toMatchObject({ status: 409, body: { code: 'in_use' } });
  expect((await change(theirs, { token: staff.token, fields: { status: 'retired' } })).body.status).toBe(
    'retired',
  );
});

test.each([
  [{ name: '' }, 400, 'invalid_field', 'name'],
  [{ strategy_type: 'luck' }, 400, 'invalid_field', 'strategy_type'],
  [{ min_investment: '999' }, 400, 'invalid_field', 'min_investment'],
  [{ min_investment: 'much' }, 400, 'invalid_field', 'min_investment'],
  [{ owner_id: randomUUID() }, 400, 'invalid_field', undefined],
  [{ definition: '{"a":' }, 422, 'definition_invalid', 'definition'],
  [{ definition: '{}' }, 422, 'definition_invalid', 'definition'],
  [
    { definition: JSON.stringify({ ...BOTH_ABOVE_30, universe: ['AAA', 'ZZZ'] }) },
    422,
    'definition_invalid',
    'definition',
  ],
  [
    { definition: JSON.stringify({ ...BOTH_ABOVE_30, universe: ['AAA', 'CCC'] }) },
    422,
    'definition_invalid',
    'definition',
  ],
])('%j is refused with %i %s', async (wrong, status, code, field) => {
  const { token } = await signedInPerson(app);
  const answer = await create({ token, fields: { ...FIELDS, ...wrong } });
  expect(answer).toMatchObject({ status, body: { code } });
  if (field !== undefined) expect(answer.body.field).toBe(field);
  if (code === 'definition_invalid') expect(answer.body.details.errors).toBeInstanceOf(Array);
});

test('a picture is written anew: cropped, as WebP, and nothing else of the file is kept', async () => {
  const { token } = await signedInPerson(app);
  const made = await create({ token, fields: FIELDS, picture: png(900, 900, 'secret place') });
  expect(made.status).toBe(201);
  const picture = await app.app.inject({ url: made.body.thumbnail });
  expect(picture.headers['content-type']).toBe('image/webp');
  expect(picture.headers['cache-control']).toContain('immutable');
  const bytes = picture.rawPayload;
  expect(bytes.subarray(8, 12).toString()).toBe('WEBP');
  expect(bytes.includes('secret place')).toBe(false);
  const { id } = made.body;
  expect((await request({ url: `/api/strategies/${id}/thumbnail/guessed` })).status).toBe(404);
  await remove(id, token);
  expect((await request({ url: made.body.thumbnail })).status).toBe(404);
});

test('where a photograph was taken and with what is not kept', async () => {
  const { token } = await signedInPerson(app);
  const photograph = await jpegWithExif('Somebody’s camera, at home');
  expect(photograph.includes('camera, at home')).toBe(true);
  const made = await create({ token, fields: FIELDS, picture: photograph });
  expect(made.status).toBe(201);
  const { rawPayload: kept } = await app.app.inject({ url: made.body.thumbnail });
  expect(kept.subarray(8, 12).toString()).toBe('WEBP');
  for (const word of ['camera, at home', 'Exif', 'EXIF', 'XMP ', 'ICCP'])
    expect(kept.includes(word)).toBe(false);
});

test('a published strategy shows its own picture, or its own curve', async () => {
  const id = await publishedStrategy(app);
  const thumbnail = async () => (await request({ url: `/api/strategies/${id}/` })).body.thumbnail;
  expect(await thumbnail()).toMatch(/^data:image\/svg/);
  const { token } = await provider();
  const changed = await change(id, { token, fields: {}, picture: png(64, 36, 'x') });
  expect(await thumbnail()).toBe(changed.body.thumbnail);
});

test.each([
  ['text', Buffer.from('<svg onload="alert(1)"/>')],
  ['half a picture', png(20, 20, 'x').subarray(0, 40)],
  ['a small file that unfolds into a huge picture', png(7_000, 7_000, 'x')],
])('%s is no picture', async (_what, picture) => {
  const { token } = await signedInPerson(app);
  expect(await create({ token, fields: FIELDS, picture })).toMatchObject({
    status: 422,
    body: { code: 'image_invalid', field: 'thumbnail' },
  });
  expect(await drafts(token)).toEqual([]);
});

test('a file that is too large is refused before it is read', async () => {
  const { token } = await signedInPerson(app);
  const picture = Buffer.alloc(3 * 1024 * 1024);
  expect(await create({ token, fields: FIELDS, picture })).toMatchObject({
    status: 413,
    body: { code: 'payload_too_large' },
  });
});

test('forms are taken here alone, and only from people who signed in', async () => {
  const form = { 'content-type': 'multipart/form-data; boundary=x' };
  const payload = '--x--\r\n';
  const open = await request({ method: 'POST', url: '/api/strategies/', headers: form, payload });
  expect(open.status).toBe(401);
  const elsewhere = await request({ method: 'POST', url: '/api/auth/login/', headers: form, payload });
  expect(elsewhere).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
});

/** A JPEG whose EXIF says who made it (TIFF 6.0 with the one field ImageDescription, in segment APP1 of JPEG). */
async function jpegWithExif(description: string): Promise<Buffer> {
  const vips = await openVips({ dynamicLibraries: [] });
  const jpeg = Buffer.from(vips.Image.black(80, 60).writeToBuffer('.jpg'));
  const text = Buffer.from(`${description}\0`);
  const field = Buffer.alloc(18);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(0x010e, 2);
  field.writeUInt16LE(2, 4);
  field.writeUInt32LE(text.length, 6);
  field.writeUInt32LE(26, 10);
  const tiff = Buffer.concat([Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]), field, text]);
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

/** A grey PNG with a comment in it (PNG specification, chunks IHDR, tEXt, IDAT, IEND). */
function png(width: number, height: number, comment: string): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height, 128);
  for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${comment}`)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
