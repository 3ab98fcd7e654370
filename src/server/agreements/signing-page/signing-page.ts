import type { AgreementSection, Envelope, MissingPart } from '#ports/signing.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { pageFrame, type Theme } from './page-frame.ts';

export function signingPage(
  envelope: Envelope,
  options: {
    readonly token: string;
    readonly theme: Theme;
    readonly typedName: string;
    readonly missing: readonly MissingPart[];
  },
): string {
  const { agreement } = envelope;
  const path = `/sign/${encodeURIComponent(options.token)}`;
  return pageFrame({
    title: `Sign: ${agreement.title}`,
    theme: options.theme,
    view: 'signing',
    body: `<form method="post" action="${path}?theme=${options.theme}" class="page">
<main class="text"${isRead(envelope) ? ' data-read' : ''} tabindex="0" aria-label="Agreement">
<h1>${escapeHtml(agreement.title)}</h1>
<p class="facts">Version ${escapeHtml(agreement.version)} · for ${escapeHtml(envelope.signer.name)}, ${escapeHtml(envelope.signer.email)} · <a href="${path}/document.pdf" target="_blank" rel="noopener">Open as PDF</a></p>
${paragraphs(agreement.preamble)}
${agreement.sections.map(section).join('\n')}
<div id="end" class="consents">
${consent('consent', agreement.consent, options.missing)}
${consent('electronic_consent', agreement.electronicConsent, options.missing)}
</div>
</main>
<section class="sign" aria-label="Your signature">
${problems(options.missing)}
<div class="row">
<div class="name">
<label for="name">Type your full name to sign</label>
<input type="text" id="name" name="name" required maxlength="120" autocomplete="off" spellcheck="false" value="${escapeHtml(options.typedName)}"${invalid(options.missing, 'name')}>
</div>
<button type="submit" id="finish" aria-describedby="missing">Finish Signing!</button>
</div>
<p id="missing" class="missing" role="status"></p>
</section>
</form>`,
  });
}

function consent(
  part: 'consent' | 'electronic_consent',
  text: string,
  missing: readonly MissingPart[],
): string {
  return `<label class="consent" for="${part}"><input type="checkbox" id="${part}" name="${part}" value="yes" required autocomplete="off"${invalid(missing, part)}><span>${escapeHtml(text)}</span></label>`;
}

function isRead({ events }: Envelope): boolean {
  return events.some(({ type }) => type === 'document_read');
}

function section({ heading, paragraphs: texts }: AgreementSection): string {
  return `<h2>${escapeHtml(heading)}</h2>\n${paragraphs(texts)}`;
}

function paragraphs(texts: readonly string[]): string {
  return texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
}

function problems(missing: readonly MissingPart[]): string {
  if (missing.length === 0) return '';
  return `<p class="problem" role="alert">Not signed yet: ${missing.map((part) => SENTENCES[part]).join(' ')}</p>`;
}

function invalid(missing: readonly MissingPart[], part: MissingPart): string {
  return missing.includes(part) ? ' aria-invalid="true"' : '';
}

const SENTENCES: Readonly<Record<MissingPart, string>> = {
  reading: 'please read the agreement to its end.',
  consent: 'please check the box to agree.',
  electronic_consent: 'please check the box about electronic form.',
  name: 'please type your full name.',
};
