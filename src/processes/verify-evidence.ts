// `npm run verify-evidence`: runs the published result of every strategy again from what the records hold and compares
// it part by part, and its grade with the trial ledger. Prints a table; exits with 1 when a part differs, with 2 when it could not look.
import { createHash } from 'node:crypto';
import { canonicalJson } from '#engine/evidence/canonical-json.ts';
import {
  BARS_FORMAT,
  type Passport,
  PASSPORT_FORMAT,
  type PassportSeries,
} from '#engine/evidence/passport.ts';
import {
  EVIDENCE_PARTS,
  type EvidencePart,
  type Verification,
  verifyPassport,
} from '#engine/evidence/verify-passport.ts';
import { verifyScores } from '#engine/evidence/verify-scores.ts';
import { firstDifference } from '#engine/evidence/first-difference.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { HistorySeries } from '#ports/market-history.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { StoredEvidence } from '#records/results/backtests.ts';
import type { Database } from '#records/postgres/database.ts';
import { listEvidenceSeries } from '#records/results/evidence-series.ts';
import {
  findBacktestScores,
  getVersionDefinition,
  listBacktestSeries,
  listBacktestTrades,
  listPublishedStrategies,
  type StrategyRecord,
} from '#records/strategies/strategies.ts';
import { listStudiedVersions } from '#records/results/variant-studies.ts';
import { gradeStored } from '#results/grade-result.ts';
import { withCommandDatabase } from './database/command-database.ts';
import { readEngineHash } from './wiring/engine-sources.ts';
import { readEnvironment } from './environment/environment.ts';
import { openHistory } from './wiring/open-history.ts';
import { openModels } from './wiring/open-models.ts';

const models = openModels();
const store = openHistory(readEnvironment().dataDir);
const history: HistorySeries = (key, files, range) => Promise.resolve(store.series(key, files, range));
/** Only the server issues a passport; these are the records behind it. */
const PARTS = EVIDENCE_PARTS.filter((part): part is Exclude<EvidencePart, 'passport'> => part !== 'passport');
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const failing = await withCommandDatabase(readEnvironment(), ({ database }) => verifyCatalogue(database));
  process.exit(failing > 0 ? 1 : 0);
} catch (error) {
  process.stderr.write(
    `verify-evidence could not run: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(2);
}

/** Returns how many strategies have a part that differs. */
async function verifyCatalogue(database: Database): Promise<number> {
  const engine = readEngineHash();
  const strategies = await listPublishedStrategies(database);
  if (strategies.length === 0)
    throw new Error('no strategy is published here; `npm start` makes the catalogue');
  say(`engine ${engine}`);
  say('');
  say(rowOf(['strategy', 'result', ...PARTS, 'ledger', 'through']));
  const studied = await listStudiedVersions(database);
  const isStudying = strategies.some(({ versionId }) => !studied.has(versionId));
  let failing = 0;
  for (const strategy of strategies) {
    const verification = await verifyStrategy(database, strategy, engine);
    const ledgerFault = await findLedgerFault(database, strategy, isStudying);
    if (!verification.verified || ledgerFault !== null) failing++;
    show(strategy, verification, ledgerFault);
  }
  say('');
  say(`${strategies.length - failing} verified, ${failing} not`);
  return failing;
}

async function verifyStrategy(
  database: Database,
  strategy: StrategyRecord,
  engine: string,
): Promise<Verification> {
  const scores = await findBacktestScores(database, strategy.backtestId);
  const series: PassportSeries[] = [];
  for await (const one of listEvidenceSeries(database, strategy.barsRead, { scores, history }))
    series.push(one);
  const shown = await listBacktestSeries(database, [strategy.backtestId]);
  const passport: Passport = {
    format: PASSPORT_FORMAT,
    hashes: strategy.hashes,
    engine_version: strategy.engineVersion,
    definition: (await getVersionDefinition(database, strategy.versionId)) as StrategyDefinition,
    costs: strategy.costs,
    figures: strategy.figures,
    samples: strategy.samples,
    shown: {
      series: hashOf(shown.get(strategy.backtestId)),
      trades: hashOf(await listBacktestTrades(database, strategy.backtestId)),
    },
  };
  const bars = { format: BARS_FORMAT, series } as const;
  return verifyScores(verifyPassport(passport, bars, engine), { passport, bars }, async (batch) => {
    const answer = await models.score(batch.window, batch);
    if (answer.ok) return answer.scores;
    throw new Error(answer.message);
  });
}

/** Why the shown grade does not follow from the trial ledger; null when it does, or is about to be renewed. */
async function findLedgerFault(
  database: Database,
  strategy: StrategyRecord,
  isStudying: boolean,
): Promise<string | null> {
  // While neighbours are being tested the ledger of the provider grows; the grades follow when all are done.
  if (isStudying) return null;
  const parsed = parseDefinition(await getVersionDefinition(database, strategy.versionId));
  if (!parsed.ok) return 'The rules cannot be read, so nothing can be graded.';
  const version = { strategyId: strategy.id, versionId: strategy.versionId, definition: parsed.definition };
  const graded = await gradeStored(database, version, strategy.backtestId);
  const found = firstDifference(judgementOf(strategy.evidence), judgementOf(graded));
  return found && `${found.place} is shown as ${found.left}, and the trial ledger gives ${found.right}.`;
}

/** What people read. The record is stored in dollars, so that what is computed from it is equal to many digits only. */
function judgementOf({ grade, trials, family, deflatedSharpe }: StoredEvidence) {
  return {
    grade,
    trials,
    family,
    deflatedSharpe: deflatedSharpe === null ? null : Math.round(deflatedSharpe * 1e6) / 1e6,
  };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function show(strategy: StrategyRecord, { parts }: Verification, ledgerFault: string | null): void {
  const cells = PARTS.map((part) => {
    const verdict = parts.find((one) => one.part === part);
    // Most strategies have no model to run.
    return verdict === undefined ? '–' : verdict.agrees ? 'ok' : 'DIFFERS';
  });
  say(
    rowOf([
      strategy.name,
      strategy.hashes.result.slice(0, 12),
      ...cells,
      ledgerFault === null ? 'ok' : 'DIFFERS',
      strategy.lastDate,
    ]),
  );
  for (const { part, reason } of parts) if (reason !== null) say(`    ${part}: ${reason}`);
  if (ledgerFault !== null) say(`    ledger: ${ledgerFault}`);
}

function rowOf([name, hash, ...cells]: readonly string[]): string {
  const widths = [8, 11, 8, 8, 8, 8, 8];
  return [name!.padEnd(26), hash!.padEnd(13), ...cells.map((cell, i) => cell.padEnd(widths[i] ?? 0))].join(
    ' ',
  );
}
