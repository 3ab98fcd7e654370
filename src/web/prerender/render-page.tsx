import { QueryClient } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import type { Installation } from '#rules/installation.ts';
import { InstallationContext } from '../call/installation.ts';
import { App } from '../shell/app.tsx';
import { loadScreen } from '../shell/load-screen.ts';

export { earlyReads } from './early-reads.ts';
export { PUBLIC_PAGES } from './public-pages.ts';
export { INSTALLATIONS } from '#rules/installation.ts';
export { SCREENS } from '../shell/screens.ts';

/** A public page as a visitor first sees it, before anything has been loaded from the service. */
export async function renderPage(
  path: string,
  installation: Installation = 'demonstration',
): Promise<string> {
  await loadScreen(path);
  return renderToString(
    <InstallationContext value={installation}>
      <App
        cache={new QueryClient()}
        router={(pages) => <StaticRouter location={path}>{pages}</StaticRouter>}
      />
    </InstallationContext>,
  );
}
