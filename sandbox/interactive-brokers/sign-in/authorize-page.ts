// The pages on which a person signs in and gives or refuses permission: plain HTML, no script.

export type AuthorizePage =
  | {
      readonly kind: 'sign_in';
      readonly requestToken: string;
      readonly redirectUri: string;
      readonly userName: string;
      readonly problem: string;
      readonly form: 'sign-in' | 'open-account';
    }
  | {
      readonly kind: 'decide';
      readonly requestToken: string;
      readonly redirectUri: string;
      readonly userName: string;
      readonly accountId: string;
      readonly cash: string;
    }
  | { readonly kind: 'message'; readonly title: string; readonly text: string };

export function showAuthorizePage(page: AuthorizePage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.kind === 'decide' ? 'Give permission' : page.kind === 'sign_in' ? 'Sign in' : escape(page.title)} · Sandbox brokerage</title>
<link rel="stylesheet" href="/authorize/style.css">
</head>
<body>
<header class="bar">
<span class="mark" aria-hidden="true"></span>
<span class="house">Sandbox brokerage</span>
<span class="practice">Practice money</span>
</header>
<main>${body(page)}</main>
<footer>This brokerage exists on this computer only. Its prices are simulated, its money is practice money, and no real order ever leaves it.</footer>
</body>
</html>`;
}

function body(page: AuthorizePage): string {
  switch (page.kind) {
    case 'message':
      return `<section class="card narrow"><h1>${escape(page.title)}</h1><p>${escape(page.text)}</p></section>`;
    case 'sign_in':
      return signIn(page);
    case 'decide':
      return decide(page);
  }
}

function signIn(page: Extract<AuthorizePage, { kind: 'sign_in' }>): string {
  const problem = (form: string) =>
    page.problem !== '' && page.form === form
      ? `<p class="problem" role="alert">${escape(page.problem)}</p>`
      : '';
  const value = (form: string) => (page.form === form ? escape(page.userName) : '');
  return `<h1>Connect your account</h1>
<p class="lead">An application asks to trade in your practice account. Sign in to see what it may do. Nothing is granted yet.</p>
<div class="pair">
<section class="card" aria-labelledby="have">
<h2 id="have">Sign in</h2>
${problem('sign-in')}
<form method="post" action="/authorize/sign-in">${hidden(page)}
<label for="user">User name</label>
<input id="user" name="user_name" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="32" value="${value('sign-in')}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">
<button type="submit">Sign in</button>
</form>
<p class="hint">For a first look: user name <b>demo</b>, password <b>demo</b>.</p>
</section>
<section class="card" aria-labelledby="new">
<h2 id="new">Open a new practice account</h2>
${problem('open-account')}
<form method="post" action="/authorize/open-account">${hidden(page)}
<label for="new-user">Choose a user name</label>
<input id="new-user" name="user_name" autocomplete="username" autocapitalize="none" spellcheck="false" required minlength="3" maxlength="32" value="${value('open-account')}">
<label for="new-password">Choose a password</label>
<input id="new-password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="200">
<button type="submit" class="second">Open the account</button>
</form>
<p class="hint">It starts with $1,000,000 of practice money, and needs no papers.</p>
</section>
</div>`;
}

function decide(page: Extract<AuthorizePage, { kind: 'decide' }>): string {
  return `<section class="card narrow">
<h1>Allow trading in your account?</h1>
<p class="lead">Signed in as <b>${escape(page.userName)}</b></p>
<dl>
<div><dt>Account</dt><dd>${escape(page.accountId)}</dd></div>
<div><dt>Practice cash</dt><dd>${escape(page.cash)}</dd></div>
</dl>
<h2>The application may</h2>
<ul class="may">
<li>see balances, positions, orders and executions</li>
<li>place and cancel orders</li>
</ul>
<h2>It may not</h2>
<ul class="may-not">
<li>withdraw or transfer money</li>
<li>change your sign-in or personal details</li>
</ul>
<form method="post" action="/authorize/decide" class="decision">${hidden(page)}
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="deny" class="second">Deny</button>
</form>
</section>`;
}

function hidden(page: { readonly requestToken: string; readonly redirectUri: string }): string {
  return `<input type="hidden" name="oauth_token" value="${escape(page.requestToken)}"><input type="hidden" name="redirect_uri" value="${escape(page.redirectUri)}">`;
}

function escape(text: string): string {
  const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };
  return text.replace(/[&<>"']/g, (sign) => `&${names[sign]};`);
}
