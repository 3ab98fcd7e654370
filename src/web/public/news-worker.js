// Shows pushes and opens what they are about. Nothing else: no page is kept, and no request is answered here.
self.addEventListener('push', (event) => {
  const { id, title, message, path } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, {
      body: message,
      // The same push twice is shown once.
      tag: id,
      icon: '/icon-192.png',
      data: { path },
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data.path, self.location.origin)));
});

async function open(address) {
  if (address.origin !== self.location.origin) return;
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (page === undefined) {
    await self.clients.openWindow(address.href);
    return;
  }
  await page.focus();
  await page.navigate(address.href);
}
