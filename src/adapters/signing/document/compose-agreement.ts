// Renders an agreement's text as the PDF that is presented, hashed and later sealed.
import { PDF } from '@libpdf/core';
import type { AgreementText } from '#ports/signing.ts';
import { BODY, createPageWriter, HEADING, SMALL, TITLE } from '../../printing/pdf/page-writer.ts';

export async function composeAgreement(
  agreement: AgreementText,
  options: { composedAt: Date },
): Promise<Uint8Array> {
  const pdf = PDF.create();
  pdf.setTitle(agreement.title, { showInWindowTitleBar: true });
  pdf.setMetadata({
    creationDate: options.composedAt,
    modificationDate: options.composedAt,
    language: agreement.language,
    subject: `${agreement.template} ${agreement.version}`,
  });
  const name = `${agreement.title}, version ${agreement.version}`;
  const writer = createPageWriter(pdf, name);
  writer.text(agreement.title, TITLE);
  writer.text(`Version ${agreement.version}`, { ...SMALL, spaceAfter: 14 });
  for (const paragraph of agreement.preamble) writer.text(paragraph, BODY);
  for (const section of agreement.sections) {
    writer.need(64);
    writer.text(section.heading, HEADING);
    for (const paragraph of section.paragraphs) writer.text(paragraph, BODY);
  }
  writer.rule();
  writer.text('Consent given when signing', HEADING);
  writer.text(agreement.consent, BODY);
  return pdf.save();
}
