/** What belongs to the browser and to nobody in it. */
const OF_THE_BROWSER = /^(theme$|chartRange\.)/;
const CHANNEL = 'sign-out';

/** Leaves nothing that the person typed or chose, in any window, for whoever uses it next. A session that merely ends keeps it. */
export function forgetPerson(): void {
  forgetHere();
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('forget');
  channel.close();
}

/** What is typed is kept for each window: a sign-out in another one is heard here. Returns the function that stops it. */
export function forgetWithOtherWindows(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', forgetHere);
  return () => channel.close();
}

function forgetHere(): void {
  sessionStorage.clear();
  for (const key of Object.keys(localStorage)) if (!OF_THE_BROWSER.test(key)) localStorage.removeItem(key);
}
