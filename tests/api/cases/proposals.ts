import { randomUUID } from 'node:crypto';
import type { catalogueEndpoints } from '#contract/operations/catalogue.ts';
import type { incidentSubjectEndpoints } from '#contract/operations/incident-subjects.ts';
import type { proposalEndpoints } from '#contract/operations/proposals.ts';
import { DAY_MS } from '#units/instant.ts';
import type { TestApp } from '../../support/test-app.ts';
import { DRAFTS_MAX } from '#rules/strategies/draft-limits.ts';
import type { CasesOf } from '../call-case.ts';
import { setStatus } from '../../support/deployment-commands.ts';
import { signedInPerson } from '../../support/test-person.ts';
import { claimFile } from '../../support/claim-file.ts';
import { attackedDraft } from '../../support/checked-draft.ts';
import { publishedStrategy } from '../../support/test-strategy.ts';
import { liquidationRequest, staffMember, supportPerson, tradingDeployment } from '../scene.ts';

/** A row that cannot be read, at the connection of a deployment that trades. */
async function unreadRow(app: TestApp, refusal: string | null = null) {
  const { sent } = await tradingDeployment(app);
  const { rows } = await app.records.pool.query<{ account: string }>(
    `insert into unread_rows (connection_id, account_id, list, key, reason, effect, ignore_refusal, symbols, raw, content_hash,
       first_seen_at, last_seen_at)
     select c.id, c.account_id, 'orders', 'row 3', 'side', 'unsure', $2, '{SPY}', '{"side":"?"}', 'h1', now(), now()
     from deployments d join broker_connections c on c.id = d.broker_connection_id where d.id = $1
     returning account_id as account`,
    [sent.params.id, refusal],
  );
  return { account: rows[0]!.account, subject: 'orders row 3', seen: 'h1', reason: 'it is the client’s own' };
}

/** A position of a deployment whose stop was refused. */
async function unprotected(app: TestApp) {
  const { sent } = await tradingDeployment(app);
  const { rows } = await app.records.pool.query<{ account: string; subject: string; seen: string }>(
    `with refused as (
       insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
         quantity, limit_price, reference_price, status, reason_code, reason_params, reason_since, decided_at, sent_at, ended_at, visibility)
       select gen_random_uuid(), d.id, d.broker_connection_id, 'stop-' || left(d.id::text, 8), 'protective-stop:10', 'protective', 1,
         p.symbol, 'sell', p.quantity, 400, 425, 'rejected', 'rejected', '{"said": "no stops here"}', now(), now() + interval '1 day', now(),
         now() + interval '1 day', 'never_shown'
       from deployments d join positions p on p.deployment_id = d.id where d.id = $1 limit 1
       returning deployment_id, symbol, reason_code, reason_params)
     select c.account_id as account, r.deployment_id || ' ' || r.symbol as subject,
       concat_ws(' ', trim_scale(p.quantity), r.reason_code, r.reason_params::text) as seen
     from refused r join positions p on p.deployment_id = r.deployment_id and p.symbol = r.symbol
     join deployments d on d.id = r.deployment_id join broker_connections c on c.id = d.broker_connection_id`,
    [sent.params.id],
  );
  return { ...rows[0]!, reason: 'the broker has mended it' };
}

const proposing = async (app: TestApp, refusal: string | null = null) => ({
  token: (await supportPerson(app)).token,
  body: { action: 'ignore_row', ...(await unreadRow(app, refusal)) },
});

type Sent = { token: string; body: object; headers?: Record<string, string> };
const URL = '/api/operations/proposals/';
const propose = (app: TestApp, sent: Sent) => app.request({ method: 'POST', url: URL, ...sent });
const decide = (app: TestApp, id: string, sent: Sent) =>
  app.request({ method: 'POST', url: `${URL}${id}/decide/`, ...sent });

/** Of somebody of the provider's staff, tested and attacked. */
async function providerDraft(app: TestApp) {
  const person = await staffMember(app);
  const id = await publishedStrategy(app, { status: 'draft' });
  await app.records.pool.query('update strategies set owner_id = $1 where id = $2', [person.id, id]);
  await attackedDraft(app, id, 'withstood');
  return { token: person.token, id };
}

const until = (app: TestApp, days: number) =>
  new Date(Number(app.world.now) + days * DAY_MS).toISOString().slice(0, 10);

async function acknowledging(app: TestApp, days: number) {
  const { token } = await supportPerson(app);
  const body = { action: 'acknowledge', ...(await unprotected(app)), until: until(app, days) };
  return { token, body };
}

async function proposed(app: TestApp) {
  const sent = await proposing(app);
  const { body } = await propose(app, sent);
  const { token } = await supportPerson(app);
  return { proposer: sent.token, token, params: { id: body.id as string }, account: sent.body.account };
}

const APPROVE = { decision: 'approve' };
const DECLINE = { decision: 'decline', reason: 'the broker is still looking' };

const CAPACITY = {
  kind: 'estimated',
  amount: 1_200_000,
  low: 530_000,
  high: 4_800_000,
  bound: 'impact',
  tradedPerYear: 6.5,
  orders: 240,
} as const;

const importing = async (app: TestApp, id: string) => ({
  token: (await staffMember(app)).token,
  params: { id },
  body: { source: 'Statements of a brokerage account', file: claimFile() },
});

export const catalogueCases: CasesOf<typeof catalogueEndpoints> = {
  listCatalogue: {
    success: async (app) => {
      const { token, id } = await providerDraft(app);
      await propose(app, { token, body: { action: 'publish', subject: id, reason: 'it is ready' } });
      return { token };
    },
    not_found: async (app) => ({ token: (await supportPerson(app)).token }),
  },
  getCatalogueStrategy: {
    success: async (app) => {
      const { token } = await staffMember(app);
      return { token, params: { id: await publishedStrategy(app) } };
    },
  },
  setCapacityLimit: {
    success: async (app) => {
      const { token } = await staffMember(app);
      return {
        token,
        params: { id: await publishedStrategy(app, { capacity: CAPACITY }) },
        body: { limit: 250_000 },
      };
    },
    out_of_range: async (app) => {
      const { token } = await staffMember(app);
      return {
        token,
        params: { id: await publishedStrategy(app, { capacity: CAPACITY }) },
        body: { limit: 2_000_000 },
      };
    },
    illegal_move: async (app) => {
      const { token } = await staffMember(app);
      return {
        token,
        params: { id: await publishedStrategy(app, { status: 'retired' }) },
        body: { limit: 250_000 },
      };
    },
  },
  importClaim: {
    success: async (app) => importing(app, await publishedStrategy(app)),
    illegal_move: async (app) => importing(app, await publishedStrategy(app, { status: 'retired' })),
  },
  withdrawClaim: {
    success: async (app) => {
      const { token, params, body } = await importing(app, await publishedStrategy(app));
      await app.request({
        method: 'POST',
        url: `/api/operations/catalogue/${params.id}/claim/`,
        token,
        body,
      });
      return { token, params };
    },
    already_decided: async (app) => {
      const { token } = await staffMember(app);
      return { token, params: { id: await publishedStrategy(app) } };
    },
  },
  writeNextVersion: {
    success: async (app) => {
      const { token } = await staffMember(app);
      return { token, params: { id: await publishedStrategy(app) } };
    },
    illegal_move: async (app) => {
      const { token } = await staffMember(app);
      return { token, params: { id: await publishedStrategy(app, { status: 'retired' }) } };
    },
    draft_limit: async (app) => {
      const { id, token } = await staffMember(app);
      await app.records.pool.query(
        `insert into strategies (id, slug, owner_id, name, short_description, description, kind, strategy_type, market,
           risk_level, risk_score, min_investment_micro, status)
         select id, id::text, $1, 'Mine', '', '', 'equity', 'momentum', 'us', 'low', 1, 1, 'draft'
         from (select gen_random_uuid() as id from generate_series(1, $2::int)) made`,
        [id, DRAFTS_MAX],
      );
      return { token, params: { id: await publishedStrategy(app) } };
    },
  },
};

export const proposalCases: CasesOf<typeof proposalEndpoints> = {
  listProposals: {
    success: async (app) => ({ token: (await proposed(app)).token }),
    not_found: async (app) => ({ token: (await signedInPerson(app)).token }),
  },
  propose: {
    success: (app) => proposing(app),
    not_found: async (app) => {
      const { token, body } = await proposing(app);
      return { token, body: { ...body, subject: 'orders row 4' } };
    },
    already_decided: async (app) => {
      const { token, body } = await proposing(app);
      return { token, body: { ...body, seen: 'another' } };
    },
    already_exists: async (app) => {
      const sent = await proposing(app);
      await propose(app, sent);
      return sent;
    },
    in_use: (app) => proposing(app, 'own_order'),
    out_of_range: (app) => acknowledging(app, 40),
    illegal_move: async (app) => {
      const { token, params, deploymentId } = await liquidationRequest(app);
      await setStatus(app.records.pool, deploymentId, 'stopped');
      return { token, body: { action: 'liquidate', subject: params.id, reason: 'the client asked twice' } };
    },
    idempotency_conflict: async (app) => {
      const sent = await proposing(app);
      const headers = { 'idempotency-key': randomUUID() };
      await propose(app, { ...sent, headers, body: { ...sent.body, reason: 'another one' } });
      return { ...sent, headers };
    },
  },
  decideProposal: {
    success: async (app) => {
      const { token, params } = await proposed(app);
      return { token, params, body: APPROVE };
    },
    forbidden: async (app) => {
      const { proposer, params } = await proposed(app);
      return { token: proposer, params, body: APPROVE };
    },
    already_decided: async (app) => {
      const { token, params, account } = await proposed(app);
      await app.records.pool.query(`update unread_rows set content_hash = 'h2' where account_id = $1`, [
        account,
      ]);
      return { token, params, body: APPROVE };
    },
    in_use: async (app) => {
      const { token, params, account } = await proposed(app);
      await app.records.pool.query(
        `update unread_rows set ignore_refusal = 'open_order' where account_id = $1`,
        [account],
      );
      return { token, params, body: APPROVE };
    },
    out_of_range: async (app) => {
      const sent = await acknowledging(app, 2);
      const { body, text } = await propose(app, sent);
      if (body.id === undefined) throw new Error(text);
      // Two people agree on a date that has passed by then.
      await app.records.owner.query('alter table proposals disable trigger proposals_guarded');
      await app.records.pool.query('update proposals set until = to_timestamp(0) where id = $1', [body.id]);
      await app.records.owner.query('alter table proposals enable trigger proposals_guarded');
      return { token: (await supportPerson(app)).token, params: { id: body.id as string }, body: APPROVE };
    },
    illegal_move: async (app) => {
      const { token, params, deploymentId } = await liquidationRequest(app);
      const asked = { action: 'liquidate', subject: params.id, reason: 'the client asked twice' };
      const { body } = await propose(app, { token, body: asked });
      await setStatus(app.records.pool, deploymentId, 'stopped');
      return { token: (await supportPerson(app)).token, params: { id: body.id as string }, body: APPROVE };
    },
    idempotency_conflict: async (app) => {
      const { token, params } = await proposed(app);
      const headers = { 'idempotency-key': randomUUID() };
      await decide(app, params.id, { token, body: DECLINE, headers });
      return { token, params, body: APPROVE, headers };
    },
  },
};

export const incidentSubjectCases: CasesOf<typeof incidentSubjectEndpoints> = {
  retryStop: {
    success: async (app) => ({ token: (await supportPerson(app)).token, body: await unprotected(app) }),
    not_found: async (app) => {
      const body = await unprotected(app);
      return { token: (await supportPerson(app)).token, body: { ...body, subject: 'nothing SPY' } };
    },
    already_decided: async (app) => {
      const body = await unprotected(app);
      return { token: (await supportPerson(app)).token, body: { ...body, seen: 'another' } };
    },
    in_use: async (app) => {
      const body = await unprotected(app);
      // It was never refused, only not sent.
      await app.records.pool.query(
        `update orders set status = 'intended', reason_code = 'not_sent', reason_params = '{"failure": "unreachable", "said": ""}',
           send_tries = 3, send_tried_at = now(), ended_at = null, sent_at = null
         where purpose = 'protective' and deployment_id::text = split_part($1, ' ', 1)`,
        [body.subject],
      );
      const { rows } = await app.records.pool.query<{ seen: string }>(
        `select concat_ws(' ', trim_scale(p.quantity), o.reason_code, o.reason_params::text) as seen
         from orders o join positions p on p.deployment_id = o.deployment_id and p.symbol = o.symbol
         where o.purpose = 'protective' and o.deployment_id::text = split_part($1, ' ', 1)`,
        [body.subject],
      );
      return { token: (await supportPerson(app)).token, body: { ...body, seen: rows[0]!.seen } };
    },
  },
};
