import { expect, test } from 'vitest';
import { storeMarket } from '#tests/support/committed-strategy.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';

const app = await testApp();
const { request, records } = app;
const bars = await storeMarket(records.database);
app.world.marketNow = bars[599]!.closedAt;

const described = ({ token }: TestPerson, description: string) =>
  request({ method: 'POST', url: '/api/strategies/builder/', token, body: { mode: 'ai', description } });
const tune = ({ token }: TestPerson, id: string, body: object) =>
  request({ method: 'POST', url: `/api/strategies/${id}/tune/`, token, body });

test('parts are put in, taken out again, and refused by their place; each makes a version that can be compared', async () => {
  const person = await signedInPerson(app);
  const { draft } = (await described(person, 'Trend following on shares')).body;
  const { average } = draft.definition.features;
  const parts = {
    features: { average: { ...average, every: 'week', length: 8 } },
    regime: { symbol: 'AAA', when: { op: 'above', left: 'close', right: 'average' } },
    band: { percent: 2 },
  };
  const changed = await tune(person, draft.id, { parts, values: { 'band.percent': 3 } });
  expect(changed.body).toMatchObject({
    draft: {
      version: 2,
      definition: {
        ...parts,
        regime: { ...parts.regime, otherwise: { type: 'cash' } },
        band: { percent: 3 },
      },
    },
    backtest: { kind: 'backtest' },
  });
  const taken = await tune(person, draft.id, { parts: { regime: null } });
  expect(taken.body.draft.definition).not.toHaveProperty('regime');
  expect(taken.body.draft.definition).toHaveProperty('band');
  const refused = await tune(person, draft.id, { parts: { band: { percent: 0 } } });
  expect(refused.body).toMatchObject({ code: 'definition_invalid', field: 'parts.band.percent' });
  const strange = { symbol: 'NOWHERE', when: parts.regime.when };
  expect((await tune(person, draft.id, { parts: { regime: strange } })).body).toMatchObject({
    code: 'definition_invalid',
    message: 'We have no prices for NOWHERE.',
    details: { errors: [{ path: 'regime.symbol' }] },
  });
  const versions = (token: string) => request({ url: `/api/strategies/${draft.id}/versions/`, token });
  expect((await versions(person.token)).body).toMatchObject([
    {
      version: 3,
      version_id: taken.body.draft.version_id,
      definition: taken.body.draft.definition,
      result: null,
    },
    { version: 2, definition: changed.body.draft.definition },
    { version: 1, definition: draft.definition },
  ]);
  expect((await versions((await signedInPerson(app)).token)).status).toBe(404);
});
