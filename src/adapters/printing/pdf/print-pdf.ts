// Documents as PDF files.
import { PDF } from '@libpdf/core';
import type { PrintDocument } from '#ports/printing.ts';
import { BODY, createPageWriter, HEADING, SMALL, TITLE } from './page-writer.ts';

export const printPdf: PrintDocument = async ({ title, lead, language, madeAt, parts }) => {
  const pdf = PDF.create();
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setMetadata({ creationDate: new Date(madeAt), modificationDate: new Date(madeAt), language });
  const writer = createPageWriter(pdf, title);
  writer.text(title, TITLE);
  for (const line of lead) writer.text(line, SMALL);
  writer.rule();
  for (const part of parts) {
    if (part.kind === 'figure') writer.row(part);
    else if (part.kind === 'text') writer.text(part.text, BODY);
    else {
      writer.need(64);
      writer.text(part.text, HEADING);
    }
  }
  return pdf.save();
};
