import type { AgreementSection, Envelope } from '#ports/signing.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { pageFrame, type Theme } from './page-frame.ts';

type Missing = 'consent' | 'name';

export function signingPage(
  envelope: Envelope,
  options: {
    readonly token: string;
    readonly theme: Theme;
    readonly typedName: string;
    readonly missing: readonly Missing[];
  },
): string {
  const { agreement } = envelope;
  const path = `/sign/${encodeURIComponent(options.token)}`;
  return pageFrame({
    title: `Sign: ${agreement.title}`,
    theme: options.theme,
    view: 'signing',
    body: `<form method="post" action="${path}?theme=${options.theme}" class="page">
<main class="text" tabindex="0" aria-label="Agreement">
<h1>${escapeHtml(agreement.title)}</h1>
<p class="facts">Version ${escapeHtml(agreement.version)} · for ${escapeHtml(envelope.signer.name)}, ${escapeHtml(envelope.signer.email)} · <a href="${path}/document.pdf" target="_blank" rel="noopener">Open as PDF</a></p>
${paragraphs(agreement.preamble)}
${agreement.sections.map(section).join('\n')}
</main>
<section class="sign" aria-label="Your signature">
${problems(options.missing)}
<label class="consent" for="consent"><input type="checkbox" id="consent" name="consent" value="yes" required autocomplete="off"${invalid(options.missing, 'consent')}><span>${escapeHtml(agreement.consent)}</span></label>
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

function section({ heading, paragraphs: texts }: AgreementSection): string {
  return `<h2>${escapeHtml(heading)}</h2>\n${paragraphs(texts)}`;
}

function paragraphs(texts: readonly string[]): string {
  return texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
}

function problems(missing: readonly Missing[]): string {
  if (missing.length === 0) return '';
  return `<p class="problem" role="alert">Not signed yet: ${missing.map((part) => SENTENCES[part]).join(' ')}</p>`;
}

function invalid(missing: readonly Missing[], part: Missing): string {
  return missing.includes(part) ? ' aria-invalid="true"' : '';
}

const SENTENCES: Readonly<Record<Missing, string>> = {
  consent: 'please check the box to agree.',
  name: 'please type your full name.',
};
