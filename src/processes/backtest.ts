// `npm run backtest -- --definition F.json --bars FOLDER --out R.json`: the engine on files only, without server or
// database. FOLDER holds SYMBOL.csv (or .csv.gz) for every symbol that the definition reads. With --history the bars are
// those of `npm run history`. With --execution E.json one instrument is traded as E says: sized at the fill, stops and
// targets inside the bar, spread and fixed sizes. A definition with an interval is given minutes. Where a model decides, --answers A.json is what
// it answered: nothing is asked.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { parseBars } from '#adapters/market-data/csv/parse-bars.ts';
import { backtest } from '#engine/backtest/backtest.ts';
import type { BacktestInput, BacktestSettings } from '#engine/backtest/settings.ts';
import { barSeries } from '#engine/market/bar-series.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { SeriesBySymbol } from '#engine/strategy/feature-column.ts';
import type { DefinitionError } from '#engine/strategy/parsing/reader.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { deciderOf } from '#engine/decider/decider-rule.ts';
import { scoreBars } from '#engine/model/score-bars.ts';
import { publishResult, symbolsOfResult } from '#results/publish-result.ts';
import { columnsOfAnswers, type RecordedColumns } from '#results/recorded-columns.ts';
import type { StrategyVersionId, Symbol } from '#units/identifiers.ts';
import type { ImportableKind } from './bar-import/bar-arguments.ts';
import { importedInstrument } from './bar-import/imported-instrument.ts';
import { describeBacktest } from './backtest/describe-backtest.ts';
import { readEngineHash } from './wiring/engine-sources.ts';
import {
  asRead,
  readHistorySeries,
  type ReadSeries,
  storedInterval,
} from './backtest/read-history-series.ts';
import { parseExecution } from './backtest/execution-settings.ts';
import { parseRecordedAnswers } from './backtest/recorded-answers-file.ts';
import { openModels } from './wiring/open-models.ts';

const USAGE =
  'npm run backtest -- --definition F.json --bars FOLDER|--history --out R.json [--kind equity|forex|crypto] [--execution E.json] [--answers A.json]  (kind of every symbol; equity by default)';

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      definition: { type: 'string' },
      bars: { type: 'string' },
      history: { type: 'boolean', default: false },
      out: { type: 'string' },
      kind: { type: 'string', default: 'equity' },
      execution: { type: 'string' },
      answers: { type: 'string' },
    },
  });
  const { definition: file, bars: folder, out, kind } = values;
  if (file === undefined || out === undefined || (folder === undefined) !== values.history)
    throw new Error(USAGE);
  if (kind !== 'equity' && kind !== 'forex' && kind !== 'crypto')
    throw new Error(`--kind is equity, forex or crypto, not "${kind}"`);
  const definition = readDefinition(file);
  const symbols = symbolsOfResult(definition, new Map());
  const read =
    folder === undefined
      ? await readHistorySeries(symbols, definition)
      : symbols.map((symbol) => readSeries(folder, symbol, { kind, definition }));
  const series = new Map(read.map((one) => [one.series.symbol, one.series]));
  const instruments = new Map(read.map(({ instrument }) => [instrument.symbol, instrument]));
  const { scores, answers } = await columnsOf(definition, series, values.answers);
  if (values.execution !== undefined) {
    runFromFiles({ definition, series, instruments, scores, settings: readExecution(values.execution) }, out);
    return;
  }
  const result = publishResult({
    versionId: definition.name as StrategyVersionId,
    definition,
    instruments,
    series,
    scores,
    ...(answers && { answers }),
    engine: readEngineHash(),
  });
  if (result === null) throw new Error('there are too few bars for the figures to be defined');
  const { versionId: _, ...stored } = result.stored;
  writeFileSync(out, `${JSON.stringify({ ...stored, risk: result.risk }, null, 2)}\n`);
  const { annual_return, sharpe_ratio, max_drawdown, total_trades } = stored.figures;
  console.log(
    `${definition.name}: ${stored.firstDate} to ${stored.lastDate}, ${annual_return.toFixed(2)}% a year, Sharpe ${sharpe_ratio.toFixed(2)}, deepest fall ${max_drawdown.toFixed(2)}%, ${total_trades} trades → ${out}`,
  );
}

const ERRORS_SHOWN = 10;

async function columnsOf(
  definition: StrategyDefinition,
  series: SeriesBySymbol,
  file: string | undefined,
): Promise<RecordedColumns> {
  if (deciderOf(definition) === null) {
    if (file !== undefined) throw new Error('no model decides here: leave out --answers');
    return { scores: await scoreBars(openModels(), definition, series) };
  }
  if (file === undefined) throw new Error('a model decides here: name a file of its answers with --answers');
  const parsed = parseRecordedAnswers(readJson(file, '--answers'), definition, series);
  if (parsed.ok) return columnsOfAnswers(definition, series, parsed.decisions);
  throw unreadable(`${file} is no list of answers`, parsed.errors, ERRORS_SHOWN);
}

function runFromFiles(input: BacktestInput, out: string): void {
  const report = describeBacktest(backtest(input));
  writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
  const { final_equity, max_drawdown, trades } = report;
  console.log(
    `${input.definition.name}: ${final_equity.toFixed(2)} at the end, deepest fall ${(max_drawdown * 100).toFixed(2)}%, ${trades.length} trades → ${out}`,
  );
}

function readExecution(file: string): BacktestSettings {
  const parsed = parseExecution(readJson(file, '--execution'));
  if (parsed.ok) return parsed.settings;
  throw unreadable(`${file} does not say how to trade`, parsed.errors);
}

function unreadable(what: string, errors: readonly DefinitionError[], shown = errors.length): Error {
  const lines = errors.slice(0, shown).map(({ path: place, message }) => `\n  ${place}: ${message}`);
  const more = errors.length > shown ? `\n  and ${errors.length - shown} more` : '';
  return new Error(`${what}:${lines.join('')}${more}`);
}

function readJson(file: string, option: string): unknown {
  if (!existsSync(file)) throw new Error(`there is no file ${path.resolve(file)}: correct ${option}`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} is not JSON (${said}): correct it`, { cause: error });
  }
}

function readDefinition(file: string): StrategyDefinition {
  const parsed = parseDefinition(readJson(file, '--definition'));
  if (parsed.ok) return parsed.definition;
  throw unreadable(`${file} is no strategy definition`, parsed.errors);
}

function readSeries(
  folder: string,
  symbol: Symbol,
  { kind, definition }: { readonly kind: ImportableKind; readonly definition: StrategyDefinition },
): ReadSeries {
  const file = [`${symbol}.csv`, `${symbol}.csv.gz`]
    .map((name) => path.join(folder, name))
    .find((name) => existsSync(name));
  if (file === undefined) throw new Error(`${folder} holds no ${symbol}.csv and no ${symbol}.csv.gz`);
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const calendar = kind === 'equity' ? 'us-equity' : kind;
  const parsed = parseBars({ text, calendar, interval: storedInterval(definition) });
  if (!parsed.ok) throw new Error(`${file}: ${parsed.message}`);
  const [only] = parsed.series;
  if (only === undefined || parsed.series.length > 1)
    throw new Error(`${file} holds ${parsed.series.length} instruments; one is expected`);
  for (const { line, reason } of only.refused) console.error(`${file}, line ${line}: left out: ${reason}`);
  return {
    instrument: importedInstrument({
      symbol,
      kind,
      name: null,
      currency: null,
      priceDecimals: parsed.priceDecimals,
    }),
    series: asRead(definition, barSeries(symbol, parsed.interval, only.bars), calendar),
  };
}
