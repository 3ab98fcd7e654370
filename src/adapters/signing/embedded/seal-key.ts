// The key that seals agreements, with its self-signed certificate: created once, stored in one PEM file that only the
// product's own account may read. Anyone with the certificate can check every seal.
import { createHash, randomBytes, type webcrypto } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BitString, Integer, OctetString, Utf8String } from 'asn1js';
import { AttributeTypeAndValue, BasicConstraints, Certificate, Extension } from 'pkijs';

export interface SealKey {
  readonly privateKey: webcrypto.CryptoKey;
  /** DER. */
  readonly certificate: Uint8Array;
  readonly certificatePem: string;
  /** SHA-256 of the certificate, in hex. */
  readonly fingerprint: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
const VALID_YEARS = 15;

/** Reads the seal key and creates it on the first call. Safe for concurrent processes. */
export async function openSealKey(file: string, options: { owner: string; now: Date }): Promise<SealKey> {
  const kept = readIfExists(file);
  if (kept !== undefined) return parseSealKey(kept, file);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}.draft`;
  writeFileSync(draft, await createSealKey(options), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readSealKey(file);
}

export async function readSealKey(file: string): Promise<SealKey> {
  return parseSealKey(readFileSync(file, 'utf8'), file);
}

async function createSealKey(options: { owner: string; now: Date }): Promise<string> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = new Certificate();
  certificate.version = 2;
  const serial = randomBytes(16);
  // A serial number is a positive integer of at most 20 octets (RFC 5280, 4.1.2.2).
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  certificate.serialNumber = new Integer({ valueHex: new Uint8Array(serial).buffer });
  for (const name of [certificate.issuer, certificate.subject]) {
    name.typesAndValues.push(attribute('2.5.4.10', options.owner));
    name.typesAndValues.push(attribute('2.5.4.3', `${options.owner} agreement seal`));
  }
  certificate.notBefore.value = new Date(options.now.getTime() - 60_000);
  certificate.notAfter.value = new Date(options.now);
  certificate.notAfter.value.setUTCFullYear(options.now.getUTCFullYear() + VALID_YEARS);
  certificate.extensions = [
    extension('2.5.29.19', new BasicConstraints({ cA: false }).toSchema().toBER(false)),
    // Digital signature and non-repudiation: the two leading bits (RFC 5280, 4.2.1.3).
    extension(
      '2.5.29.15',
      new BitString({ valueHex: new Uint8Array([0xc0]).buffer, unusedBits: 6 }).toBER(false),
    ),
  ];
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign(keys.privateKey, 'SHA-256');
  const key = new Uint8Array(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  return pem('PRIVATE KEY', key) + pem('CERTIFICATE', new Uint8Array(certificate.toSchema(true).toBER()));
}

async function parseSealKey(text: string, file: string): Promise<SealKey> {
  const key = pemBody(text, 'PRIVATE KEY');
  const certificate = pemBody(text, 'CERTIFICATE');
  if (key === undefined || certificate === undefined) {
    throw new Error(`${file} holds no private key with its certificate: put the file back from a copy`);
  }
  const privateKey = await crypto.subtle.importKey('pkcs8', key, ALGORITHM, false, ['sign']);
  const fingerprint = createHash('sha256').update(certificate).digest('hex');
  return { privateKey, certificate, certificatePem: pem('CERTIFICATE', certificate), fingerprint };
}

function attribute(type: string, value: string): AttributeTypeAndValue {
  return new AttributeTypeAndValue({ type, value: new Utf8String({ value }) });
}

function extension(extnID: string, value: ArrayBuffer): Extension {
  return new Extension({
    extnID,
    critical: true,
    extnValue: new OctetString({ valueHex: value }).valueBlock.valueHex,
  });
}

function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

function pemBody(text: string, label: string): Uint8Array<ArrayBuffer> | undefined {
  const match = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`).exec(text);
  return match?.[1] === undefined ? undefined : new Uint8Array(Buffer.from(match[1], 'base64'));
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
