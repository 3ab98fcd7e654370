// Runs before the first paint, so that a saved light theme never flashes dark, and a person who is signed in does not
// see the page that was written for visitors. Dark is the default.
try {
  if (localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light';
  if (localStorage.getItem('token') !== null) document.documentElement.dataset.session = 'kept';
} catch {
  // Storage is refused in some private windows; the default theme stands.
  document.documentElement.dataset.theme = 'dark';
}
