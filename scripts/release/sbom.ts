// `npm run sbom`: lists the packages of the product, signs a file of a release, and checks the signature.
import { parseArgs } from 'node:util';
import { isSignedFile, makeBill, signatureFileOf, signFile } from './bill-of-materials.ts';

const USAGE = `npm run sbom -- make FILE                lists the packages of the product in FILE (CycloneDX)
npm run sbom -- sign FILE --key KEY      signs FILE with the private Ed25519 key in KEY, into FILE.sig
npm run sbom -- check FILE --key PUBLIC  checks FILE.sig by the public key in PUBLIC; exits with 1 if it does not fit`;

try {
  console.log(run());
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

function run(): string {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } });
  const [word, file, ...more] = positionals;
  const { key } = values;
  if (file === undefined || more.length > 0) throw new Error(USAGE);
  if (word === 'make') return `${file} lists ${makeBill(process.cwd(), file)} packages.`;
  if (key === undefined) throw new Error(USAGE);
  if (word === 'sign') {
    signFile(file, key);
    return `${signatureFileOf(file)} is the signature.`;
  }
  if (word !== 'check') throw new Error(USAGE);
  if (isSignedFile(file, key)) return `${file} is as it was signed.`;
  throw new Error(
    `${file} is not what ${signatureFileOf(file)} was made for, or another key signed it: do not use it`,
  );
}
