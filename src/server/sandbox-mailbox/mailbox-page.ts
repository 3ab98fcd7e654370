import type { ReceivedMail } from '#ports/mail.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import { isoText } from '#units/instant.ts';
import { escapeHtml } from '../http/escape-html.ts';

export function mailboxPage(mails: readonly ReceivedMail[], to: string | null): string {
  const whose = to === null ? 'every address' : escapeHtml(to);
  const list =
    mails.length === 0 ? '<p>No mail yet. Reload the page in a moment.</p>' : mails.map(article).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox mailbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/sandbox/mailbox.css">
</head>
<body>
<main>
<h1>Sandbox mailbox</h1>
<p>What ${escapeHtml(PRODUCT_NAME)} would have mailed to ${whose}, newest first. Nothing leaves this machine until MAIL_URL names a mail server.</p>
${list}
</main>
</body>
</html>
`;
}

function article({ to, subject, text, receivedAt }: ReceivedMail): string {
  const at = isoText(receivedAt);
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p>To <a href="/sandbox/mailbox?to=${escapeHtml(encodeURIComponent(to))}">${escapeHtml(to)}</a>, <time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time></p>
<pre>${linked(text)}</pre>
</article>`;
}

/** A URL alone on its line becomes a link. */
function linked(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const safe = escapeHtml(line);
      return /^https?:\/\/\S+$/.test(line) ? `<a href="${safe}">${safe}</a>` : safe;
    })
    .join('\n');
}
