import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { giveRole } from '#tests/support/give-role.ts';
import { storeMarket } from '#tests/support/committed-strategy.ts';
import { jpegWithExif, png } from '#tests/support/pictures.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';
import { checkedDraft } from '#tests/support/checked-draft.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { BOTH_ABOVE_30 } from '#tests/support/trading-world.ts';
import { agree, decide, propose, LOOKED } from '#tests/support/two-people.ts';

const app = await testApp();
const { request, records } = app;
const bars = await storeMarket(records.database);
app.world.marketNow = bars[599]!.closedAt;

const CONTROLS = {
  mode: 'ui',
  asset_class: 'equity',
  risk_level: 'medium',
  max_drawdown: 15,
  target_return: 20,
  minimum_investment: 10_000,
};
const build = ({ token }: TestPerson, body: object, headers = {}) =>
  request({ method: 'POST', url: '/api/strategies/builder/', token, body, headers });
const described = (person: TestPerson, description: string) => build(person, { mode: 'ai', description });
const tune = ({ token }: TestPerson, id: string, body: object) =>
  request({ method: 'POST', url: `/api/strategies/${id}/tune/`, token, body });
const drafts = async ({ token }: TestPerson) =>
  (await request({ url: '/api/strategies/drafts/', token })).body;

test('the controls create the caller’s own draft and search for rules that meet the wishes', async () => {
  const person = await signedInPerson(app);
  const { status, body } = await build(person, CONTROLS);
  expect(status).toBe(201);
  expect(body.draft).toMatchObject({
    status: 'draft',
    version: 1,
    asset_class: 'equity',
    min_investment: 10_000,
  });
  expect(body.backtest).toMatchObject({
    strategy_id: body.draft.id,
    version_id: body.draft.version_id,
    kind: 'search',
    status: 'queued',
  });
  expect(await drafts(person)).toEqual([body.draft]);
  expect(await drafts(await signedInPerson(app))).toEqual([]);
});

test.each([
  [{ max_drawdown: 4 }, 'max_drawdown'],
  [{ max_drawdown: 31 }, 'max_drawdown'],
  [{ target_return: 9 }, 'target_return'],
  [{ target_return: 51 }, 'target_return'],
  [{ minimum_investment: 999 }, 'minimum_investment'],
  [{ minimum_investment: 1_000.5 }, 'minimum_investment'],
  [{ asset_class: 'art' }, 'asset_class'],
  [{ mode: 'magic' }, 'mode'],
])('%j is refused and names its field', async (change, field) => {
  const person = await signedInPerson(app);
  const { status, body } = await build(person, { ...CONTROLS, ...change });
  expect([status, body.code, body.field]).toEqual([400, 'invalid_field', field]);
});

test('an asset class without prices is refused', async () => {
  const { status, body } = await build(await signedInPerson(app), { ...CONTROLS, asset_class: 'futures' });
  expect([status, body.code]).toEqual([422, 'definition_invalid']);
});

test('a repeated click creates one draft', async () => {
  const person = await signedInPerson(app);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await build(person, CONTROLS, headers);
  expect((await build(person, CONTROLS, headers)).body).toEqual(first.body);
  expect(await drafts(person)).toHaveLength(1);
});

test('different numbers create a new version with a backtest; the same ones change nothing', async () => {
  const person = await signedInPerson(app);
  const { draft } = (await described(person, 'Trend following on shares')).body;
  const tuned = await tune(person, draft.id, { values: { 'features.average.length': 120 } });
  expect(tuned.status).toBe(200);
  expect(tuned.body.draft).toMatchObject({
    version: 2,
    definition: { features: { average: { length: 120 } } },
  });
  expect(tuned.body.backtest).toMatchObject({ version_id: tuned.body.draft.version_id });
  const again = await tune(person, draft.id, { values: { 'features.average.length': 120 } });
  expect(again.body).toMatchObject({ draft: { version: 2 }, backtest: null });
  const named = await tune(person, draft.id, { name: 'My trend' });
  expect(named.body).toMatchObject({ draft: { name: 'My trend', version: 2 }, backtest: null });
});

test('an invalid or missing number is refused with its path; another user’s draft is not found', async () => {
  const person = await signedInPerson(app);
  const { draft } = (await described(person, 'Trend following on shares')).body;
  expect((await tune(person, draft.id, { values: { 'features.average.length': -3 } })).body).toMatchObject({
    code: 'definition_invalid',
    field: 'values.features.average.length',
  });
  expect((await tune(person, draft.id, { values: { 'features.none.length': 3 } })).status).toBe(422);
  expect((await tune(await signedInPerson(app), draft.id, {})).status).toBe(404);
  expect((await tune(person, randomUUID(), {})).status).toBe(404);
});

test('a plan without the builder refuses it and names the plans that include it', async () => {
  const person = await signedInPerson(app);
  const plan = { plan: 'basic', interval: 'monthly' };
  await request({ method: 'POST', url: '/api/billing/plan/', token: person.token, body: plan });
  expect((await build(person, CONTROLS)).body).toMatchObject({
    code: 'plan_limit',
    message: 'The Basic plan does not include the custom strategy builder. Choose Pro or Enterprise.',
  });
});

test('signed-in users can list the instruments available to the builder', async () => {
  const person = await signedInPerson(app);
  const { body } = await request({ url: '/api/strategies/builder/instruments/', token: person.token });
  expect(body.length).toBeGreaterThan(0);
  expect(body[0]).toEqual({ symbol: expect.any(String), name: expect.any(String), kind: 'equity' });
  expect((await request({ url: '/api/strategies/builder/instruments/' })).status).toBe(401);
});

describe('drafts', async () => {
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
    await giveRole(records, person, 'provider');
    return person;
  }

  test('an author creates, lists, changes (as a new version) and removes their own draft', async () => {
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

  test('only the provider’s staff publish strategies and edit the catalogue', async () => {
    const { token } = await signedInPerson(app);
    const { id } = (await create({ token, fields: FIELDS })).body;
    expect(await change(id, { token, fields: { status: 'published' } })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', field: 'status' },
    });
    const staff = await provider();
    const second = await provider();
    const agreed = (action: string, subject: string) => agree(app, [staff, second], { action, subject });
    expect((await change(id, { token: staff.token, fields: { status: 'published' } })).status).toBe(404);
    expect((await agreed('publish', id)).status, 'a client’s own draft').toBe(404);
    const { id: theirs } = (await create({ token: staff.token, fields: FIELDS })).body;
    expect(await change(theirs, { token: staff.token, fields: { status: 'published' } })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', field: 'status' },
    });
    await checkedDraft(app, theirs);
    const proposed = await propose(app, staff, { action: 'publish', subject: theirs });
    const definition = JSON.stringify({ ...BOTH_ABOVE_30, gross: 0.4 });
    await change(theirs, { token: staff.token, fields: { definition } });
    expect((await decide(app, second, { id: proposed.body.id, body: LOOKED })).status).toBe(409);
    await checkedDraft(app, theirs);
    expect((await agreed('publish', theirs)).status).toBe(200);
    expect((await drafts(staff.token)).length, 'it is the provider’s now').toBe(0);
    expect((await change(theirs, { token, fields: { name: 'Taken' } })).status).toBe(404);
    expect(await remove(theirs, staff.token)).toMatchObject({ status: 409, body: { code: 'in_use' } });
    expect((await agreed('retire', theirs)).status).toBe(200);
    expect((await change(theirs, { token: staff.token, fields: { name: 'Gone' } })).body.status).toBe(
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

  test('a picture is re-encoded: cropped, as WebP, and nothing else in the file is kept', async () => {
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

  test('a photograph’s location and camera data are removed', async () => {
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
    ['a picture that is cut in its rows', cut(png(2_000, 1_000, 'x'))],
    ['a small file that unfolds into a huge picture', png(4_000, 3_001, 'x')],
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

  test('a picture is decoded beside the request thread, and only one of each person', async () => {
    const { token } = await signedInPerson(app);
    let turns = 0;
    const count = setInterval(() => (turns += 1), 1);
    const upload = () => create({ token, fields: FIELDS, picture: png(4_000, 3_000, 'x') });
    const answers = await Promise.all([upload(), upload()]);
    clearInterval(count);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 429]);
    expect(turns).toBeGreaterThan(50);
    expect((await upload()).status).toBe(201);
  });

  test.each([
    ['without a boundary', 'multipart/form-data', '--x--'],
    [
      'that is cut short',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="name"',
    ],
  ])('a form %s is refused, not an internal error', async (_what, type, payload) => {
    const { token } = await signedInPerson(app);
    const headers = { 'content-type': type, authorization: `Bearer ${token}` };
    for (const method of ['POST', 'PATCH'] as const) {
      const url = method === 'POST' ? '/api/strategies/' : `/api/strategies/${await publishedStrategy(app)}/`;
      expect(await request({ method, url, headers, payload })).toMatchObject({
        status: 400,
        body: { code: 'malformed_request' },
      });
    }
  });

  test('forms are taken here alone, and only from people who signed in', async () => {
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    const payload = '--x--\r\n';
    const open = await request({ method: 'POST', url: '/api/strategies/', headers: form, payload });
    expect(open.status).toBe(401);
    const elsewhere = await request({ method: 'POST', url: '/api/auth/login/', headers: form, payload });
    expect(elsewhere).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });
});

/** The same file without its last third. */
function cut(picture: Buffer): Buffer {
  return picture.subarray(0, Math.floor((picture.length * 2) / 3));
}
