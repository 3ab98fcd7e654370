// The key files: that they can be read, by us alone, and hold keys.
import { createPrivateKey } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { keyFileFault } from '#adapters/key-management/key-file/key-file.ts';
import { keyFileFaultText } from '#rules/operations/key-failure.ts';
import type { Environment } from '../environment/environment.ts';
import { type Finding, fit, unfit } from './finding.ts';

export function checkKeys({ keyEncryptionKeyFile, keyService, brokers }: Environment): readonly Finding[] {
  const files = brokers.flatMap(({ signatureKeyFile, encryptionKeyFile, privateKeyFile }) => [
    ['IBKR_SIGNATURE_KEY_FILE', signatureKeyFile],
    ['IBKR_ENCRYPTION_KEY_FILE', encryptionKeyFile],
    ['IBKR_PRIVATE_KEY_FILE', privateKeyFile],
  ]);
  const named = new Map(files as [string, string | null][]);
  return [
    keyService === null
      ? checkKeyFile('KEK_FILE', keyEncryptionKeyFile, { isMadeByUs: true, faultOf: rootKeyFault })
      : fit('keys', `the root key is ${keyService.keyName} at ${keyService.url}`),
    ...[...named].flatMap(([setting, file]) =>
      file === null ? [] : [checkKeyFile(setting, file, { isMadeByUs: false, faultOf: privateKeyFault })],
    ),
  ];
}

type Kind = { readonly isMadeByUs: boolean; readonly faultOf: (text: string) => string | null };

function checkKeyFile(setting: string, file: string, { isMadeByUs, faultOf }: Kind): Finding {
  const subject = `key file ${setting}`;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && isMadeByUs) return fit(subject, `${file} is made at the first start`);
    return unfit(
      subject,
      `${file} cannot be read (${code}): set ${setting} to a file that this account may read`,
    );
  }
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) !== 0)
    return unfit(subject, `${file} is open to other accounts (${mode.toString(8)}): chmod 600 ${file}`);
  const fault = faultOf(text);
  if (fault !== null) return unfit(subject, `${file} ${fault}: set ${setting} to another file`);
  return fit(subject, `${file}, readable by this account alone`);
}

function rootKeyFault(text: string): string | null {
  const fault = keyFileFault(text);
  return fault === null ? null : keyFileFaultText(fault);
}

function privateKeyFault(text: string): string | null {
  try {
    const { asymmetricKeyDetails } = createPrivateKey(text);
    const bits = asymmetricKeyDetails?.modulusLength ?? 0;
    return bits < BITS_MIN ? `holds a key of ${bits} bits, and the broker takes ${BITS_MIN} or more` : null;
  } catch {
    return 'holds no private key in PEM form';
  }
}

const BITS_MIN = 2_048;
