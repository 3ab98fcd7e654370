// Who may use each call: one policy per noun. The server asks here before it reads a request; `tests/api/every-caller.test.ts`
// asks every call as every caller.
import type { StaffRole } from '#rules/identity/staff-role.ts';
import type { ROUTES } from './route.ts';

/**
 * - anyone: a visitor too, and everyone gets the same answer.
 * - holder: who has the secret that the call names: a token, a password, the state of a sign-in.
 * - reader: anyone what is published, if the provider shows them its figures; a draft, those who may edit it.
 * - person: everyone who is signed in, about themselves.
 * - owner: the person to whom the thing in the address belongs.
 * - author: the person who owns the draft in the address; staff of the provider for the catalogue.
 * - support, provider, admin: staff with this role.
 * - auditor: auditors and admins.
 * - staff: support and staff of the provider, each for what its role decides.
 *
 * To all others a thing is absent: the call answers 404, and 401 without a sign-in.
 */
export type Who = 'anyone' | 'holder' | 'reader' | 'person' | 'owner' | 'author' | keyof typeof ROLES;

/** The roles that each may have. */
const ROLES = {
  support: ['support'],
  provider: ['provider'],
  admin: ['admin'],
  staff: ['support', 'provider'],
  auditor: ['auditor', 'admin'],
} as const satisfies Readonly<Record<string, readonly StaffRole[]>>;

type Name = keyof typeof ROUTES;

export const POLICIES = {
  account: {
    register: 'anyone',
    requestPasswordReset: 'anyone',
    confirmPasswordReset: 'holder',
    verifyEmail: 'holder',
    sendVerification: 'person',
    getMe: 'person',
    changeMe: 'person',
    changePassword: 'person',
    listSecurityEvents: 'person',
  },
  session: {
    login: 'holder',
    refreshToken: 'holder',
    logout: 'person',
    listSessions: 'person',
    endSession: 'owner',
    endOtherSessions: 'person',
    confirmIdentity: 'person',
  },
  'second factor': {
    getSecondFactor: 'person',
    setUpSecondFactor: 'person',
    enableSecondFactor: 'person',
    disableSecondFactor: 'person',
    renewBackupCodes: 'person',
  },
  passkey: {
    listPasskeys: 'person',
    preparePasskey: 'person',
    addPasskey: 'person',
    challengePasskey: 'person',
    changePasskey: 'owner',
    removePasskey: 'owner',
  },
  'risk profile': {
    getRiskProfile: 'person',
    createRiskProfile: 'person',
    changeRiskProfile: 'owner',
    removeRiskProfile: 'owner',
  },
  strategy: {
    listStrategies: 'reader',
    filterStrategies: 'reader',
    getStrategyThumbnail: 'anyone',
    getStrategy: 'reader',
    getStrategyPerformance: 'reader',
    listStrategyTrades: 'reader',
    getStrategyEvidence: 'reader',
    getStrategyEvidenceData: 'reader',
    getStrategyEvidenceBars: 'reader',
    downloadStrategyTrades: 'reader',
  },
  draft: {
    listStrategyDrafts: 'person',
    createStrategy: 'person',
    changeStrategy: 'author',
    removeStrategy: 'author',
    listBuilderInstruments: 'person',
    buildStrategy: 'person',
    tuneStrategy: 'author',
  },
  'watch list': {
    listWatchedStrategies: 'person',
    watchStrategy: 'person',
    unwatchStrategy: 'person',
  },
  backtest: {
    createBacktest: 'author',
    listBacktests: 'author',
    getBacktest: 'author',
    cancelBacktest: 'author',
  },
  agreement: {
    getAgreementUrl: 'person',
    getAgreementStatus: 'person',
    listAgreements: 'person',
    downloadAgreement: 'owner',
  },
  broker: { listBrokers: 'anyone', getBroker: 'anyone' },
  connection: {
    listBrokerConnections: 'person',
    createBrokerConnection: 'person',
    getMyBrokerConnection: 'person',
    completeBrokerConnection: 'holder',
    getIbkrStatus: 'person',
    getBrokerConnection: 'owner',
    changeBrokerConnection: 'owner',
    removeBrokerConnection: 'owner',
    setPrimaryBrokerConnection: 'owner',
    listCashStatements: 'owner',
    chooseBrokerAccount: 'owner',
    testBrokerConnection: 'owner',
  },
  deployment: {
    listDeployments: 'person',
    createDeployment: 'person',
    deployStrategy: 'person',
    createPracticeDeployment: 'person',
    promoteDeployment: 'owner',
    compareShadow: 'owner',
    getReturnBridge: 'owner',
    getDeployment: 'owner',
    changeDeployment: 'owner',
    removeDeployment: 'owner',
    pauseDeployment: 'owner',
    resumeDeployment: 'owner',
    stopDeployment: 'owner',
    liquidateDeployment: 'owner',
    withdrawLiquidation: 'owner',
    listFlows: 'owner',
    requestFlow: 'owner',
    cancelFlow: 'owner',
    changeDeploymentSettings: 'owner',
    getDeploymentPerformance: 'owner',
    getExpectedRange: 'owner',
    downloadExpectedRange: 'owner',
    acknowledgeTripwire: 'owner',
    listDeploymentPositions: 'owner',
    listDeploymentTrades: 'owner',
    downloadDeploymentTrades: 'owner',
    listClosedTrades: 'owner',
    downloadClosedTrades: 'owner',
    listDeploymentCash: 'owner',
    downloadDeploymentCash: 'owner',
    listDeploymentDecisions: 'owner',
    getDeploymentDecision: 'owner',
    getDecisionInputs: 'owner',
    getDecisionBars: 'owner',
    getNextDecision: 'owner',
  },
  portfolio: { getPortfolio: 'person' },
  statement: {
    getStatement: 'person',
    downloadStatement: 'person',
    downloadStatementFigures: 'person',
    downloadStatementLots: 'person',
    downloadStatementTrades: 'person',
  },
  'own halt': { getTradingHalt: 'person', haltTrading: 'person', liftTradingHalt: 'person' },
  notification: {
    listNotifications: 'person',
    markAllNotificationsRead: 'person',
    getNotificationPreferences: 'person',
    changeNotificationPreferences: 'person',
    openStream: 'person',
    getNotification: 'owner',
    markNotificationRead: 'owner',
  },
  plan: {
    listPlans: 'anyone',
    getBilling: 'person',
    quotePlan: 'person',
    choosePlan: 'person',
    openPaymentPage: 'person',
    cancelPlan: 'person',
    keepPlan: 'person',
    listPayments: 'person',
    getPayment: 'owner',
  },
  'fee bill': {
    listFeeBills: 'person',
    downloadFeeBills: 'person',
    getFeeBill: 'owner',
    downloadFeeBill: 'owner',
    downloadFeeStatement: 'owner',
    payFeeBill: 'owner',
    getFeeAccrual: 'owner',
    getFinalStatement: 'owner',
    downloadFinalStatement: 'owner',
  },
  'fee payment': { getFeePayment: 'person', changeFeePayment: 'person' },
  download: { createDownloadLink: 'person' },
  leaving: {
    getLeaving: 'person',
    closeAccount: 'person',
    downloadExport: 'person',
  },
  advice: { listAdvice: 'person' },
  eligibility: {
    getEligibility: 'person',
    attestQualifiedClient: 'person',
    withdrawAttestation: 'person',
  },
  service: {
    getHealth: 'anyone',
    getReadiness: 'anyone',
    getMetrics: 'anyone',
    getDocs: 'anyone',
    getRunbook: 'anyone',
  },
  desk: { getOperationsDesk: 'support' },
  catalogue: { listCatalogue: 'provider', getCatalogueStrategy: 'provider', writeNextVersion: 'provider' },
  client: {
    findClients: 'support',
    getClient: 'support',
    noteClient: 'support',
    endClientSessions: 'support',
  },
  'client payment': { listClientPayments: 'support' },
  'kill switch': { setKillSwitch: 'support' },
  'liquidation request': { declineLiquidation: 'support' },
  'dead letter': { decideDeadLetter: 'support' },
  adjustment: { getAdjustmentChoices: 'support', proposeAdjustment: 'support', decideAdjustment: 'support' },
  proposal: { listProposals: 'staff', propose: 'staff', decideProposal: 'staff' },
  'audit log': { listAuditLog: 'auditor' },
  incident: { noteIncident: 'support', lookAgain: 'support', retryStop: 'support' },
  'staff account': {
    listStaff: 'admin',
    takeStaffRole: 'admin',
    disableAccount: 'admin',
    enableAccount: 'admin',
  },
  invitation: { inviteStaff: 'admin', withdrawInvitation: 'admin', acceptInvitation: 'holder' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Name, Who>>>>>;

/** The same by call. The compiler refuses a call that no policy names, and one that two name is caught by its test. */
export const POLICY_OF: Readonly<Record<Name, Who>> = {
  ...POLICIES.account,
  ...POLICIES.session,
  ...POLICIES['second factor'],
  ...POLICIES.passkey,
  ...POLICIES['risk profile'],
  ...POLICIES.strategy,
  ...POLICIES['watch list'],
  ...POLICIES.draft,
  ...POLICIES.backtest,
  ...POLICIES.agreement,
  ...POLICIES.broker,
  ...POLICIES.connection,
  ...POLICIES.deployment,
  ...POLICIES.portfolio,
  ...POLICIES.statement,
  ...POLICIES['own halt'],
  ...POLICIES.notification,
  ...POLICIES.plan,
  ...POLICIES['fee bill'],
  ...POLICIES['fee payment'],
  ...POLICIES.download,
  ...POLICIES.leaving,
  ...POLICIES.advice,
  ...POLICIES.eligibility,
  ...POLICIES.service,
  ...POLICIES.desk,
  ...POLICIES.catalogue,
  ...POLICIES.client,
  ...POLICIES['client payment'],
  ...POLICIES['kill switch'],
  ...POLICIES['liquidation request'],
  ...POLICIES['dead letter'],
  ...POLICIES.adjustment,
  ...POLICIES.proposal,
  ...POLICIES['staff account'],
  ...POLICIES.invitation,
  ...POLICIES.incident,
  ...POLICIES['audit log'],
};

/** Null where a call needs no role. */
export function rolesFor(who: Who): readonly StaffRole[] | null {
  return who in ROLES ? ROLES[who as keyof typeof ROLES] : null;
}
