// What a user does in the brokerage's window, through its own forms: sign in, approve, return to the product.

export async function approveAtSandboxBrokerage(
  authorizeUrl: string,
  account: { userName: string; password: string },
): Promise<void> {
  const page = new URL(authorizeUrl);
  const ask = {
    oauth_token: page.searchParams.get('oauth_token') ?? '',
    redirect_uri: page.searchParams.get('redirect_uri') ?? '',
  };
  const signedIn = await post(page, '/authorize/sign-in', {
    ...ask,
    user_name: account.userName,
    password: account.password,
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0];
  if (!signedIn.ok || cookie === undefined)
    throw new Error(`the sandbox brokerage refused the sign-in: ${signedIn.status}`);
  const decided = await post(page, '/authorize/decide', { ...ask, decision: 'approve' }, cookie);
  const back = decided.headers.get('location');
  if (back === null) throw new Error(`the sandbox brokerage did not send the person back: ${decided.status}`);
  const answer = await fetch(back);
  if (!answer.ok)
    throw new Error(`the product did not take the person back: ${answer.status} ${await answer.text()}`);
}

function post(page: URL, path: string, fields: Record<string, string>, cookie?: string): Promise<Response> {
  return fetch(new URL(path, page), {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: cookie === undefined ? {} : { cookie },
    redirect: 'manual',
  });
}
