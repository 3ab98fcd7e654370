// Seals a PDF with a PAdES B-B signature (ETSI EN 319 142-1), which makes any later change to its bytes detectable.
import { CryptoKeySigner, PDF } from '@libpdf/core';
import type { SealKey } from './seal-key.ts';

export async function sealDocument(
  document: Uint8Array,
  options: { readonly key: SealKey; readonly sealedAt: Date; readonly reason: string },
): Promise<Uint8Array> {
  const pdf = await PDF.load(document);
  const { bytes } = await pdf.sign({
    signer: new CryptoKeySigner(options.key.privateKey, options.key.certificate, 'EC', 'ECDSA'),
    level: 'B-B',
    reason: options.reason,
    signingTime: options.sealedAt,
    fieldName: 'Seal',
    estimatedSize: CONTENTS_BYTES,
  });
  return bytes;
}

/** Bytes reserved for the signature: one P-256 certificate and its attributes take about 1 kB. */
const CONTENTS_BYTES = 4096;
