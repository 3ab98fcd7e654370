import { crossoverInput, pairInput, rankingInput, run, sweep, loopTerms } from './engine-runs.ts';
import { DAYS, MINUTES, PAIRS, UNIVERSE, walk } from './engine-workloads.ts';
import { crossoverLoop, sweepLoop } from './loops/crossover-loops.ts';
import { rankingLoop } from './loops/ranking-loop.ts';
const [which, extras = 'plain', side = 'both'] = process.argv.slice(2) as [
  string,
  'plain' | 'dividends and stop',
  string,
];
const e = extras[0] === 'd' ? 'dividends and stop' : 'plain';
const t = (name: string, f: () => unknown) => {
  for (let i = 0; i < 4; i++) f();
  const xs: number[] = [];
  for (let k = 0; k < 5; k++) {
    const c = process.threadCpuUsage();
    const n = 6;
    for (let i = 0; i < n; i++) f();
    const d = process.threadCpuUsage(c);
    xs.push((d.user + d.system) / 1000 / n);
  }
  console.log(which, e, name, xs.sort((a, b) => a - b)[2]!.toFixed(1));
};
if (which === 'w1') {
  const b = walk(MINUTES);
  const i = crossoverInput(b, 'weight', e);
  t('engine', () => run(i));
  if (side === 'both')
    t('loop', () => crossoverLoop(b, { fast: 10, slow: 20 }, loopTerms('crossover', b, e)));
}
if (which === 'w2') {
  const a = UNIVERSE.map(walk);
  const i = rankingInput(a, e);
  t('engine', () => run(i));
  if (side === 'both') {
    const lt = loopTerms('ranking', a[0]!, e);
    t('loop', () => rankingLoop(a, lt));
  }
}
if (which === 'w3') {
  const b = walk(DAYS);
  const i = pairInput(b, 'weight', e);
  t('engine', () => sweep(i));
  if (side === 'both') {
    const lt = loopTerms('sweep', b, e);
    t('loop', () => sweepLoop(b, PAIRS, lt));
  }
}
