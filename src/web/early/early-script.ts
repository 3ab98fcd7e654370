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
setTimeout(() => {
  listed<string>('early-files').forEach(preload);
  if (isSignedIn) setTimeout(readNumberFormats);
});

/** A browser reads its words for numbers and dates at their first use: 50 ms on a slow phone, which has nothing else to do now. */
function readNumberFormats(): void {
  new Intl.NumberFormat('en-US').format(1);
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC' }).format(0);
}

function preload(file: string): void {
  const link = document.createElement('link');
  document.head.append(Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: `/${file}` }));
}

function listed<Listed>(name: string): Listed[] {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
  return JSON.parse(meta?.content ?? '[]') as Listed[];
}
