// Why a key does not open, for whoever starts the product.

/** What is wrong with a key file. */
export type KeyFileFault = 'empty' | 'misshapen' | 'not_random';

export type KeyFailure = {
  /**
   * missing: there is no root key. foreign: the one that wrapped the key is not among them. spoilt: it does not open with that
   * one. refused, unreachable: by the service of keys.
   */
  readonly code: KeyFileFault | 'missing' | 'foreign' | 'spoilt' | 'refused' | 'unreachable';
  /** To look at. */
  readonly setting: string;
  /** The file, or the address of the service. */
  readonly place: string;
  /** The ids of the keys that are there, or a quote of the service. */
  readonly said: string;
};

type WrappedBy = { readonly id: string; readonly kind: string; readonly wrappedBy: string };

const FAULTS: Readonly<Record<KeyFileFault, string>> = {
  empty: 'is empty',
  misshapen: 'does not hold a key of 32 bytes in base64',
  not_random: 'does not hold a random key',
};

export function keyFileFaultText(fault: KeyFileFault): string {
  return FAULTS[fault];
}

/** One of the database does not open. */
export function unopenedKeyText(failure: KeyFailure, { id, kind, wrappedBy }: WrappedBy): string {
  const { code, setting, place, said } = failure;
  const what = `The key ${id} (${kind}) of this database is wrapped by the key ${wrappedBy}`;
  if (code === 'refused' || code === 'unreachable')
    return `${what}, and the service of ${setting} does not unwrap it (${said}). Check ${setting} and its token, or try again when it answers.`;
  const fault =
    code === 'missing'
      ? `${place} is missing`
      : code === 'foreign'
        ? `${place} holds the key ${said}`
        : code === 'spoilt'
          ? `${place} does not open it`
          : `${place} ${FAULTS[code]}`;
  return `${what}, and ${setting} is not that key: ${fault}. Copy the file from the machine that has it, or name another database in DATABASE_URL.`;
}

/** None can be made, rotated or retired. */
export function noRootKeyText({ setting, place, code, said }: KeyFailure): string {
  const fault = code in FAULTS ? FAULTS[code as KeyFileFault] : code === 'missing' ? 'is missing' : said;
  return `No key can be made: ${setting}, ${place}: ${fault}.`;
}
