// The walls of the house as a table: which floor may import which, which room which, and which packages each may use.
// The rule in `house-plugin.ts` holds every import to it: types, re-exports and dynamic imports included.

export type Room = {
  /** Other rooms of the same floor; '.' is the files at the floor's root, 'screens/*' every room inside screens. */
  rooms?: readonly string[];
  /** Packages that this room may use besides those of its floor; 'node:' is every module of Node. */
  packages?: readonly string[];
};

export type Floor = {
  /** Other floors; 'engine/market' is one room of a floor, 'engine/event' one file. */
  floors: readonly string[];
  packages: readonly string[];
  /** Rooms that every other room of the floor may import; they themselves import only what their row says. */
  open?: readonly string[];
  /** Every room of the floor; a floor without this table has no inner walls. Files at the root compose all rooms. */
  rooms?: Readonly<Record<string, Room>>;
};

/** A screen puts rooms together, and knows no other screen. */
const SCREEN: Room = {
  rooms: [
    'agreements',
    'billing',
    'brokerage',
    'deployments',
    'fees',
    'identity',
    'notifications',
    'operations',
    'strategies',
    'strategy-builder',
    'suitability',
  ],
};

export const FLOORS: Readonly<Record<string, Floor>> = {
  units: { floors: [], packages: [] },
  engine: {
    floors: ['units'],
    packages: [],
    open: ['.', 'market'],
    rooms: {
      adjustments: { rooms: ['execution', 'lifecycle', 'order'] },
      backtest: { rooms: ['model', 'order', 'performance', 'portfolio', 'rebalance', 'risk', 'strategy'] },
      'end-of-day': { rooms: ['execution', 'market-data', 'portfolio'] },
      evidence: { rooms: ['backtest', 'model', 'performance', 'strategy'] },
      execution: { rooms: ['lifecycle', 'order', 'portfolio', 'risk'] },
      incidents: { rooms: ['execution'] },
      indicators: {},
      lifecycle: { rooms: ['execution', 'order'] },
      market: { rooms: ['math'] },
      'market-data': {},
      math: {},
      model: { rooms: ['strategy'] },
      order: { rooms: ['evidence'] },
      performance: { rooms: ['math'] },
      portfolio: { rooms: ['order'] },
      rebalance: { rooms: ['order', 'portfolio', 'risk'] },
      risk: { rooms: ['order', 'portfolio'] },
      strategy: { rooms: ['evidence', 'indicators', 'math', 'model'] },
    },
  },
  rules: {
    floors: ['units', 'engine'],
    packages: [],
    open: ['.'],
    rooms: {
      agreements: { rooms: ['eligibility', 'fees'] },
      billing: {},
      brokerage: {},
      deployments: { rooms: ['eligibility', 'reasons', 'suitability'] },
      eligibility: {},
      fees: {},
      notifications: { rooms: ['reasons'] },
      operations: {},
      portfolio: { rooms: ['deployments'] },
      reasons: { rooms: ['operations', 'suitability'] },
      strategies: {},
      'strategy-builder': {},
      suitability: {},
    },
  },
  contract: {
    floors: [
      'units',
      'rules',
      'engine/event',
      'engine/execution/connection/session-state',
      'engine/incidents/incident-kind',
      'engine/lifecycle',
      'engine/market/instrument',
      'engine/order/order',
      'engine/strategy',
    ],
    packages: ['zod'],
  },
  ports: { floors: ['units', 'engine'], packages: [] },
  adapters: {
    floors: ['units', 'engine', 'ports'],
    packages: [],
    rooms: {
      broker: { packages: ['node:crypto'] },
      'broker/alpaca': { rooms: ['broker'], packages: ['node:crypto'] },
      'broker/interactive-brokers': { rooms: ['broker'], packages: ['node:crypto', 'ws'] },
      mail: { packages: ['nodemailer'] },
      'market-data': { packages: ['zod'] },
      'model-runner': { packages: ['node:', 'onnxruntime-web'] },
      payments: {},
      signing: { packages: ['node:', '@libpdf/core', 'asn1js', 'pkijs'] },
    },
  },
  records: {
    floors: ['units', 'engine', 'rules', 'ports'],
    packages: ['kysely', 'pg', 'pg-boss', 'pg-copy-streams', 'node:'],
    open: ['.', 'postgres'],
    rooms: {
      adjustments: {},
      agreements: {},
      billing: {},
      brokerage: { rooms: ['operations'] },
      deployments: { rooms: ['brokerage', 'execution', 'operations', 'portfolio', 'strategies'] },
      execution: {},
      fees: { rooms: ['portfolio'] },
      identity: {},
      incidents: { rooms: ['jobs'] },
      invariants: { rooms: ['market', 'operations', 'schema'] },
      jobs: { rooms: ['notifications', 'results'] },
      market: {},
      notifications: { rooms: ['jobs', 'operations'] },
      operations: {},
      portfolio: {},
      postgres: { rooms: ['.', 'jobs', 'schema'] },
      results: { rooms: ['jobs', 'market', 'notifications'] },
      schema: {},
      strategies: { rooms: ['results'] },
      'strategy-builder': { rooms: ['strategies'] },
      suitability: {},
    },
  },
  trader: {
    floors: ['units', 'engine', 'rules', 'ports', 'records'],
    packages: ['node:', 'pino'],
    open: ['.'],
    rooms: {
      adjustments: { rooms: ['connections', 'end-of-day', 'rebalance', 'reconciliation'] },
      'broker-requests': { rooms: ['connections', 'leases'] },
      connections: { rooms: ['adjustments', 'execution', 'incidents', 'reconciliation'] },
      'end-of-day': { rooms: ['leases', 'market-data', 'rebalance'] },
      execution: { rooms: ['connections', 'incidents', 'rebalance', 'reconciliation'] },
      fees: { rooms: ['rebalance'] },
      incidents: { rooms: ['connections'] },
      invariants: { rooms: ['reconciliation'] },
      leases: {},
      lifecycle: { rooms: ['rebalance'] },
      'market-data': {},
      rebalance: { rooms: ['leases', 'strategies'] },
      reconciliation: { rooms: ['connections', 'end-of-day', 'execution', 'incidents', 'rebalance'] },
      strategies: { rooms: ['market-data'] },
    },
  },
  results: { floors: ['units', 'engine', 'rules', 'ports', 'records'], packages: ['node:', 'pino'] },
  server: {
    floors: ['units', 'engine', 'rules', 'contract', 'ports', 'records'],
    packages: ['node:', 'fastify'],
    open: ['answers', 'http'],
    rooms: {
      '.': { packages: ['fastify-type-provider-zod', 'zod'] },
      agreements: {},
      answers: {},
      billing: { packages: ['kysely'] },
      brokerage: {},
      deployments: { rooms: ['brokerage'], packages: ['kysely', 'pg'] },
      fees: {},
      http: {
        packages: [
          'zod',
          'pino',
          'fastify-type-provider-zod',
          '@fastify/helmet',
          '@fastify/rate-limit',
          '@fastify/static',
          '@fastify/swagger',
        ],
      },
      identity: { packages: ['jose'] },
      mail: {},
      notifications: {},
      operations: { packages: ['prom-client'] },
      'sandbox-mailbox': {},
      strategies: { packages: ['kysely', 'wasm-vips', '@fastify/multipart'] },
      'strategy-builder': { rooms: ['strategies'] },
      stream: {},
      suitability: {},
    },
  },
  processes: {
    floors: [
      'units',
      'engine',
      'rules',
      'contract',
      'ports',
      'records',
      'adapters',
      'trader',
      'results',
      'server',
    ],
    packages: ['node:', 'pg', 'pino'],
  },
  web: {
    floors: ['units', 'engine', 'rules', 'contract'],
    packages: ['react', 'react-router', '@tanstack/react-query', 'lucide-react'],
    open: ['kit', 'call'],
    rooms: {
      '.': { packages: ['node:', 'react-dom', 'vite', '@vitejs/plugin-react', '@tailwindcss/vite'] },
      agreements: {},
      billing: {},
      brokerage: {},
      call: {},
      deployments: {},
      fees: {},
      identity: {},
      kit: { packages: ['react-dom'] },
      live: {},
      notifications: {},
      operations: {},
      prerender: { rooms: ['shell'], packages: ['node:', 'react-dom', 'vite', '@vitejs/plugin-react'] },
      screens: SCREEN,
      'screens/account': SCREEN,
      'screens/broker-documentation': SCREEN,
      'screens/dashboard': SCREEN,
      'screens/deploy': SCREEN,
      'screens/deployed-strategies': SCREEN,
      'screens/deployment': SCREEN,
      'screens/fees': SCREEN,
      'screens/home': SCREEN,
      'screens/legal': SCREEN,
      'screens/strategy-new': SCREEN,
      shell: { rooms: ['billing', 'identity', 'live', 'notifications', 'screens', 'screens/*'] },
      strategies: { packages: ['onnxruntime-web'] },
      'strategy-builder': {},
      suitability: {},
    },
  },
  sandbox: {
    floors: ['units', 'engine/market', 'engine/venue'],
    packages: ['node:', 'fastify', 'jose', 'ws', 'zod'],
  },
  models: { floors: ['units', 'engine', 'ports', 'adapters', 'results', 'sandbox'], packages: ['node:'] },
};

/** Floors that are pure: no I/O, no clock, no randomness, nothing that browsers round differently. */
export const PURE_FLOORS: readonly string[] = ['units', 'engine', 'rules'];
