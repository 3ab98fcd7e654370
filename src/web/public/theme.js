// Runs before the first paint, so that a saved light theme never flashes dark, and a person who is signed in does not
// see the page that was written for visitors. Dark is the default.
let isVisitor = true;
try {
  if (localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light';
  isVisitor = localStorage.getItem('token') === null;
  if (!isVisitor) document.documentElement.dataset.session = 'kept';
} catch {
  // Some private windows refuse storage; the default theme applies.
  document.documentElement.dataset.theme = 'dark';
}
// The strategy of a visitor's page is asked for at once, not only when the app has loaded (call/early-answer.ts).
const strategy = /^\/strategy\/([0-9a-f-]{36})\/?$/.exec(location.pathname)?.[1];
if (isVisitor && strategy) {
  const address = `/api/strategies/${strategy}/`;
  globalThis.earlyAnswer = { address, answer: fetch(address, { headers: { accept: 'application/json' } }) };
  // The consumer of the promise handles a failure.
  globalThis.earlyAnswer.answer.catch(() => {});
}
