// Runs before the first paint, so that a saved light theme never flashes dark. Dark is the default.
try {
  if (localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light';
} catch {
  // Storage is refused in some private windows; the default theme stands.
  document.documentElement.dataset.theme = 'dark';
}
