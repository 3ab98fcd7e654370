// Runs before the first paint and before the app has loaded, as a script of its own: a saved light theme never flashes
// dark, a person who is signed in does not see the page that was written for visitors, and what the page will show is
// already on its way when the app asks for it.
import { readAccessToken } from '../call/tokens.ts';
import { askEarly } from './ask-early.ts';

const { dataset } = document.documentElement;
let isSignedIn = false;
try {
  if (localStorage.getItem('theme') === 'light') dataset['theme'] = 'light';
  isSignedIn = readAccessToken() !== null;
  if (isSignedIn) dataset['session'] = 'kept';
} catch {
  // Some private windows refuse storage; the default theme applies.
  dataset['theme'] = 'dark';
}
const { pathname, search } = location;
askEarly({ reads: listed('early-reads'), pathname, search, isSignedIn });
// After the reads: a browser asks a server for six things at a time.
setTimeout(() => void preloadFiles(listed('early-files')));

/** The faces of the text once the first script is there: what they weigh then arrives after the other scripts. */
async function preloadFiles(scripts: readonly string[]): Promise<void> {
  await Promise.race(scripts.map(preload));
  for (const face of ['Inter', 'Newsreader']) void document.fonts.load(`1em ${face}`);
}

/** Ends in any case: the app asks again for what it misses. */
function preload(file: string): Promise<unknown> {
  const link = document.createElement('link');
  const settled = new Promise((resolve) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', resolve);
  });
  document.head.append(Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: `/${file}` }));
  return settled;
}

function listed<Listed>(name: string): Listed[] {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
  return JSON.parse(meta?.content ?? '[]') as Listed[];
}
