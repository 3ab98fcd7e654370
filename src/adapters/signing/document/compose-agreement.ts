// Renders an agreement's text as the PDF that is presented, hashed and later sealed.
import { PDF } from '@libpdf/core';
import type { AgreementText } from '#ports/signing.ts';
import {
  BODY,
  createPageWriter,
  HEADING,
  type PageWriter,
  SMALL,
  TITLE,
  UNSEEN,
} from '../../printing/pdf/page-writer.ts';

export async function composeAgreement(
  agreement: AgreementText,
  options: { composedAt: Date; anchors?: readonly SignatureAnchor[] },
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
  writer.text('Consents given when signing', HEADING);
  writer.text(agreement.consent, BODY);
  writer.text(agreement.electronicConsent, BODY);
  if (options.anchors !== undefined) signatureBlock(writer, options.anchors);
  return pdf.save();
}

/** Where a vendor puts a field of the signer: it looks for the text, which nobody sees. */
export type SignatureAnchor = { readonly label: string; readonly text: string };

function signatureBlock(writer: PageWriter, anchors: readonly SignatureAnchor[]): void {
  writer.need(anchors.length * SIGNATURE_LINE + 30);
  writer.text('Signature', HEADING);
  for (const { label, text } of anchors) {
    writer.text(label, SMALL);
    writer.text(text, { ...UNSEEN, spaceAfter: SIGNATURE_LINE - SMALL.leading - UNSEEN.leading });
  }
}

/** Points for the vendor to draw in. */
const SIGNATURE_LINE = 56;
