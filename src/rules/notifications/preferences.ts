// What a person wants to be told, and where (specification, sections 3 and 9). The list in the product always shows
// everything; these decide what is mailed and what is toasted.

export type NotificationPreferences = {
  readonly email: {
    readonly tradeConfirmations: boolean;
    readonly strategyUpdates: boolean;
    readonly performanceReports: boolean;
  };
  readonly push: {
    readonly tradeAlerts: boolean;
    readonly riskWarnings: boolean;
    readonly marketUpdates: boolean;
  };
};

export const DEFAULT_NOTIFICATION_PREFERENCES: NotificationPreferences = {
  email: { tradeConfirmations: true, strategyUpdates: true, performanceReports: false },
  push: { tradeAlerts: true, riskWarnings: true, marketUpdates: false },
};
