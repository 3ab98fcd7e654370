import { PDF } from '@libpdf/core';
import type { SandboxEnvelope } from './books.ts';

/** The document with a page that says who signed it. The service seals what it hands out; the stand-in does not. */
export async function completedDocument(envelope: SandboxEnvelope): Promise<Uint8Array> {
  const pdf = await PDF.load(envelope.document);
  const page = pdf.addPage({ width: 595, height: 842 });
  const lines = [
    'Certificate of completion (stand-in, not sealed)',
    `Envelope ${envelope.envelopeId}`,
    `Signed by ${envelope.signedName ?? ''}, ${envelope.signer.email}`,
    `at ${new Date(envelope.signedAtMs ?? 0).toISOString()}`,
  ];
  for (const [index, line] of lines.entries()) {
    page.drawText(line.replace(/[^ -~]/g, '?'), { x: 64, y: 760 - index * 18, size: 11, font: 'Helvetica' });
  }
  return pdf.save({ incremental: true });
}
