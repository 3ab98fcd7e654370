// What goes wrong at the broker and on the way to it. Each step scripts the brokerage's faults, lets orders run into
// them, and takes the script away again.
import type { Fault, Rule } from '#sandbox/interactive-brokers/faults/fault-script.ts';
import type { World } from '../world.ts';
import { writeCommand } from './ordinary.ts';
import { clientsOfFirst, passMinutes, planted, type Step, tick, toOpening, tradeThrough } from './step.ts';

export const BROKER_FAULTS: readonly Step[] = [
  faulty('F02', 'an order goes out and no answer comes', 6, ({ chance }) => [
    rule('submit', { kind: 'lost', when: chance.pick(['before', 'after']), how: 'close' }, 0.6),
  ]),
  faulty('F03', 'the broker hides orders for a while', 4, ({ chance }) => [
    rule('submit', { kind: 'hidden', minutes: chance.pick([5, 15, 90]) }, 0.7),
    rule('submit', { kind: 'lost', when: chance.pick(['before', 'after']), how: 'close' }, 0.5),
  ]),
  faulty('F03', 'lists come empty or in part', 4, ({ chance }) => [
    rule('orders', { kind: 'list', how: chance.pick(['empty', 'partial']), keep: 0.5 }, 0.6),
    rule('trades', { kind: 'list', how: chance.pick(['empty', 'partial']), keep: 0.5 }, 0.6),
  ]),
  faulty('F04', 'executions are told again and again', 4, ({ chance }) => [
    rule('trades', { kind: 'list', how: chance.pick(['repeated', 'whole_history']), keep: 1 }, 0.8),
  ]),
  faulty('F05', 'executions are missing for hours', 3, () => [
    rule('trades', { kind: 'list', how: 'partial', keep: 0.3 }, 1),
  ]),
  planted('F07', 'a cancellation races a fill', 4, async (world) => {
    const { chance } = world;
    const race: Fault = chance.happens(0.5) ? { kind: 'fill_wins' } : { kind: 'slow_cancel', minutes: 20 };
    await under(world, [rule('cancel', race, 1)], async () => {
      await tick(world);
      await writeCommand(world, chance.pick(['paused', 'stopped']));
      await tick(world);
      toOpening(world);
      await tick(world);
    });
  }),
  planted('F08', 'a cancellation finds nothing, or fails', 2, async (world) => {
    const refusal: Fault = {
      kind: 'status',
      status: world.chance.pick([400, 404, 503]),
      body: '{"error":"not found"}',
    };
    await under(world, [rule('cancel', refusal, 0.8)], async () => {
      await writeCommand(world, 'paused');
      await tick(world);
      await tick(world);
    });
  }),
  faulty('F09', 'orders fill in parts', 6, ({ chance }) => [
    rule('fill', { kind: 'partial_fill', share: chance.pick([0, 0.3, 0.6]) }, 0.8),
  ]),
  faulty('F40', 'commissions come late, and are others than ours', 4, ({ chance }) => [
    rule('fill', { kind: 'commission', factor: chance.pick([0, 0.3, 1.7, 4, -0.2]) }, 0.7),
    rule(
      'trades',
      { kind: 'late_commissions', minutes: chance.pick([1, 60, 3_000]), how: chance.pick(['', '-1']) },
      0.8,
    ),
  ]),
  faulty('F10', 'the broker is overloaded', 4, ({ chance }) => [
    chance.happens(0.5)
      ? rule('any', { kind: 'penalty_box', seconds: 600 }, 0.1)
      : rule('any', { kind: 'status', status: 503, body: '{"error":"Service Unavailable"}' }, 0.3),
  ]),
  faulty('F11', 'the broker asks back', 4, ({ chance }) => [
    rule(
      'submit',
      {
        kind: 'questions',
        messageIds: chance.pick(QUESTIONS),
        text: 'Are you sure?',
        expired: chance.happens(0.2),
      },
      0.7,
    ),
  ]),
  planted('F12', 'the session is lost, or held elsewhere', 4, async (world) => {
    const { chance } = world;
    const fault: Fault = chance.happens(0.5) ? { kind: 'session_lost' } : { kind: 'competing' };
    await under(world, [rule('any', fault, 0.15)], () => tradeThrough(world));
    for (const { userName } of clientsOfFirst(world)) world.brokerage.sessions.releaseElsewhere(userName);
  }),
  planted('F12', 'the night of a reset', 3, async (world) => {
    await under(
      world,
      [],
      async () => {
        for (let i = 0; i < 8; i++) {
          passMinutes(world, 35);
          await tick(world);
        }
      },
      true,
    );
  }),
  planted('F19', 'the client withdraws money', 2, async (world) => {
    const { account } = world.chance.pick(clientsOfFirst(world));
    const dollars = world.chance.pick([950_000, 37.5, -1_000]);
    const opened = await world.records.pool.query('select from account_openings where account_id = $1', [
      account,
    ]);
    if (opened.rowCount === 1) world.ownerMoves.push({ account, dollars: -dollars });
    world.brokerage.faults.set(
      {
        seed: world.seed,
        resets: false,
        limits: false,
        rules: [
          {
            on: 'clock',
            at: world.now(),
            account,
            fault: { kind: 'withdraw', dollars },
          },
        ],
      },
      world.now(),
    );
    await tradeThrough(world);
    calm(world);
  }),
  planted('F20', 'the client trades by hand', 2, async (world) => {
    const { chance } = world;
    world.brokerage.faults.set(
      {
        seed: world.seed,
        resets: false,
        limits: false,
        rules: [
          {
            on: 'clock',
            at: world.now(),
            account: chance.pick(clientsOfFirst(world)).account,
            fault: { kind: 'external_trade', symbol: chance.pick(['AAA', 'BBB']), side: 'BUY', units: 3 },
          },
        ],
      },
      world.now(),
    );
    passMinutes(world, 1);
    await tick(world);
    calm(world);
  }),
  faulty('F36', 'answers are garbled', 5, ({ chance }) => [
    rule(chance.pick(['submit', 'orders', 'trades', 'cancel', 'any']), chance.pick(GARBLED), 0.4),
  ]),
  faulty('F07', 'orders are refused, or parked', 3, ({ chance }) => [
    rule(
      'submit',
      chance.happens(0.5)
        ? { kind: 'reject', text: 'Not enough buying power.', status: 200 }
        : { kind: 'inactive', text: 'Parked.' },
      0.5,
    ),
  ]),
];

/** Nothing goes wrong any more; but the brokerage takes an id twice, so that a doubled order would be seen. */
export function calm(world: World): void {
  scriptFor(world, []);
}

function faulty(fault: string, name: string, weight: number, rules: (world: World) => readonly Rule[]): Step {
  return planted(fault, name, weight, (world) => under(world, rules(world), () => tradeThrough(world)));
}

/** Takes the script away again. */
export async function under(
  world: World,
  rules: readonly Rule[],
  work: () => Promise<void>,
  resets = false,
): Promise<void> {
  scriptFor(world, rules, resets);
  await work();
  calm(world);
}

export function scriptFor(world: World, rules: readonly Rule[], resets = false): void {
  const repeats: Rule = { on: 'submit', fault: { kind: 'takes_repeats' } };
  const seed = Math.floor(world.chance.next() * 1_000_000);
  world.brokerage.faults.set({ seed, rules: [repeats, ...rules], resets, limits: false }, world.now());
  world.second?.script(seed, rules);
}

export function rule(on: Rule['on'], fault: Fault, probability: number): Rule {
  return { on, fault, probability };
}

/** Known ones, unknown ones, and chains of both, by the broker's message ids. */
const QUESTIONS: readonly string[][] = [
  ['o163'],
  ['o354'],
  ['o451', 'o354'],
  ['x999'],
  ['o354', 'o451', 'x999'],
];

const GARBLED: readonly Fault[] = [
  { kind: 'html' },
  { kind: 'truncated' },
  { kind: 'wrong_account' },
  { kind: 'numbers', how: 'huge' },
  { kind: 'numbers', how: 'negative' },
  { kind: 'numbers', how: 'words' },
  { kind: 'numbers', how: 'missing' },
];
