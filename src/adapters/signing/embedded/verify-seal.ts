// Checks the seal of a PDF without trusting the library that made it: the byte range must cover the whole file, the
// digest of those bytes must be the one that was signed, and the signature must be of the certificate that we trust.
import { createHash, verify, X509Certificate } from 'node:crypto';
import { fromBER, OctetString } from 'asn1js';
import { Certificate, ContentInfo, IssuerAndSerialNumber, SignedData } from 'pkijs';

export type SealCheck =
  | { readonly intact: true; readonly fingerprint: string }
  | { readonly intact: false; readonly reason: SealFault };

export type SealFault =
  | 'no-seal'
  | 'several-seals'
  | 'not-whole-file'
  | 'malformed-signature'
  | 'digest-differs'
  | 'signature-invalid'
  | 'unknown-certificate';

/** `trusted` are SHA-256 fingerprints, in hex, of the certificates that may seal. */
export function verifySeal(document: Uint8Array, trusted: readonly string[]): SealCheck {
  const located = locateSeal(Buffer.from(document.buffer, document.byteOffset, document.byteLength));
  if ('reason' in located) return { intact: false, reason: located.reason };
  const signed = parseSignature(located.signature);
  if (signed === undefined) return broken('malformed-signature');
  const digest = createHash('sha256').update(located.covered).digest();
  if (!signed.digest.equals(digest)) return broken('digest-differs');
  if (!isSignatureValid(signed)) return broken('signature-invalid');
  const fingerprint = createHash('sha256').update(signed.certificate).digest('hex');
  return trusted.includes(fingerprint) ? { intact: true, fingerprint } : broken('unknown-certificate');
}

function broken(reason: SealFault): SealCheck {
  return { intact: false, reason };
}

type Located = { readonly covered: Buffer; readonly signature: Buffer } | { readonly reason: SealFault };

function locateSeal(file: Buffer): Located {
  const text = file.toString('latin1');
  const ranges = [...text.matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)];
  if (ranges.length === 0) return { reason: 'no-seal' };
  if (ranges.length > 1) return { reason: 'several-seals' };
  const [start, length, resume, rest] = ranges[0]!.slice(1).map(Number) as [number, number, number, number];
  if (start !== 0 || length >= resume || resume + rest !== file.length) return { reason: 'not-whole-file' };
  const contents = text.slice(length, resume);
  if (!/^<(?:[0-9a-fA-F]{2})+>$/.test(contents)) return { reason: 'malformed-signature' };
  return {
    covered: Buffer.concat([file.subarray(0, length), file.subarray(resume)]),
    signature: Buffer.from(contents.slice(1, -1), 'hex'),
  };
}

type ParsedSignature = {
  readonly digest: Buffer;
  readonly certificate: Buffer;
  /** The attributes that the signature is made over, as RFC 5652, 5.4 encodes them. */
  readonly attributes: Buffer;
  readonly signature: Buffer;
};

function parseSignature(der: Buffer): ParsedSignature | undefined {
  try {
    const parsed = fromBER(new Uint8Array(der));
    const data = new SignedData({ schema: new ContentInfo({ schema: parsed.result }).content });
    const [signer] = data.signerInfos;
    const [certificate] = data.certificates ?? [];
    const [value] = signer?.signedAttrs?.attributes.find(({ type }) => type === MESSAGE_DIGEST)?.values ?? [];
    if (!(certificate instanceof Certificate) || !(value instanceof OctetString)) return undefined;
    if (data.signerInfos.length !== 1 || data.encapContentInfo.eContent !== undefined) return undefined;
    if (!isNamed(signer!.sid, certificate)) return undefined;
    return {
      digest: Buffer.from(value.valueBlock.valueHexView),
      certificate: Buffer.from(certificate.toSchema().toBER()),
      attributes: Buffer.from(signer!.signedAttrs!.encodedValue),
      signature: Buffer.from(signer!.signature.valueBlock.valueHexView),
    };
  } catch {
    // A changed byte inside the signature makes any of these steps throw; all of them mean the same.
    return undefined;
  }
}

/** The signature must name the certificate that it brings. */
function isNamed(sid: unknown, certificate: Certificate): boolean {
  return (
    sid instanceof IssuerAndSerialNumber &&
    sid.issuer.isEqual(certificate.issuer) &&
    sid.serialNumber.isEqual(certificate.serialNumber)
  );
}

function isSignatureValid(signed: ParsedSignature): boolean {
  try {
    const { publicKey } = new X509Certificate(signed.certificate);
    return verify('sha256', signed.attributes, { key: publicKey, dsaEncoding: 'der' }, signed.signature);
  } catch {
    return false;
  }
}

/** RFC 5652, 11.2. */
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
