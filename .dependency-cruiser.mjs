const contracts = [
  '^functions/(routes|timers|events)\\.ts$',
  '^functions/[^/]+/((routes|timers|events)\\.ts$|contracts/)',
];

/**
 * The folders below `functions/shared` and below a service, and what each may import of its neighbours. A folder that is
 * not listed here may import none of them.
 */
export const folders = {
  'functions/shared': {
    contract: [],
    runtime: [],
    fields: [],
    table: ['contract', 'runtime', 'fields'],
    lambda: ['contract', 'runtime', 'fields', 'table'],
    accounts: ['contract', 'fields', 'table'],
    auth: ['accounts', 'contract', 'events', 'fields', 'runtime', 'table', 'lambda'],
    html: ['contract', 'lambda'],
    mail: ['html', 'fields', 'runtime'],
    events: ['contract', 'runtime', 'table'],
    'sign-in': ['accounts', 'auth', 'contract', 'fields', 'html', 'lambda', 'mail', 'runtime', 'table'],
  },
  'functions/account': {
    access: [],
    pages: ['access'],
    actions: ['access', 'pages'],
  },
  'functions/devices': {
    identification: [],
    alerts: [],
  },
  'functions/finance': {
    payments: [],
    lists: [],
    statements: [],
    reports: ['lists'],
    api: ['payments', 'lists', 'statements', 'reports'],
  },
  'functions/links': {
    api: [],
    'trust-links': ['api'],
    'social-accounts': ['api'],
  },
  'functions/oauth': {
    authorization: [],
    tokens: ['authorization'],
    consent: ['authorization', 'tokens'],
  },
  'functions/operator': {
    applications: [],
    audit: [],
    grants: [],
    mails: [],
    'operator-keys': ['applications', 'audit'],
    users: ['audit'],
  },
  'functions/subscriptions': {
    plans: [],
    clients: [],
    invoices: ['plans'],
    payments: ['plans', 'invoices'],
    state: ['plans', 'invoices', 'payments'],
    lifecycle: ['plans', 'clients', 'invoices', 'payments', 'state'],
    api: ['plans', 'clients', 'invoices', 'payments', 'state', 'lifecycle'],
    scheduling: ['state'],
    checkout: ['plans', 'invoices', 'state'],
    lists: ['plans', 'clients', 'invoices', 'payments', 'state', 'api'],
    engine: ['plans', 'clients', 'invoices', 'payments', 'state', 'lifecycle', 'api', 'scheduling'],
    settlement: ['plans', 'clients', 'invoices', 'payments', 'state', 'lifecycle', 'api', 'engine'],
    stripe: ['plans', 'invoices', 'payments', 'state', 'checkout', 'settlement'],
    billing: [
      'plans',
      'clients',
      'invoices',
      'payments',
      'state',
      'lifecycle',
      'scheduling',
      'checkout',
      'engine',
    ],
    outbox: ['plans', 'invoices', 'payments', 'state', 'engine', 'checkout', 'billing', 'stripe'],
  },
  'functions/webhooks': {
    endpoints: [],
    events: [],
    deliveries: ['endpoints', 'events'],
    api: ['endpoints', 'events', 'deliveries'],
  },
};

/** One rule for each folder: it imports itself and the neighbours it names, never the files beside the folders. */
const folderRules = Object.entries(folders).flatMap(([parent, rooms]) =>
  Object.entries(rooms).map(([name, allowed]) => ({
    name: `${parent.replace('functions/', '')}/${name}-imports`,
    comment:
      allowed.length === 0
        ? 'It imports no neighbour.'
        : `Of its neighbours it imports ${allowed.join(', ')}.`,
    severity: /** @type {const} */ ('error'),
    from: { path: `^${parent}/${name}/` },
    to: { path: `^${parent}/`, pathNot: `^${parent}/(${[name, ...allowed].join('|')})/` },
  })),
);

/** @type {import('dependency-cruiser').IConfiguration['options']} */
export const options = {
  doNotFollow: { path: 'node_modules' },
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
  enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
};

/**
 * Who may import whom. Each rule is proven by a planted violation in test/system/directions.test.ts.
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'bin-is-thin',
      comment: 'A program in bin wires what lib offers; it knows no function.',
      severity: 'error',
      from: { path: '^bin/' },
      to: { path: '^(functions|test)/' },
    },
    {
      name: 'lib-knows-contracts-only',
      comment: 'Infrastructure reads contracts; handlers are found by file name.',
      severity: 'error',
      from: { path: '^lib/' },
      to: {
        path: '^functions/',
        pathNot: [
          ...contracts,
          '^functions/subscriptions/lifecycle/transitions\\.ts$',
          // What the operator's command writes into the index `listed`.
          '^functions/subscriptions/(clients|invoices|payments|state)/[a-z-]+-listing\\.ts$',
          '^functions/shared/contract/',
          '^functions/shared/runtime/duration\\.ts$',
          // The clock of signatures, which the local stack keeps at the time of the machine.
          '^functions/shared/runtime/clock\\.ts$',
          // The pages that no function sends: API Gateway's own, the reference, and those of the local stack and the OAuth example.
          '^functions/shared/html/(markup|page|text|theme|unknown-path)\\.ts$',
        ],
      },
    },
    {
      name: 'nothing-imports-programs-or-tests',
      severity: 'error',
      from: { path: '^(lib|functions)/' },
      to: { path: '^(bin|test)/' },
    },
    {
      name: 'functions-know-no-infrastructure',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^lib/' },
    },
    {
      name: 'shared-knows-no-service',
      severity: 'error',
      from: { path: '^functions/shared/' },
      to: { path: '^functions/', pathNot: '^functions/shared/' },
    },
    {
      name: 'services-do-not-meet',
      comment:
        'A service imports itself and shared; the registry imports contracts. Webhooks read the registry of events.',
      severity: 'error',
      from: { path: '^functions/(?!shared/|finance/)([^/]+)/' },
      to: {
        path: '^functions/',
        pathNot: ['^functions/shared/', '^functions/$1/', '^functions/events\\.ts$'],
      },
    },
    {
      name: 'finance-uses-folders-of-subscriptions',
      comment:
        'Finance works on the records of subscriptions, through their folders and never through their endpoints.',
      severity: 'error',
      from: { path: '^functions/finance/' },
      to: {
        path: '^functions/',
        pathNot: ['^functions/(shared|finance)/', '^functions/subscriptions/[^/]+/'],
      },
    },
    {
      name: 'contracts-load-no-sdk',
      comment: 'cdk synth and the OpenAPI document must not pay for the SDK or middy.',
      severity: 'error',
      from: { path: contracts },
      to: { path: 'node_modules/(@aws-sdk|@smithy|@middy|@aws-lambda-powertools)/', reachable: true },
    },
    {
      name: 'only-stores-touch-the-table',
      severity: 'error',
      from: { path: '^functions/', pathNot: '^functions/shared/table/' },
      to: { path: 'node_modules/@aws-sdk/(client-dynamodb|lib-dynamodb|util-dynamodb)/' },
    },
    {
      name: 'only-stores-use-the-table',
      severity: 'error',
      from: {
        path: '^functions/',
        pathNot: [
          '[/-]store\\.ts$',
          '^functions/subscriptions/engine/subscription-queries\\.ts$',
          '^functions/shared/',
        ],
      },
      to: { path: '^functions/shared/table/table\\.ts$' },
    },
    {
      name: 'middy-in-one-place',
      severity: 'error',
      from: { path: '^functions/', pathNot: '^functions/shared/lambda/endpoint\\.ts$' },
      to: { path: 'node_modules/@middy/' },
    },
    {
      name: 'client-stands-alone',
      comment: 'The client module is published by itself and runs in browsers.',
      severity: 'error',
      from: { path: '^lib/client/(?!(build|package-files|served-package)\\.ts|cli/)' },
      to: {
        path: ['^(bin|functions|test)/', '^lib/(?!client/)', '^lib/client/cli/', 'node_modules', '^node:'],
      },
    },
    {
      name: 'client-program-stands-alone',
      comment: 'The program of the client runs on Node.js alone, without a package.',
      severity: 'error',
      from: { path: '^lib/client/cli/' },
      to: { path: ['^(bin|functions|test)/', '^lib/(?!client/)', 'node_modules'] },
    },
    {
      name: 'share-page-runs-in-browsers',
      comment:
        'The script of a page is made of the client, of durations and dates, and of packages that are bundled with it.',
      severity: 'error',
      from: { path: '^lib/share-page/(?!build\\.ts)' },
      to: {
        path: ['^(bin|functions|test)/', '^lib/(?!client/|share-page/)', '^node:', 'node_modules/'],
        pathNot: [
          '^functions/shared/runtime/duration\\.ts$',
          '^functions/shared/html/text\\.ts$',
          '^functions/shared/contract/defined\\.ts$',
          'node_modules/(preact|lean-qr)/',
        ],
      },
    },
    {
      name: 'functions-ship-no-dev-dependency',
      severity: 'error',
      from: { path: '^functions/' },
      to: { dependencyTypes: ['npm-dev', 'npm-optional'], dependencyTypesNot: ['type-only'] },
    },
    ...folderRules,
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-missing',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options,
};
