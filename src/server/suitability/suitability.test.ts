import { expect, test } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { answersOf, signedInPerson } from '../../../tests/support/test-person.ts';

const app = await testApp();
const { request } = app;
const URL = '/api/risk-assessment/';

test('the score is computed from the answers, whatever score is sent along', async () => {
  const { token, id } = await signedInPerson(app);
  expect(await request({ url: URL, token })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const body = { score: 3, risk_tolerance: 'aggressive', questionnaire_responses: answersOf(0) };
  const created = await request({ method: 'POST', url: URL, token, body });
  expect(created).toMatchObject({
    status: 201,
    body: { user: id, score: 33, risk_score: 1, risk_tolerance: 'conservative', max_drawdown_tolerance: 10 },
  });
  expect(created.body.recommendations).toHaveLength(4);
  expect((await request({ url: URL, token })).body).toEqual(created.body);
});

test('a retake changes the same profile', async () => {
  const { token } = await signedInPerson(app);
  const first = await request({
    method: 'POST',
    url: URL,
    token,
    body: { questionnaire_responses: answersOf(0) },
  });
  const changed = await request({
    method: 'PATCH',
    url: `${URL}${first.body.id}/`,
    token,
    body: { questionnaire_responses: answersOf(2) },
  });
  expect(changed).toMatchObject({ status: 200, body: { id: first.body.id, score: 100, risk_score: 5 } });
});

test('an answer that is missing or not on the list is named', async () => {
  const { token } = await signedInPerson(app);
  const { time_horizon: _, ...rest } = answersOf(1);
  expect(
    await request({ method: 'POST', url: URL, token, body: { questionnaire_responses: rest } }),
  ).toMatchObject({
    status: 400,
    body: {
      code: 'invalid_field',
      field: 'questionnaire_responses.time_horizon',
      message: 'Please select an answer before continuing',
    },
  });
});

test("someone else's profile is like an absent one", async () => {
  const owner = await signedInPerson(app);
  const other = await signedInPerson(app);
  const body = { questionnaire_responses: answersOf(1) };
  const { id } = (await request({ method: 'POST', url: URL, token: owner.token, body })).body;
  for (const method of ['PATCH', 'DELETE'] as const) {
    const foreign = await request({
      method,
      url: `${URL}${id}/`,
      token: other.token,
      ...(method === 'PATCH' && { body }),
    });
    const absent = await request({
      method,
      url: `${URL}nothing/`,
      token: other.token,
      ...(method === 'PATCH' && { body }),
    });
    expect(foreign).toMatchObject({ status: 404, body: absent.body });
  }
  expect((await request({ method: 'DELETE', url: `${URL}${id}/`, token: owner.token })).status).toBe(204);
  expect((await request({ url: URL, token: owner.token })).status).toBe(404);
});
