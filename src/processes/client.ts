// `npm run client -- FILE`: writes the client of the API, as an installation at PUBLIC_URL hands it out.
import { writeFileSync } from 'node:fs';
import { writeClient } from '#server/typescript-client/write-client.ts';
import { readEnvironment } from './environment/environment.ts';
import { productVersion } from './wiring/product-version.ts';

const [file, ...rest] = process.argv.slice(2);
if (file === undefined || file.startsWith('-') || rest.length > 0) {
  console.error('Usage: npm run client -- FILE, for example npm run client -- bellwether.ts');
  process.exit(1);
}
const { publicUrl } = readEnvironment();
writeFileSync(file, writeClient({ url: publicUrl, version: productVersion() }));
console.log(`${file} is the client of ${publicUrl}.`);
