import { PDF } from '@libpdf/core';
import { expect, test } from 'vitest';
import { billedDeployment } from '#tests/support/billed-deployment.ts';
import { FIRST_FEE_BILL } from '#tests/support/first-fee-bill.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';

const app = await testApp();
const get = (url: string, token: string) => app.request({ method: 'GET', url, token });

test('a person reads their own bills, newest first, with every figure', async () => {
  const { person, deploymentId } = await billedDeployment(app, 1_000.5);
  const { status, body } = await get('/api/fees/bills/', person.token);
  expect(status).toBe(200);
  expect(body.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
  expect(body[0]).toMatchObject({ state: 'no_fee', fee: 0, profit: 0, opening_high_water_mark: 11_000.5 });
  expect(body[1]).toMatchObject({ ...FIRST_FEE_BILL, deployment: deploymentId });
  expect((await get(`/api/fees/bills/${body[1].id}/`, person.token)).body).toEqual(body[1]);
});

test('the list is filtered by deployment', async () => {
  const { person, deploymentId } = await billedDeployment(app);
  const other = await newDeployment(app);
  const of = async (id: string) => (await get(`/api/fees/bills/?deployment=${id}`, person.token)).body.length;
  expect(await of(deploymentId)).toBe(2);
  expect(await of(other.deploymentId)).toBe(0);
  expect(await of('none')).toBe(0);
  expect((await get('/api/fees/bills/?limit=1', person.token)).body).toHaveLength(1);
});

test('the fee of a running period accrues, and a close is previewed with it', async () => {
  const { person, deploymentId } = await billedDeployment(app, 1_000.5);
  const url = `/api/fees/accruals/${deploymentId}/`;
  await app.records.pool.query(
    `update deployments set equity_micro = equity_micro + 200000000 where id = $1`,
    [deploymentId],
  );
  const { status, body } = await get(url, person.token);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    number: 3,
    opening_high_water_mark: 11_000.5,
    accrued: { profit: 0, fee: 0 },
    if_closed: { gross: 11_200.5, profit: 200, fee: 60, net: 11_140.5 },
  });
  expect((await get(url, (await newDeployment(app)).person.token)).status).toBe(404);
  await app.records.pool.query(
    `update deployments set status = 'liquidated', ended_at = billed_through where id = $1`,
    [deploymentId],
  );
  expect((await get(url, person.token)).status).toBe(404);
});

test('a bill is kept as CSV and as PDF with every figure', async () => {
  const { person } = await billedDeployment(app, 1_000.5);
  const { body } = await get('/api/fees/bills/', person.token);
  const columns = Object.keys(body[1]);
  const fetchText = async (url: string) => {
    const { headers, rawPayload } = await app.app.inject({
      url,
      headers: { authorization: `Bearer ${person.token}` },
    });
    return { type: headers['content-type'], text: rawPayload.toString('utf8'), bytes: rawPayload };
  };
  const one = await fetchText(`/api/fees/bills/${body[1].id}/csv/`);
  const [names, figures, ...rest] = one.text.split('\r\n');
  expect(names!.split(',').toSorted()).toEqual(columns.toSorted());
  expect(figures!.split(',')).toEqual(
    names!.split(',').map((name) => (body[1][name] === null ? '' : String(body[1][name]))),
  );
  expect(rest).toEqual(['']);
  expect((await fetchText('/api/fees/csv/')).text.split('\r\n')).toHaveLength(4);
  const statement = `/api/fees/bills/${body[1].id}/statement/`;
  const pdf = await fetchText(statement);
  expect(pdf.type).toContain('application/pdf');
  const pages = (await PDF.load(new Uint8Array(pdf.bytes))).extractText();
  const text = pages.map((page) => page.text).join(' ');
  for (const figure of ['$10,000.00', '$11,000.50', '$1,000.50', '$300.15', '30%'])
    expect(text).toContain(figure);
  const stranger = await billedDeployment(app);
  expect((await get(statement, stranger.person.token)).status).toBe(404);
});

test("someone else's bill is not found, alone or in a list", async () => {
  const owner = await billedDeployment(app);
  const stranger = await billedDeployment(app);
  const [bill] = (await get('/api/fees/bills/', owner.person.token)).body;
  expect((await get(`/api/fees/bills/${bill.id}/`, stranger.person.token)).status).toBe(404);
  const url = `/api/fees/bills/?deployment=${owner.deploymentId}`;
  expect((await get(url, stranger.person.token)).body).toEqual([]);
});
