import { expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { testApp } from '../../../tests/support/test-app.ts';

const app = await testApp();
const { request, dependencies } = app;

test('the mailbox shows what was kept, newest first, one person apart, and nothing of it is markup', async () => {
  const { mailbox } = dependencies;
  await mailbox!.keep({
    to: 'ada@example.test',
    subject: 'First',
    text: 'Hello\nhttp://x.test/?token=a-b_c\n',
  });
  await mailbox!.keep({ to: 'bo@example.test', subject: '<b>Second</b>', text: '<script>1</script>' });
  const page = await request({ url: '/sandbox/mailbox' });
  expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  expect(page.text.indexOf('Second')).toBeLessThan(page.text.indexOf('First'));
  expect(page.text).toContain('<a href="http://x.test/?token=a-b_c">');
  expect(page.text).not.toMatch(/<script>1|<b>Second/);
  const one = await request({ url: '/sandbox/mailbox?to=Ada@example.test' });
  expect(one.text).toContain('First');
  expect(one.text).not.toContain('Second');
});

test('where mails leave the house there is no such page', async () => {
  const outside = await createApp({ ...dependencies, mailbox: null });
  expect((await outside.inject({ url: '/sandbox/mailbox' })).statusCode).toBe(404);
  await outside.close();
});
