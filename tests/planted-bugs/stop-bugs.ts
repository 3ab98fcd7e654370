import type { PlantedBug } from './planted-bug.ts';

const STOPS = 'src/trader/protective-stops.test.ts';

/** What rests at the broker to protect a position. */
export const STOP_BUGS: readonly PlantedBug[] = [
  {
    name: 'an exit leaves while the stop of its position still rests',
    file: 'src/trader/why-it-waits.ts',
    from: '  if (own !== null) return own;\n',
    to: '',
    suites: [STOPS],
  },
  {
    name: 'a second stop is taken for one position',
    file: 'src/records/migrations/0021-protective-stops.ts',
    from: 'create unique index one_protective_order',
    to: 'create index one_protective_order',
    suites: [STOPS],
  },
  {
    name: 'the strategy buys back what a protective stop has sold',
    file: 'src/trader/book-execution.ts',
    from: "locked.decided.purpose === 'protective' ? stopOut(change.after, fill) : change.after",
    to: 'change.after',
    suites: [STOPS],
  },
  {
    name: 'a stop stays when the owner has sold by hand what it would sell',
    file: 'src/trader/stops-beyond-holdings.ts',
    from: 'return leaving > ',
    to: 'return leaving < ',
    suites: [STOPS],
  },
];
