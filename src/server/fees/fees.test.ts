import { expect, test } from 'vitest';
import { billedDeployment } from '../../../tests/support/billed-deployment.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { newDeployment } from '../../../tests/support/test-deployment.ts';

const app = await testApp();
const get = (url: string, token: string) => app.request({ method: 'GET', url, token });

test('a person reads their own bills, newest first, with every figure', async () => {
  const { person, deploymentId } = await billedDeployment(app, 1_000.5);
  const { status, body } = await get('/api/fees/bills/', person.token);
  expect(status).toBe(200);
  expect(body.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
  expect(body[0]).toMatchObject({ state: 'no_fee', fee: 0, profit: 0, opening_high_water_mark: 11_000.5 });
  expect(body[1]).toMatchObject({
    deployment: deploymentId,
    is_closing: false,
    opening_high_water_mark: 10_000,
    capital: 10_000,
    net_flow: 0,
    settled_result: 1_000.5,
    worth: 11_000.5,
    worth_before_withdrawal: null,
    adjusted_high_water_mark: 10_000,
    closing_value: 11_000.5,
    profit: 1_000.5,
    fee_percent: 30,
    fee: 300.15,
    next_high_water_mark: 11_000.5,
    state: 'due',
  });
  expect((await get(`/api/fees/bills/${body[1].id}/`, person.token)).body).toEqual(body[1]);
});

test('the list is of one deployment where one is named', async () => {
  const { person, deploymentId } = await billedDeployment(app);
  const other = await newDeployment(app);
  const of = async (id: string) => (await get(`/api/fees/bills/?deployment=${id}`, person.token)).body.length;
  expect(await of(deploymentId)).toBe(2);
  expect(await of(other.deploymentId)).toBe(0);
  expect(await of('none')).toBe(0);
  expect((await get('/api/fees/bills/?limit=1', person.token)).body).toHaveLength(1);
});

test("someone else's bill does not exist, alone or in a list", async () => {
  const owner = await billedDeployment(app);
  const stranger = await billedDeployment(app);
  const [bill] = (await get('/api/fees/bills/', owner.person.token)).body;
  expect((await get(`/api/fees/bills/${bill.id}/`, stranger.person.token)).status).toBe(404);
  const url = `/api/fees/bills/?deployment=${owner.deploymentId}`;
  expect((await get(url, stranger.person.token)).body).toEqual([]);
});
