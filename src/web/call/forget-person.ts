/** What belongs to the browser and to nobody in it. */
const OF_THE_BROWSER = /^(theme$|chartRange\.)/;

/** Leaves nothing that the person typed or chose in this window for whoever uses it next. A session that merely ends keeps it. */
export function forgetPerson(): void {
  sessionStorage.clear();
  for (const key of Object.keys(localStorage)) if (!OF_THE_BROWSER.test(key)) localStorage.removeItem(key);
}
