import { expect, test } from 'vitest';
import { testApp } from '#tests/support/test-app.ts';
import { DEMO_EMAIL, DEMO_PASSWORD, makeDemoUser } from './demo-user.ts';

const app = await testApp();
const post = (url: string, body: object) => app.request({ method: 'POST', url: `/api/auth/${url}/`, body });

test('the demo account signs in with the password that everyone knows, and nobody registers with it', async () => {
  const credentials = { email: DEMO_EMAIL, password: DEMO_PASSWORD };
  const registration = { ...credentials, confirm_password: DEMO_PASSWORD, first_name: 'Demo' };
  expect(await post('register', registration)).toMatchObject({
    status: 422,
    body: { code: 'weak_password' },
  });
  for (let start = 1; start <= 2; start++) {
    await makeDemoUser(app.records.database);
    expect(await post('login', credentials)).toMatchObject({
      status: 200,
      body: { user: { email: DEMO_EMAIL } },
    });
  }
});
