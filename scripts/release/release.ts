// `npm run release -- VERSION`: makes a release of the commit at hand, and names the tag and the next steps.
import path from 'node:path';
import { makeRelease } from './make-release.ts';

const [version, ...more] = process.argv.slice(2);
if (version === undefined || more.length > 0) {
  console.error('npm run release -- VERSION, such as 0.2.0: see Releases in CONTRIBUTING.md');
  process.exit(1);
}
try {
  const root = process.cwd();
  const { tag, folder, archive, bill, checksums } = makeRelease(
    root,
    version,
    new Date().toISOString().slice(0, 10),
  );
  const place = path.relative(root, folder);
  console.log(`${place} has ${archive}, ${bill} and ${checksums}. Nothing is published yet. Next:

npm run sbom -- sign ${place}/${checksums} --key KEY
npm run sbom -- sign ${place}/${bill} --key KEY
git tag --annotate ${tag} --message "Bellwether ${version}"
git push origin main ${tag}`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
