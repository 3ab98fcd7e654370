import type { ClientDeployment, ClientEvent } from '#contract/operations/clients.ts';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { hasSignedAgreement } from '#records/agreements/agreements.ts';
import { listConnections } from '#records/brokerage/broker-connections.ts';
import { listClientNotes } from '#records/operations/client-notes.ts';
import {
  auditLook,
  type ClientDeployment as DeploymentRow,
  type ClientEvent as EventRow,
  findClient,
  listClientDeployments,
  listClientEvents,
} from '#records/operations/clients.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { listStandingProposals } from '#records/operations/proposals.ts';
import { describeBrowser } from '#rules/identity/describe-browser.ts';
import { securityEventText } from '#rules/identity/security-event.ts';
import { noticeText } from '#rules/notifications/notice-text.ts';
import { clientEventText } from '#rules/operations/client-event.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { accountNumber } from '#units/account-of-vendor.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro, parseMicro } from '#units/money.ts';
import { showConnection } from '../../answers/show-connection.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { listCashDifferences } from '../cash/list-cash-differences.ts';
import { listWaiting } from './list-waiting.ts';

const SHOWN_MAX = 100;

/** The look is in the audit log before anything is shown. */
export const getClient: Call<typeof operationsEndpoints.getClient> = async (
  { params, request },
  dependencies,
) => {
  const support = staffOf(request);
  const { records, now } = dependencies;
  const { database } = records;
  const client = await transactAs(support, dependencies, async (trx) => {
    const found = await findClient(trx, params.id);
    if (found !== undefined) await auditLook(trx, { action: 'person.viewed', id: found.id });
    return found;
  });
  if (client === undefined) return notFound();
  const of = { userId: client.id, max: SHOWN_MAX };
  const [isSigned, connections, deployments, notes, events, trader, proposals] = await Promise.all([
    hasSignedAgreement(database, { userId: client.id, version: AGREEMENT_VERSION }),
    listConnections(database, client.id),
    listClientDeployments(database, of),
    listClientNotes(database, of),
    listClientEvents(database, of),
    findHeartbeat(database, 'trader'),
    listStandingProposals(database),
  ]);
  const whose = { client: client.email, max: SHOWN_MAX };
  const cash = await listCashDifferences(database, { support, proposals, ...whose });
  return {
    id: client.id,
    email: client.email,
    name: client.name,
    country: client.country,
    is_email_verified: client.isEmailVerified,
    is_disabled: client.isDisabled,
    has_second_factor: client.hasSecondFactor,
    is_agreement_signed: isSigned,
    risk_tolerance: client.riskTolerance,
    plan: client.plan,
    created_at: client.createdAt.toISOString(),
    connections: connections.map((one) => ({
      ...showConnection(one, now()),
      account: one.accountId === null ? null : accountNumber(one.accountId),
    })),
    deployments: deployments.map(showDeployment),
    cash_differences: cash,
    waiting: await listWaiting(database, { ...whose, cash }),
    notes: notes.map(({ id, note, by, at }) => ({ id, note, by, at: at.toISOString() })),
    timeline: events.map(showEvent),
    as_of: isoText(now()),
    market_at: trader?.marketAt ? isoText(trader.marketAt) : null,
  };
};

function showDeployment(row: DeploymentRow): ClientDeployment {
  const dollars = (micro: string) => fromMicro(parseMicro(micro));
  return {
    id: row.id,
    strategy_name: row.strategyName,
    mode: row.mode,
    status: row.status,
    account: row.accountId === null ? null : accountNumber(row.accountId),
    investment: dollars(row.investmentMicro),
    cash: dollars(row.cashMicro),
    equity: dollars(row.equityMicro),
    realized: dollars(row.realizedMicro),
    deployed_at: row.deployedAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
  };
}

function showEvent(event: EventRow): ClientEvent {
  const { kind } = event;
  const shown = { kind, at: event.at.toISOString(), market_at: null, device: null, address: null };
  if (kind === 'sign_in') {
    const { what, device, address } = event;
    return {
      ...shown,
      title: securityEventText(what),
      message: null,
      device: describeBrowser(device),
      address,
    };
  }
  if (kind === 'notice')
    return { ...shown, ...noticeText(event.facts), market_at: new Date(event.marketAt).toISOString() };
  return { ...shown, ...clientEventText(event) };
}
