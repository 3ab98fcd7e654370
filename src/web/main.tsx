import './styles.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router';
import { keepEarlyAnswers } from './call/early-answer.ts';
import { queryClient } from './call/query-client.ts';
import { readAccessToken } from './call/tokens.ts';
import { App } from './shell/app.tsx';
import { BrowserRouter } from './shell/browser-router.tsx';
import { loadPersonalTools } from './shell/load-personal-tools.ts';
import { loadScreen } from './shell/load-screen.ts';
import { trustOwnScripts } from './shell/trust-own-scripts.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
trustOwnScripts();
void start(root);

/** Public pages are prerendered for visitors; a signed-in user sees only their own page. */
async function start(place: HTMLElement): Promise<void> {
  const history = createBrowserHistory({ v5Compat: true });
  // The figures of the page do not wait for them; what could not be loaded is missed by the header itself.
  if (readAccessToken() !== null) void loadPersonalTools().catch(() => {});
  const screen = loadScreen(history.location.pathname);
  // A page written for visitors is taken over as it was written.
  await (readAccessToken() === null ? screen : keepEarlyAnswers(queryClient, screen));
  const app = (
    <App cache={queryClient} router={(pages) => <BrowserRouter history={history}>{pages}</BrowserRouter>} />
  );
  if (place.hasChildNodes() && readAccessToken() === null) hydrateRoot(place, app);
  else createRoot(place).render(app);
  delete document.documentElement.dataset['session'];
}
