// The page after the agreement that says who signed it, when and how. It is appended to the presented file, whose bytes
// remain the first bytes of the result; the evidence itself is attached verbatim.
import { PDF } from '@libpdf/core';
import type { Envelope, EvidenceEvent } from '#ports/signing.ts';
import {
  BODY,
  createPageWriter,
  HASH,
  HEADING,
  type PageWriter,
  SMALL,
  TITLE,
} from '../../printing/pdf/page-writer.ts';
import { isPrintable } from '../../printing/pdf/printable.ts';

export const EVIDENCE_FILE = 'signing-evidence.json';

export async function appendCertificate(
  envelope: Envelope,
  signature: { readonly name: string; readonly signedAt: Date; readonly events: readonly EvidenceEvent[] },
): Promise<Uint8Array> {
  const pdf = await PDF.load(envelope.presented);
  const writer = createPageWriter(pdf, 'Signing certificate');
  writer.text('Signing certificate', TITLE);
  writer.text(`${envelope.agreement.title}, version ${envelope.agreement.version}`, BODY);
  writer.text(`Signed by ${signature.name}`, { ...BODY, font: 'Times-Italic', size: 18, leading: 26 });
  writer.text(
    `Account ${envelope.signer.name}, ${envelope.signer.email}. Signed at ${signature.signedAt.toISOString()} (server clock, UTC).`,
    BODY,
  );
  if (!isPrintable(`${signature.name}${envelope.signer.name}`)) {
    writer.text(
      'This page cannot draw every letter of the name. The attached record holds it exactly.',
      BODY,
    );
  }
  writer.text('SHA-256 of the document as it was presented, the first bytes of this file:', SMALL);
  writer.text(envelope.presentedHash, { ...HASH, spaceAfter: 8 });
  writer.text('Consents given, each by a box that the person ticked:', SMALL);
  for (const consent of [envelope.agreement.consent, envelope.agreement.electronicConsent]) {
    writer.text(`“${consent}”`, { ...SMALL, spaceAfter: 6 });
  }
  writer.rule();
  writer.text('What happened, in order', HEADING);
  for (const [index, event] of signature.events.entries()) {
    writeEvent(event, signature.events[index - 1], writer);
  }
  writer.text(
    `The attached file ${EVIDENCE_FILE} is the same record. Each hash covers the event and the hash before it. The seal on this file shows any later change; it proves that the file comes from this service unchanged, and is not by itself proof of a person’s identity.`,
    SMALL,
  );
  pdf.addAttachment(EVIDENCE_FILE, new TextEncoder().encode(JSON.stringify(signature.events, null, 2)), {
    description: 'Hash-chained record of the signing',
    mimeType: 'application/json',
    createdAt: signature.signedAt,
    modifiedAt: signature.signedAt,
  });
  return pdf.save({ incremental: true });
}

function writeEvent(event: EvidenceEvent, before: EvidenceEvent | undefined, writer: PageWriter): void {
  writer.need(60);
  writer.text(`${event.seq}. ${event.type.replaceAll('_', ' ')}   ${event.at}`, {
    ...SMALL,
    font: 'Helvetica-Bold',
  });
  // Repeated only when it changes; the attached record has it on every event.
  if (event.ip !== before?.ip || event.userAgent !== before.userAgent) {
    writer.text(`From ${event.ip}, ${event.userAgent}`, SMALL);
  }
  for (const [name, value] of Object.entries(event.details)) {
    writer.text(`${name.replaceAll('_', ' ')}: ${value}`, SMALL);
  }
  writer.text(event.hash, { ...HASH, spaceAfter: 7 });
}
