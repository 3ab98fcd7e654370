// The changelog of a release: the entries under Unreleased become those of the version.

/** The sentence says what is wrong and how to go on. */
export type ReleasedChangelog =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly refusal: string };

const UNRELEASED = '## Unreleased';

/** `date` is the day of the release, YYYY-MM-DD. */
export function releaseChangelog(
  text: string,
  { version, date }: { readonly version: string; readonly date: string },
): ReleasedChangelog {
  const lines = text.split('\n');
  const start = lines.indexOf(UNRELEASED);
  if (start < 0)
    return {
      ok: false,
      refusal: `CHANGELOG.md has no line "${UNRELEASED}": add it above the newest version`,
    };
  if (lines.some((line) => line === `## ${version}` || line.startsWith(`## ${version},`)))
    return { ok: false, refusal: `CHANGELOG.md has a version ${version} already: choose the next one` };
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  const body = lines.slice(start + 1, next < 0 ? undefined : next);
  if (!body.some((line) => line.startsWith('- ')))
    return {
      ok: false,
      refusal: `CHANGELOG.md says nothing under "${UNRELEASED}": write what changed, then release`,
    };
  const heading = [UNRELEASED, '', `## ${version}, ${date}`];
  return { ok: true, text: [...lines.slice(0, start), ...heading, ...lines.slice(start + 1)].join('\n') };
}

/** Null when `version` may follow `current`; otherwise the sentence that says why not. */
export function versionRefusal(version: string, current: string): string | null {
  const wanted = partsOf(version);
  const now = partsOf(current);
  if (wanted === null)
    return `"${version}" is not a version: name three numbers, such as npm run release -- ${current}`;
  if (now === null) return `package.json has the version "${current}", which is not three numbers`;
  const changed = wanted.findIndex((part, index) => part !== now[index]);
  if (changed < 0 || wanted[changed]! > now[changed]!) return null;
  return `${version} is older than ${current}, the version in package.json: choose a newer one`;
}

function partsOf(version: string): readonly number[] | null {
  const found = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version);
  return found === null ? null : found.slice(1).map(Number);
}
