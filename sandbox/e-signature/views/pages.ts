import type { SandboxEnvelope } from '../envelopes/books.ts';

export function signingPage(token: string, { subject, signer }: SandboxEnvelope, finishText: string): string {
  return page(`<h1>${escape(subject)}</h1>
<p>Stand-in of a signing service. Signer: ${escape(signer.name)}, ${escape(signer.email)}.</p>
<form method="post" action="/signing/${token}">
<p><label>Full name <input name="name" value="${escape(signer.name)}"></label></p>
<p><button name="act" value="sign">${escape(finishText)}</button>
<button name="act" value="decline">Decline to sign</button>
<button name="act" value="cancel">Finish later</button></p>
</form>`);
}

/** In a frame the script of the service hears it; alone, the browser goes back with the event in the address. */
export function endPage(event: string, returnUrl: string): string {
  const back = new URL(returnUrl);
  back.searchParams.set('event', event);
  return page(`<p>${escape(event)}</p>
<script>
if (window.parent === window) location.replace(${script(back.href)});
else window.parent.postMessage({ type: 'sessionEnd', sessionEndType: ${script(event)} }, '*');
</script>`);
}

export function textPage(text: string): string {
  return page(`<p>${escape(text)}</p>`);
}

function page(body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Signing</title>
<style>body { margin: 24px; font: 16px/1.5 system-ui, sans-serif; color: #1c1c28; background: #fff; } button, input { font: inherit; padding: 8px 12px; margin: 0 8px 8px 0; }</style></head>
<body>${body}</body></html>
`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function script(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}
