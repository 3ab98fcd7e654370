// The report of an import, for a person to read.
import type { Gap } from '#adapters/market-data/csv/judge-series.ts';
import type { BarSummary } from '#records/market/bars.ts';
import type { FileReport, ImportReport, SeriesReport } from './import-bars.ts';

export function showImport(report: ImportReport): string[] {
  const lines = report.files.flatMap(showFile);
  if (!report.kept) {
    lines.push(
      'Nothing was kept, as --on-error refuse asks. Correct the rows above, or take the good ones: --on-error keep',
    );
  }
  return lines;
}

export function showSummaries(summaries: readonly BarSummary[]): string[] {
  if (summaries.length === 0) return ['No bars have been imported yet.'];
  return summaries.map(
    ({ symbol, interval, count, firstDate, lastDate }) =>
      `${symbol.padEnd(12)} ${interval}  ${count} bars  ${firstDate} to ${lastDate}`,
  );
}

function showFile(report: FileReport): string[] {
  if (!report.ok) return [`${report.file}: not imported. ${report.message}`];
  return [`${report.file}: ${report.detected.join(', ')}`, ...report.series.flatMap(showSeries)];
}

function showSeries(report: SeriesReport): string[] {
  const { symbol, bars, saved, series, judgement } = report;
  const span = bars.length === 0 ? '' : `, ${bars[0]!.date} to ${bars.at(-1)!.date}`;
  const splits = report.splits === 0 ? '' : `, ${counted(report.splits, 'split')} beside them`;
  const facts = [
    `  ${symbol}: ${counted(saved.added, 'new bar')}, ${saved.alreadyStored} already there, ${counted(series.refused.length, 'row')} refused${span}${splits}`,
    ...listed(series.refused.map(({ line, reason }) => `line ${line} refused: ${reason}`)),
    ...(series.repeated.length === 0
      ? []
      : [
          `    ${counted(series.repeated.length, 'row')} repeated word for word, left out: lines ${some(series.repeated)}`,
        ]),
    ...(saved.differing.length === 0
      ? []
      : [
          `    ${counted(saved.differing.length, 'day')} already stored with other numbers, which stand: ${some(saved.differing)}. To take the new ones: npm run bars -- remove ${symbol}, then import again`,
        ]),
  ];
  const warnings = [
    ...showGaps(judgement.gaps),
    ...judgement.splits.map(
      ({ date, ratio, closeBefore, open }) =>
        `    looks like a split that is not adjusted: ${date} opens at ${open} after ${closeBefore} (${showRatio(ratio)}). If it is one, name it with --splits FILE, a line of which is ${date},${showRatio(ratio)}`,
    ),
    ...judgement.breaks.map(
      ({ lastDate, nextDate, days }) =>
        `    ${days} days without bars between ${lastDate} and ${nextDate}: the symbol may have been another company's before. --from ${nextDate} leaves that one out`,
    ),
    ...report.sameAs.map(
      (other) =>
        `    the very same series is stored as ${other}: one of the two files is probably not what its name says`,
    ),
  ];
  return [...facts, ...warnings];
}

/** The longest, in order of time. */
function showGaps(gaps: readonly Gap[]): string[] {
  if (gaps.length === 0) return [];
  const missing = gaps.reduce((sum, gap) => sum + gap.tradingDays, 0);
  const longest = gaps.toSorted((a, b) => b.tradingDays - a.tradingDays).slice(0, GAPS_MAX);
  const shown = gaps
    .filter((gap) => longest.includes(gap))
    .map(({ from, to, tradingDays }) => `${from === to ? from : `${from} to ${to}`} (${tradingDays})`);
  const which = gaps.length > GAPS_MAX ? 'the longest: ' : '';
  return [`    ${counted(missing, 'trading day')} without a bar, ${which}${shown.join(', ')}`];
}

function listed(lines: readonly string[]): string[] {
  const shown = lines.slice(0, LINES_MAX).map((line) => `    ${line}`);
  return lines.length > LINES_MAX ? [...shown, `    and ${lines.length - LINES_MAX} more like these`] : shown;
}

function some(values: readonly (string | number)[]): string {
  const shown = values.slice(0, 10).join(', ');
  return values.length > 10 ? `${shown} and ${values.length - 10} more` : shown;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** 7:1 for new shares per old, 1:20 for a reverse split, 3:2 for one and a half. */
function showRatio(ratio: number): string {
  if (ratio < 1)
    return showRatio(1 / ratio)
      .split(':')
      .toReversed()
      .join(':');
  return Number.isInteger(Math.round(ratio * 1e6) / 1e6)
    ? `${Math.round(ratio)}:1`
    : `${Math.round(ratio * 2)}:2`;
}

const LINES_MAX = 100;
const GAPS_MAX = 12;
