import { createHash } from 'node:crypto';

export type ClosingPage = {
  readonly outcome: 'connected' | 'granted' | 'failed' | 'invalid';
  /** Only our own text. */
  readonly message: string;
};

const TITLES = {
  connected: 'Connected',
  granted: 'Access granted',
  failed: 'Not connected',
  invalid: 'Not connected',
} as const;
const SCRIPT = 'setTimeout(() => window.close(), 1500);';
const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}';

/** The last page of the sign-in window. It closes itself after success; a failure stays on screen. */
export function closingPage({ outcome, message }: ClosingPage): string {
  const script = outcome === 'connected' || outcome === 'granted' ? `<script>${SCRIPT}</script>` : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${TITLES[outcome]}</title><style>${STYLE}</style></head><body><main><h1>${TITLES[outcome]}</h1><p>${message}</p></main>${script}</body></html>`;
}

/** Allows this page's own script and style by their hashes, and nothing else. */
export const CLOSING_PAGE_POLICY = `default-src 'none'; script-src '${hashOf(SCRIPT)}'; style-src '${hashOf(STYLE)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
