import { globSync, readFileSync } from 'node:fs';

const contracts = [
  '^functions/(routes|timers|events|objects)\\.ts$',
  '^functions/[^/]+/((routes|timers|events)\\.ts$|contracts/)',
];

/**
 * The folders of `lib`, the services, the folders below them and below `functions/shared`, and what each may import of its
 * neighbours. A folder that is not listed here may import none of them.
 */
export const folders = {
  lib: {
    openapi: [],
    'console-page': [],
    geo: [],
    client: ['openapi'],
    'share-page': ['client'],
    reference: ['client', 'openapi'],
    deployment: ['client', 'openapi', 'reference'],
    operator: ['client', 'deployment'],
    local: ['client', 'deployment', 'openapi', 'operator'],
    scaffold: ['openapi'],
    smoke: ['openapi', 'operator', 'reference'],
  },
  functions: {
    shared: [],
    plans: ['shared'],
    clients: ['shared'],
    ledger: ['shared'],
    journal: ['shared', 'clients', 'ledger'],
    invoices: ['shared', 'plans', 'clients', 'ledger'],
    subscriptions: ['shared', 'plans', 'clients', 'ledger', 'invoices'],
    payments: ['shared', 'plans', 'clients', 'ledger', 'invoices', 'subscriptions'],
    portal: ['shared', 'plans', 'clients', 'ledger', 'invoices', 'subscriptions', 'payments'],
    notices: ['shared', 'plans', 'clients', 'ledger', 'invoices', 'subscriptions', 'payments', 'portal'],
    statements: ['shared', 'plans', 'clients', 'ledger', 'invoices', 'subscriptions', 'payments'],
    reports: ['shared', 'plans', 'clients', 'ledger', 'invoices', 'subscriptions', 'payments'],
    shares: ['shared'],
    vault: ['shared'],
    devices: ['shared'],
    links: ['shared'],
    oauth: ['shared'],
    account: ['shared'],
    webhooks: ['shared'],
    applications: ['shared'],
    operator: [
      'shared',
      'applications',
      'plans',
      'clients',
      'ledger',
      'invoices',
      'subscriptions',
      'statements',
      'links',
      'webhooks',
    ],
    users: ['shared', 'operator'],
    console: [
      'shared',
      'applications',
      'plans',
      'clients',
      'ledger',
      'invoices',
      'subscriptions',
      'payments',
      'portal',
      'notices',
      'links',
      'webhooks',
      'operator',
      'users',
    ],
    'console-developers': ['shared', 'applications', 'plans', 'webhooks', 'console'],
    'console-money': [
      'shared',
      'applications',
      'ledger',
      'journal',
      'subscriptions',
      'payments',
      'statements',
      'reports',
      'console',
    ],
    'console-operations': [
      'shared',
      'applications',
      'plans',
      'clients',
      'users',
      'subscriptions',
      'payments',
      'portal',
      'webhooks',
      'operator',
      'console',
    ],
    reference: ['shared'],
  },
  'functions/shared': {
    contract: [],
    runtime: [],
    fields: ['contract'],
    money: ['fields'],
    table: ['contract', 'runtime', 'fields'],
    lambda: ['contract', 'runtime', 'fields', 'table'],
    lists: ['contract', 'runtime', 'fields', 'money', 'table', 'accounts', 'lambda'],
    audit: ['contract', 'runtime', 'table'],
    accounts: ['audit', 'contract', 'fields', 'money', 'runtime', 'table'],
    auth: ['accounts', 'contract', 'events', 'fields', 'runtime', 'table', 'lambda'],
    html: ['contract', 'lambda', 'runtime'],
    mail: ['html', 'fields', 'runtime'],
    events: ['contract', 'runtime', 'table'],
    'sign-in': ['accounts', 'auth', 'contract', 'fields', 'html', 'lambda', 'mail', 'runtime', 'table'],
  },
  'functions/account': {
    access: [],
    pages: ['access'],
    actions: ['access', 'pages'],
  },
  'functions/console': {
    pages: [],
    session: ['pages'],
    operations: ['pages', 'contracts', 'session'],
    reviews: ['pages'],
    customers: ['pages', 'contracts', 'operations'],
  },
  'functions/console-developers': {
    application: ['contracts'],
    webhook: ['contracts'],
  },
  'functions/devices': {
    identification: [],
    alerts: [],
  },
  'functions/links': {
    api: [],
    'trust-links': ['api'],
    'social-accounts': ['api'],
    reviews: ['api', 'contracts', 'trust-links', 'social-accounts'],
  },
  'functions/notices': {
    mails: [],
    outbox: ['mails'],
  },
  'functions/oauth': {
    authorization: [],
    tokens: ['authorization'],
    consent: ['authorization', 'tokens'],
  },
  'functions/operator': {
    audit: [],
    mails: [],
    'operator-keys': [],
    search: ['operator-keys'],
  },
  'functions/payments': {
    checkout: [],
    settle: ['contracts'],
    stripe: ['checkout', 'settle'],
  },
  'functions/subscriptions': {
    record: [],
    machine: ['record', 'contracts'],
    present: ['record', 'machine', 'contracts'],
    timers: ['record'],
    commands: ['record', 'machine', 'present', 'timers', 'contracts'],
  },
  'functions/webhooks': {
    endpoints: [],
    events: [],
    deliveries: ['endpoints', 'events'],
    api: ['endpoints', 'events', 'deliveries'],
  },
};

/** One rule for each folder: of its neighbours it imports those that it names. */
const folderRules = Object.entries(folders).flatMap(([parent, rooms]) =>
  Object.entries(rooms).map(([name, allowed]) => ({
    name: `${parent}/${name}-imports`,
    comment:
      allowed.length === 0
        ? 'It imports no neighbour.'
        : `Of its neighbours it imports ${allowed.join(', ')}.`,
    severity: /** @type {const} */ ('error'),
    from: { path: `^${parent}/${name}/` },
    to: {
      // The files beside the services are the registries; those beside a folder may be what it builds on.
      path: parent === 'functions' ? '^functions/' : `^${parent}/[^/]+/`,
      pathNot: `^${parent}/(${[name, ...allowed].join('|')})/`,
    },
  })),
);

/** The files of endpoints and tasks: each has a handler. */
const endpoints = Object.keys(folders.functions)
  .flatMap((service) => globSync(`functions/${service}/*.ts`))
  .filter((file) => readFileSync(file, 'utf8').includes('\nexport const handler = '))
  .map((file) => `^${file.replace('.', String.raw`\.`)}$`);

/** @type {import('dependency-cruiser').IConfiguration['options']} */
export const options = {
  doNotFollow: { path: 'node_modules' },
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
  enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
};

/**
 * Who may import whom. Each rule is proven by a planted violation in test/tools/directions.test.ts.
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
          '^functions/subscriptions/machine/transitions\\.ts$',
          '^functions/shared/contract/',
          '^functions/shared/runtime/(clock|ids|time-zone)\\.ts$',
          // The local stack compares credentials and reads addresses as the functions do, and the programs name the nearest word and
          // the header of a reason.
          '^functions/shared/runtime/constant-time\\.ts$',
          '^functions/shared/fields/(email-address|reason)\\.ts$',
          '^functions/shared/lambda/nearest\\.ts$',
          // The write of events, with which the local stack sends the examples of the reference.
          '^functions/shared/events/events-write\\.ts$',
          // The pages that no function sends: API Gateway's own, the reference, and those of the local stack.
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
      name: 'nothing-imports-an-endpoint',
      comment:
        'An endpoint is found by its name. Two that share something have a file for it. The console carries out operations.',
      severity: 'error',
      from: { path: '^functions/', pathNot: '^functions/console[a-z-]*/' },
      to: { path: endpoints },
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
          '^functions/subscriptions/commands/subscription-queries\\.ts$',
          '^functions/shared/',
        ],
      },
      to: { path: '^functions/shared/table/(client|query|table)\\.ts$' },
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
      from: {
        path: '^lib/client/(?!(package|cli)/)',
      },
      to: {
        path: ['^(bin|functions|test)/', '^lib/(?!client/)', '^lib/client/cli/', 'node_modules', '^node:'],
        pathNot: 'node_modules/openapi-fetch/',
      },
    },
    {
      name: 'client-program-stands-alone',
      comment: 'The program of the client runs on Node.js alone, without a package.',
      severity: 'error',
      from: { path: '^lib/client/cli/' },
      to: {
        path: ['^(bin|functions|test)/', '^lib/(?!client/)', 'node_modules'],
      },
    },
    {
      name: 'share-page-runs-in-browsers',
      comment:
        'The script of a page is made of the client, of the clock and dates, and of packages that are bundled with it.',
      severity: 'error',
      from: { path: '^lib/share-page/' },
      to: {
        path: ['^(bin|functions|test)/', '^lib/(?!client/|share-page/)', '^node:', 'node_modules/'],
        pathNot: [
          '^functions/shared/runtime/(clock|time-zone)\\.ts$',
          '^functions/shared/html/text\\.ts$',
          '^functions/shared/contract/defined\\.ts$',
          'node_modules/(preact|lean-qr)/',
        ],
      },
    },
    {
      name: 'console-script-runs-in-browsers',
      comment: 'The script of the console imports its own modules alone.',
      severity: 'error',
      from: { path: '^lib/console-page/' },
      to: { path: ['^(bin|functions|test)/', '^lib/(?!console-page/)', '^node:', 'node_modules/'] },
    },
    {
      name: 'reference-script-runs-in-browsers',
      comment:
        'The script of the reference is made of its own modules and of the search that is bundled with it.',
      severity: 'error',
      from: { path: '^lib/reference/script/' },
      to: {
        path: ['^(bin|functions|test)/', '^lib/(?!reference/script/)', '^node:', 'node_modules/'],
        pathNot: ['node_modules/minisearch/'],
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
