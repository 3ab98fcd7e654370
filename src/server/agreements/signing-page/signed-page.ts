import type { Envelope } from '#ports/signing.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { pageFrame, type Theme } from './page-frame.ts';

/** Shown after signing; its script notifies the embedding page, or continues if there is none. */
export function signedPage(envelope: Envelope, theme: Theme): string {
  const { signed } = envelope;
  const next = `${envelope.returnUrl}?event=signing_complete`;
  return pageFrame({
    title: 'Signed',
    theme,
    view: 'signed',
    body: `<main class="message" data-next="${escapeHtml(next)}">
<h1>Signed</h1>
<p>${escapeHtml(envelope.agreement.title)}, version ${escapeHtml(envelope.agreement.version)}, signed by ${escapeHtml(signed?.signedName ?? '')} and sealed.</p>
<p class="seal">SHA-256 ${escapeHtml(signed?.sealedHash ?? '')}</p>
<p><a href="${escapeHtml(next)}" target="_top">Continue</a></p>
</main>`,
  });
}
