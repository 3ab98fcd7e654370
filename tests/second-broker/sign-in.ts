// A person at the stand-in's pages: reads each form, fills it in, and follows the way back into the product.

export async function signInAtSecondBroker(
  authorizeUrl: string,
  { user, password }: { readonly user: string; readonly password: string },
): Promise<void> {
  const first = await formOf(await fetch(authorizeUrl));
  const second = await formOf(await first.send({ user, pass: password }));
  const consented = await second.send({ agree: '1' });
  const back = consented.headers.get('location');
  if (back === null) throw new Error(`the stand-in did not send the person back: ${consented.status}`);
  const returned = await fetch(back);
  const text = await returned.text();
  if (!returned.ok || text.includes('Not connected'))
    throw new Error(`the product did not take the person back: ${returned.status} ${text}`);
}

async function formOf(answer: Response) {
  const html = await answer.text();
  const [, action] = /<form method=post action="([^"]*)"/.exec(html) ?? [];
  if (!answer.ok || action === undefined) throw new Error(`no form: ${answer.status} ${html}`);
  const hidden = [...html.matchAll(/<input type=hidden name=(\w+) value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  return {
    send: (fields: Record<string, string>) =>
      fetch(new URL(action, answer.url), {
        method: 'POST',
        body: new URLSearchParams({ ...Object.fromEntries(hidden), ...fields }),
        redirect: 'manual',
      }),
  };
}
