import type { notificationsEndpoints } from '../../../src/contract/notifications.ts';
import type { TestApp } from '../../support/test-app.ts';
import { signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';
import { notify } from '../scene.ts';

const signedIn = async (app: TestApp) => ({ token: (await signedInPerson(app)).token });

async function notified(app: TestApp) {
  const person = await signedInPerson(app);
  return { token: person.token, params: { id: await notify(app, person.id) } };
}

export const notificationsCases: CasesOf<typeof notificationsEndpoints> = {
  listNotifications: { success: async (app) => ({ token: (await notified(app)).token }) },
  getNotification: { success: notified },
  markNotificationRead: { success: notified },
  markAllNotificationsRead: { success: async (app) => ({ token: (await notified(app)).token }) },
  getNotificationPreferences: { success: signedIn },
  changeNotificationPreferences: {
    success: async (app) => ({ ...(await signedIn(app)), body: { email: { performanceReports: true } } }),
  },
  getNotificationChoices: { success: signedIn },
  changeNotificationChoices: {
    success: async (app) => ({
      ...(await signedIn(app)),
      body: { choices: [{ news: 'fees', channel: 'telegram', is_on: false }] },
    }),
    out_of_range: async (app) => ({
      ...(await signedIn(app)),
      body: { choices: [{ news: 'security', channel: 'mail', is_on: false }] },
    }),
  },
  openStream: { success: signedIn },
};
