import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  type NotificationPreferences,
} from '#rules/notifications/preferences.ts';

/** The browser's own copy, under the name that the specification gives (section 3). The server's word counts. */
const KEY = 'notificationPreferences';

export function readCachedPreferences(): NotificationPreferences {
  const text = localStorage.getItem(KEY);
  if (text === null) return DEFAULT_NOTIFICATION_PREFERENCES;
  try {
    return withDefaults(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return DEFAULT_NOTIFICATION_PREFERENCES;
    throw error;
  }
}

/** False when the browser keeps nothing: storage may be full or forbidden. */
export function cachePreferences(preferences: NotificationPreferences): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/** Storage may contain anything: only known switches with a value of true or false are used. */
function withDefaults(found: unknown): NotificationPreferences {
  const { email, push } = DEFAULT_NOTIFICATION_PREFERENCES;
  const kept = (found ?? {}) as { email?: unknown; push?: unknown };
  return { email: overlay(email, kept.email), push: overlay(push, kept.push) };
}

function overlay<Switches extends Readonly<Record<string, boolean>>>(
  usual: Switches,
  found: unknown,
): Switches {
  const kept = (found ?? {}) as Record<string, unknown>;
  const entries = Object.keys(usual).map((name) => [
    name,
    typeof kept[name] === 'boolean' ? kept[name] : usual[name],
  ]);
  return Object.fromEntries(entries) as Switches;
}
