import { registeredRoutes } from '../../../../../functions/routes.ts';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { authGrants, type Grants, type Resource } from '../../../../../functions/shared/contract/grants.ts';
import { registeredTimers } from '../../../../../functions/timers.ts';
import { deliveryTask } from '../../../../../lib/deployment/state-machines/webhook-delivery.ts';
import { timerDescription } from '../../../../support/deployment/deployment.ts';
import { onlyIf } from '../../../../support/only-if.ts';
import {
  all,
  configured,
  dev,
  functionOf,
  type Json,
  ofType,
  resources,
  resourcesOf,
} from './synthesized.ts';

const registry = registeredRoutes();
const machines = all('AWS::StepFunctions::StateMachine').map(([, machine]) => machine);

/** The statements of a function's role, as `service:Action on prefix or resource`, sorted. */
function mayDo(properties: Json): string[] {
  const role = resources[properties.Role['Fn::GetAtt'][0]].Properties;
  expect(role.ManagedPolicyArns).toBeUndefined();
  expect(role.Policies).toHaveLength(1);
  return (role.Policies[0].PolicyDocument.Statement as Json[])
    .flatMap(({ Effect, Action, Resource, Condition, ...rest }) => {
      expect([Effect, rest]).toEqual(['Allow', {}]);
      const prefixes: Json[] = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [
        undefined,
      ];
      const table = { 'Fn::ImportValue': expect.stringMatching(/Table.*Arn/) };
      const pairs = [Resource]
        .flat()
        .flatMap((resource: Json) => prefixes.map((prefix) => ({ resource, prefix })));
      return pairs.flatMap(({ resource, prefix }) => {
        const [, [arn, index] = []] = resource['Fn::Join'] ?? [];
        const isIndex = typeof index === 'string' && index.startsWith('/index/');
        if (prefix || isIndex) expect(isIndex ? arn : resource).toEqual(table);
        const what = isIndex
          ? [index, prefix].filter(Boolean).join(' ')
          : (prefix ?? JSON.stringify(resource));
        return [Action].flat().map((action) => `${action} on ${what}`);
      });
    })
    .sort();
}

/** The permissions of every function: those to write its own log. */
const ownLog = ({ LoggingConfig }: Json) =>
  ['logs:CreateLogStream', 'logs:PutLogEvents'].map(
    (action) => `${action} on ${JSON.stringify({ 'Fn::GetAtt': [LoggingConfig.LogGroup.Ref, 'Arn'] })}`,
  );

/** Resources in the order of their statements. */
const usesOf = (uses: readonly Resource[] = []) => order.filter((use) => uses.includes(use));
const order: readonly Resource[] = [
  'geo',
  'deviceProfiling',
  'deploymentKey',
  'stripe',
  'mail',
  'rawMail',
  'watchTimers',
  'webhookDelivery',
  'webhookRetries',
  'bankImport',
  'timers',
  'enrolment',
  'deviceProof',
  'securityContact',
];

const onItems = (table: Readonly<Record<string, readonly string[]>> = {}) =>
  Object.entries(table).flatMap(([prefix, actions]) =>
    actions.map((action) => `dynamodb:${action} on ${prefix}#*`),
  );

const onIndexes = (indexes: Grants['indexes'] = {}) =>
  Object.entries(indexes).flatMap(([index, prefixes]) =>
    (prefixes.length > 0 ? prefixes : ['']).map((prefix) =>
      `dynamodb:Query on /index/${index} ${prefix && `${prefix}#*`}`.trim(),
    ),
  );

const mailGrant = (action: string) => ({
  may: [
    'configuration-set/vouchsafe-dev',
    'identity/no-reply@vouchsafe\\.example',
    'identity/vouchsafe\\.example',
  ].map((resource) => expect.stringMatching(new RegExp(`^${action} on .*:${resource}"`))),
  variables: {
    MAIL_SENDER: 'Vouchsafe <no-reply@vouchsafe.example>',
    MAIL_CONFIGURATION_SET: 'vouchsafe-dev',
  },
});

/** Of a function that starts executions of a state machine. */
const starts = (machine: string, variable: string, more: Record<string, string> = {}) => ({
  may: [
    expect.stringMatching(new RegExp(`^states:StartExecution on .*:stateMachine:vouchsafe-dev-${machine}"`)),
  ],
  variables: {
    [variable]: { 'Fn::Join': ['', expect.arrayContaining([`:stateMachine:vouchsafe-dev-${machine}`])] },
    ...more,
  },
});

/** The permissions and environment variables that each resource brings. */
const used = {
  mail: mailGrant('ses:SendEmail'),
  rawMail: mailGrant('ses:SendRawEmail'),
  timers: starts('timers', 'TIMER_STATE_MACHINE_ARN', { TIMER_HORIZON_HOURS: '48' }),
  watchTimers: {
    may: [expect.stringMatching(/^states:DescribeExecution on .*:execution:vouchsafe-dev-timers:\*"/)],
    variables: {},
  },
  webhookDelivery: starts('webhook-delivery', 'WEBHOOK_DELIVERY_MACHINE_ARN'),
  webhookRetries: starts('webhook-retries', 'WEBHOOK_RETRY_MACHINE_ARN'),
  bankImport: starts('bank-import', 'BANK_IMPORT_MACHINE_ARN'),
  stripe: {
    may: [expect.stringMatching(/^secretsmanager:GetSecretValue on .*:secret:vouchsafe\/dev\/stripe\/\*"/)],
    variables: { STRIPE_SECRET_PREFIX: 'vouchsafe/dev/stripe/' },
  },
  geo: { may: [], variables: { GEO_DIR: '/opt/geo' } },
  deploymentKey: {
    may: [expect.stringMatching(/^secretsmanager:GetSecretValue on .*DeploymentKey/)],
    variables: { DEPLOYMENT_KEY_SECRET: { 'Fn::ImportValue': expect.stringMatching(/RefDeploymentKey/) } },
  },
  deviceProfiling: { may: [], variables: {} },
  enrolment: { may: [], variables: { ENROLMENT: 'open' } },
  securityContact: { may: [], variables: {} },
  deviceProof: { may: [], variables: { DEVICE_PROOF: 'offered' } },
  sandboxGateway: { may: [], variables: { SANDBOX_GATEWAY: 'true' } },
  applicationRate: { may: [], variables: { APPLICATION_REQUESTS_PER_SECOND: '50' } },
} as const;

/** Permissions of a consumer of the stream beyond its grants. */
const streamGrant = [
  ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) =>
    expect.stringMatching(new RegExp(`^dynamodb:${action} on .*Fn::ImportValue.*StreamArn`)),
  ),
  expect.stringMatching(/^dynamodb:ListStreams on "?\*"?$/),
  expect.stringMatching(/^sqs:SendMessage on .*:vouchsafe-dev-dead-letters"/),
];

test('each route and each timer has one function, and there are no others', () => {
  expect(all('AWS::Lambda::Function')).toHaveLength(registry.length + registeredTimers().length);
});

describe.each(registeredTimers())('the timer $id', ({ id, timer }) => {
  const { everyMinutes } = timer;
  const isTask = everyMinutes === undefined && timer.stream === undefined;
  const [functionId, { Properties }] = functionOf(timerDescription(timer));
  const rules = all('AWS::Events::Rule').filter(
    ([, rule]) => rule.Properties.Targets[0].Arn['Fn::GetAtt'][0] === functionId,
  );

  onlyIf(isTask)('is invoked by the state machine and has no schedule', () => {
    expect(rules).toEqual([]);
    const definitions = machines.map(
      ({ Properties: { DefinitionString } }) => DefinitionString['Fn::Join'][1],
    );
    expect(definitions.flat()).toContainEqual({ 'Fn::GetAtt': [functionId, 'Arn'] });
  });

  onlyIf(timer.stream)('gets the new items under its keys from the stream, by one mapping', () => {
    const mappings = all('AWS::Lambda::EventSourceMapping').filter(
      ([, mapping]) => mapping.Properties.FunctionName.Ref === functionId,
    );
    expect(mappings).toHaveLength(1);
    expect(rules).toEqual([]);
  });

  onlyIf(everyMinutes)('runs by its schedule, and a failed run is left to the next', () => {
    expect(rules.map(([, rule]) => rule.Properties)).toMatchObject([
      {
        ScheduleExpression: everyMinutes === 360 ? 'rate(6 hours)' : `rate(${everyMinutes} minutes)`,
        State: 'ENABLED',
        Targets: [{ RetryPolicy: { MaximumRetryAttempts: 0 } }],
      },
    ]);
  });

  test('has exactly the permissions of its grants, and those of a consumer of the stream', () => {
    const may = [
      ...onItems(timer.grants.table),
      ...onIndexes(timer.grants.indexes),
      ...ownLog(Properties),
      ...usesOf(timer.grants.uses).flatMap((use) => used[use].may),
      ...(timer.stream === undefined ? [] : streamGrant),
    ];
    expect(mayDo(Properties)).toEqual(expect.arrayContaining(may));
    expect(mayDo(Properties)).toHaveLength(may.length);
  });

  onlyIf(timer.stream === undefined)('raises an alarm when it fails, unless the sweep takes over', () => {
    const alarms = all('AWS::CloudWatch::Alarm').filter(([, alarm]) =>
      JSON.stringify(alarm.Properties).includes(`"Value":"${Properties.FunctionName}"`),
    );
    const expected = id === deliveryTask ? [] : ['Errors'];
    expect(alarms.map(([, alarm]) => alarm.Properties.MetricName)).toEqual(expected);
  });
});

describe('where the deployment requires a proof to manage devices', () => {
  const functions = resourcesOf(configured);

  test('the device list and the revocation are granted the check and configured to require it', () => {
    for (const name of ['GET', 'DELETE']) {
      const [, found] = functionOf(`${name} /api/devices: `, functions);
      expect(found.Properties.Environment.Variables).toMatchObject({
        DEVICE_MANAGEMENT_PROOF: 'true',
        DEPLOYMENT_KEY_SECRET: expect.anything(),
      });
      const role = functions[found.Properties.Role['Fn::GetAtt'][0]];
      const policy = JSON.stringify(role.Properties.Policies);
      for (const part of ['PROOF#*', 'DEVICE#*', 'secretsmanager:GetSecretValue'])
        expect(policy).toContain(part);
    }
  });
});

/** Authentication methods whose requests count for the rate limit of an application. */
const keyedByApplication = ['links', 'apiKey', 'application', 'seller'];

describe.each(registry)('the function of $route.method $route.path', (entry) => {
  const { service, route } = entry;
  const [, { Properties }] = functionOf(`${route.method} ${route.path}: `);
  const implied = route.auth === 'management' ? {} : authGrants[route.auth];
  const uses = [...(route.grants.uses ?? []), ...(implied.uses ?? [])];

  test('has exactly the permissions of its grants, on items of the granted prefixes, and writes its own log', () => {
    const may = [
      ...ownLog(Properties),
      ...onItems(route.grants.table),
      ...onItems(implied.table),
      ...(route.operatorScope && route.method !== 'GET' ? onItems({ AUDIT: ['PutItem'] }) : []),
      ...onIndexes(route.grants.indexes),
      ...(route.limit || route.byteLimit ? onItems({ RATE: ['UpdateItem'] }) : []),
    ];
    expect(mayDo(Properties)).toEqual([
      ...[...new Set(may)].filter((line) => line < 'logs').sort(),
      ...[...new Set(may)].filter((line) => line > 'logs').sort(),
      ...usesOf(uses).flatMap((use) => used[use].may),
    ]);
  });

  test('has a role of its own, to which no other policy is attached', () => {
    const users = all('AWS::Lambda::Function').filter(
      ([, other]) => other.Properties.Role['Fn::GetAtt'][0] === Properties.Role['Fn::GetAtt'][0],
    );
    expect(users).toHaveLength(1);
    expect(all('AWS::IAM::Policy')).toEqual([]);
  });

  test('has exactly the environment variables that its route needs', () => {
    const { Variables } = Properties.Environment;
    const usesTable =
      route.limit !== undefined || Object.keys({ ...route.grants.table, ...implied.table }).length > 0;
    expect(Variables).toEqual({
      POWERTOOLS_SERVICE_NAME: service,
      POWERTOOLS_METRICS_NAMESPACE: 'Vouchsafe/dev',
      POWERTOOLS_LOG_LEVEL: 'INFO',
      ...defined({
        TABLE_NAME: usesTable ? { 'Fn::ImportValue': expect.stringMatching(/RefTable/) } : undefined,
        ALLOWED_ORIGINS: route.cors ? '["*"]' : undefined,
        FILES_DIR: route.grants.files ? '/var/task' : undefined,
        DEVICE_MANAGEMENT_PROOF: route.auth === 'management' ? 'false' : undefined,
        APPLICATION_REQUESTS_PER_SECOND: keyedByApplication.includes(route.auth) ? '50' : undefined,
      }),
      ...Object.assign({}, ...uses.map((use) => used[use].variables)),
    });
  });
});

test('every log expires, and a stage that keeps its logs keeps that of a deleted function', () => {
  const logs = ofType(resourcesOf(configured), 'AWS::Logs::LogGroup');
  expect(logs).toHaveLength(registry.length + registeredTimers().length + 4);
  for (const [, log] of logs) {
    expect(log.Properties.RetentionInDays).toBe(90);
    expect(log.DeletionPolicy).toBe('Retain');
  }
});

test('concurrency is reserved for the functions of the setting, and for none without it, as an account of 10 needs', () => {
  const reservedOf = (of: typeof dev) =>
    ofType(resourcesOf(of), 'AWS::Lambda::Function').flatMap(({ 1: { Properties } }) =>
      Properties.ReservedConcurrentExecutions === undefined
        ? []
        : [[Properties.FunctionName, Properties.ReservedConcurrentExecutions]],
    );
  expect(reservedOf(dev)).toEqual([]);
  expect(reservedOf(configured)).toEqual([[expect.stringMatching(/webhooks-attempt$/), 50]]);
});
