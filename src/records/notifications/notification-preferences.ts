import type { Selectable } from 'kysely';
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  type NotificationPreferences,
} from '#rules/notifications/preferences.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Database } from '../postgres/database.ts';
import type { Tables } from '../tables.ts';

/** The product's defaults for a user without own settings. */
export async function readPreferences(database: Database, userId: UserId): Promise<NotificationPreferences> {
  const row = await database
    .selectFrom('notification_preferences')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? preferencesOf(row) : DEFAULT_NOTIFICATION_PREFERENCES;
}

type PreferencesChange = {
  readonly [Channel in keyof NotificationPreferences]?: Partial<NotificationPreferences[Channel]>;
};

/** Concurrent changes, such as from two windows, both persist: each sets only the fields it names. */
export async function changePreferences(
  database: Database,
  { userId, change }: { readonly userId: UserId; readonly change: PreferencesChange },
): Promise<NotificationPreferences> {
  const { email, push } = change;
  const named = defined({
    email_trade_confirmations: email?.tradeConfirmations,
    email_strategy_updates: email?.strategyUpdates,
    email_performance_reports: email?.performanceReports,
    push_trade_alerts: push?.tradeAlerts,
    push_risk_warnings: push?.riskWarnings,
    push_market_updates: push?.marketUpdates,
  });
  const row = await database
    .insertInto('notification_preferences')
    .values({ user_id: userId, ...DEFAULT_ROW, ...named })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...named, updated_at: new Date() }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return preferencesOf(row);
}

type Row = Selectable<Tables['notification_preferences']>;
type Switches = Omit<Row, 'user_id' | 'updated_at'>;

function defined(switches: { [Name in keyof Switches]: boolean | undefined }): Partial<Switches> {
  return Object.fromEntries(Object.entries(switches).filter(([, value]) => value !== undefined));
}

const { email: EMAIL, push: PUSH } = DEFAULT_NOTIFICATION_PREFERENCES;
const DEFAULT_ROW: Switches = {
  email_trade_confirmations: EMAIL.tradeConfirmations,
  email_strategy_updates: EMAIL.strategyUpdates,
  email_performance_reports: EMAIL.performanceReports,
  push_trade_alerts: PUSH.tradeAlerts,
  push_risk_warnings: PUSH.riskWarnings,
  push_market_updates: PUSH.marketUpdates,
};

function preferencesOf(row: Row): NotificationPreferences {
  return {
    email: {
      tradeConfirmations: row.email_trade_confirmations,
      strategyUpdates: row.email_strategy_updates,
      performanceReports: row.email_performance_reports,
    },
    push: {
      tradeAlerts: row.push_trade_alerts,
      riskWarnings: row.push_risk_warnings,
      marketUpdates: row.push_market_updates,
    },
  };
}
