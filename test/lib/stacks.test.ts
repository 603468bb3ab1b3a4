import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../functions/routes.ts';
import { dueAttributes, indexes, tableSchema } from '../../functions/shared/contract/keys.ts';
import { authGrants, type Grants, type Resource } from '../../functions/shared/contract/route.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { pathsOf } from '../../lib/paths.ts';
import { subscriptionTimer } from '../../lib/timers/subscription.ts';
import { dashboardMetrics, synthesize } from '../support/deployment.ts';
import { onlyIf } from '../support/only-if.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read templates of any shape.
type Json = any;
type Synthesized = ReturnType<typeof synthesize>;

const registry = registeredRoutes();
const domainName = 'api.example.com';
const certificateArn = 'arn:aws:acm:eu-west-1:111111111111:certificate/abc';
/** Each configuration is synthesized once. */
const dev = synthesize({ alarmEmail: 'alarms@example.com' });
const configured = synthesize({
  deviceManagementProof: true,
  deviceProfilingUrl: 'https://p.example/',
  domain: { name: domainName, certificateArn },
  keepLogs: true,
  logRetentionDays: 90,
  mailSender: 'Vouchsafe <no-reply@example.com>',
});

/** The resources of all nested stacks of the API and of their parent, by logical id. */
function resourcesOf({ templates }: Synthesized): Record<string, Json> {
  const lists = [...templates].filter(([name]) => name !== 'data').map(([, { json }]) => json.Resources);
  const merged = Object.assign({}, ...lists);
  expect(Object.keys(merged)).toHaveLength(lists.flatMap(Object.keys).length);
  return merged;
}

const ofType = (resources: Record<string, Json>, type: string): [string, Json][] =>
  Object.entries(resources).filter(([, { Type }]) => Type === type);

const resources = resourcesOf(dev);
const all = (type: string) => ofType(resources, type);
const shownMetrics = dashboardMetrics(dev.templates);
const data = Template.fromJSON(dev.templates.get('data')?.json);

/** A function of the template by the start of its description. */
function functionOf(description: string, of = resources): [string, Json] {
  const found = ofType(of, 'AWS::Lambda::Function').find(([, { Properties }]) =>
    Properties.Description.startsWith(description),
  );
  if (found === undefined) throw new Error(`No function for ${description}`);
  return found;
}

/** The statements of a function's role, as `service:Action on prefix or resource`, sorted. */
function mayDo(properties: Json): string[] {
  const role = resources[properties.Role['Fn::GetAtt'][0]].Properties;
  expect(role.ManagedPolicyArns).toBeUndefined();
  expect(role.Policies).toHaveLength(1);
  return (role.Policies[0].PolicyDocument.Statement as Json[])
    .flatMap(({ Effect, Action, Resource, Condition, ...rest }) => {
      expect([Effect, rest]).toEqual(['Allow', {}]);
      const [prefix] = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [];
      const table = { 'Fn::ImportValue': expect.stringMatching(/Table.*Arn/) };
      return [Resource].flat().flatMap((resource: Json) => {
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
  'timers',
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
  may: ['no-reply@vouchsafe\\.example', 'vouchsafe\\.example'].map((name) =>
    expect.stringMatching(new RegExp(`^${action} on .*:identity/${name}"`)),
  ),
  variables: { MAIL_SENDER: 'Vouchsafe <no-reply@vouchsafe.example>' },
});

const [[, restApi] = ['', {} as Json]] = all('AWS::ApiGateway::RestApi');
const document = restApi.Properties.Body;
const integration = 'x-amazon-apigateway-integration';
const [[invokeRoleId] = ['']] = all('AWS::IAM::Role').filter(([id]) => id.startsWith('Invoke'));

const [[, machine] = ['', {} as Json], ...otherMachines] = all('AWS::StepFunctions::StateMachine');

/** The permissions and environment variables that each resource brings. */
const used = {
  mail: mailGrant('ses:SendEmail'),
  rawMail: mailGrant('ses:SendRawEmail'),
  timers: {
    may: [expect.stringMatching(/^states:StartExecution on .*:stateMachine:vouchsafe-dev-timers"/)],
    variables: {
      TIMER_STATE_MACHINE_ARN: {
        'Fn::Join': ['', expect.arrayContaining([':stateMachine:vouchsafe-dev-timers'])],
      },
      TIMER_HORIZON_HOURS: '48',
    },
  },
  watchTimers: {
    may: [expect.stringMatching(/^states:DescribeExecution on .*:execution:vouchsafe-dev-timers:\*"/)],
    variables: {},
  },
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
} as const;

describe('the table', () => {
  test('has the keys, indexes and time to live that the code uses', () => {
    data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      KeySchema: [
        { AttributeName: tableSchema.partitionKey, KeyType: 'HASH' },
        { AttributeName: tableSchema.sortKey, KeyType: 'RANGE' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'byStatus',
          KeySchema: [
            { AttributeName: tableSchema.partitionKey, KeyType: 'HASH' },
            { AttributeName: indexes.byStatus.sortKey, KeyType: 'RANGE' },
          ],
        },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'queue',
          KeySchema: [
            { AttributeName: indexes.queue.partitionKey, KeyType: 'HASH' },
            { AttributeName: indexes.queue.sortKey, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: 'byLink',
          KeySchema: [{ AttributeName: indexes.byLink.partitionKey, KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
        {
          IndexName: 'due',
          KeySchema: [
            { AttributeName: indexes.due.partitionKey, KeyType: 'HASH' },
            { AttributeName: indexes.due.sortKey, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...dueAttributes] },
        },
      ],
      TimeToLiveSpecification: { AttributeName: tableSchema.timeToLive, Enabled: true },
    });
  });

  test('is billed by request, restorable to any point in time, and kept when its stack is deleted', () => {
    data.hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        Replicas: [
          Match.objectLike({
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          }),
        ],
      },
    });
  });

  test('is in a stack with nothing else but the key of the deployment', () => {
    expect(Object.values<Json>(data.toJSON().Resources).map(({ Type }) => Type)).toEqual([
      'AWS::DynamoDB::GlobalTable',
      'AWS::SecretsManager::Secret',
    ]);
    expect(all('AWS::DynamoDB::GlobalTable')).toEqual([]);
  });
});

test('the key of the deployment is generated, is in no template, and is kept when its stack is deleted', () => {
  data.hasResource('AWS::SecretsManager::Secret', {
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
      SecretString: Match.absent(),
    },
  });
});

test('each route and each timer has one function, and there are no others', () => {
  expect(all('AWS::Lambda::Function')).toHaveLength(registry.length + registeredTimers().length);
});

describe.each(registeredTimers())('the timer $id', ({ timer }) => {
  const { everyMinutes } = timer;
  const how = everyMinutes === undefined ? 'By a state machine' : `Every ${everyMinutes} minutes`;
  const [functionId, { Properties }] = functionOf(`${how}: ${timer.summary}`);
  const rules = all('AWS::Events::Rule').filter(
    ([, rule]) => rule.Properties.Targets[0].Arn['Fn::GetAtt'][0] === functionId,
  );

  onlyIf(everyMinutes === undefined)('is invoked by the state machine and has no schedule', () => {
    expect(rules).toEqual([]);
    expect(machine.Properties.DefinitionString['Fn::Join'][1]).toContainEqual({
      'Fn::GetAtt': [functionId, 'Arn'],
    });
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

  test('has exactly the permissions of its grants', () => {
    expect(mayDo(Properties)).toEqual(
      [...onItems(timer.grants.table), ...onIndexes(timer.grants.indexes)].sort().concat(
        ownLog(Properties),
        usesOf(timer.grants.uses).flatMap((use) => used[use].may),
      ),
    );
  });

  test('raises an alarm when it fails', () => {
    const alarms = all('AWS::CloudWatch::Alarm').filter(([, alarm]) =>
      JSON.stringify(alarm.Properties).includes(`"Value":"${Properties.FunctionName}"`),
    );
    expect(alarms.map(([, alarm]) => alarm.Properties.MetricName)).toEqual(['Errors']);
  });
});

describe('where the deployment requires a proof to manage devices', () => {
  const functions = resourcesOf(configured);

  test('the list and the revocation may check it, and know that they must', () => {
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

  test('only the device check knows the profiling endpoint', () => {
    const urls = ofType(functions, 'AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.Environment.Variables.DEVICE_PROFILING_URL,
    );
    expect(urls.filter((url) => url !== undefined)).toEqual(['https://p.example/']);
  });
});

test('synthesis warns of a sender that SES has not verified', () => {
  const warnings = ({ warnings }: Synthesized) => warnings.filter((text) => text.startsWith('Mail cannot'));
  expect(warnings(dev)).toHaveLength(1);
  expect(warnings(configured)).toHaveLength(0);
});

describe.each(registry)('the function of $route.method $route.path', (entry) => {
  const { service, name, route } = entry;
  const [, { Properties }] = functionOf(`${route.method} ${route.path}: `);
  const implied = route.auth === 'management' ? {} : authGrants[route.auth];
  const uses = [...(route.grants.uses ?? []), ...(implied.uses ?? [])];
  const log = resources[Properties.LoggingConfig.LogGroup.Ref];

  test('runs its bundle on Node.js 24 on arm64, for at most 25 seconds', () => {
    expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Timeout: 25 });
    expect(Properties.Handler).toBe('index.handler');
  });

  test('has exactly the permissions of its grants, on items of the granted prefixes, and writes its own log', () => {
    const may = [
      ...ownLog(Properties),
      ...onItems(route.grants.table),
      ...onItems(implied.table),
      ...onIndexes(route.grants.indexes),
      ...(route.limit ? onItems({ RATE: ['UpdateItem'] }) : []),
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

  test('has a log group of its own, in JSON, with the retention of the stage', () => {
    expect(log.Type).toBe('AWS::Logs::LogGroup');
    expect(log.Properties.RetentionInDays).toBe(7);
    expect(Properties.LoggingConfig).toMatchObject({ LogFormat: 'JSON', ApplicationLogLevel: 'INFO' });
  });

  test('has exactly the environment variables that its route needs', () => {
    const { Variables } = Properties.Environment;
    const usesTable =
      route.limit !== undefined || Object.keys({ ...route.grants.table, ...implied.table }).length > 0;
    expect(Variables).toEqual({
      POWERTOOLS_SERVICE_NAME: service,
      POWERTOOLS_METRICS_NAMESPACE: 'Vouchsafe/dev',
      POWERTOOLS_LOG_LEVEL: 'INFO',
      ...(usesTable && { TABLE_NAME: { 'Fn::ImportValue': expect.stringMatching(/RefTable/) } }),
      ...(route.cors && { ALLOWED_ORIGINS: '["*"]' }),
      ...(route.grants.files && { FILES_DIR: '/var/task' }),
      ...(route.auth === 'management' && { DEVICE_MANAGEMENT_PROOF: 'false' }),
      ...(['links', 'apiKey'].includes(route.auth) && { APPLICATION_REQUESTS_PER_SECOND: '50' }),
      ...Object.assign({}, ...uses.map((use) => used[use].variables)),
    });
  });

  test('has the layer with the geo data only if it uses it', () => {
    const layers = (Properties.Layers ?? []).map(({ Ref }: Json) => resources[Ref].Type);
    expect(layers).toEqual(uses.includes('geo') ? ['AWS::Lambda::LayerVersion'] : []);
  });

  test('is named by stage, service and route', () => {
    expect(Properties.FunctionName).toBe(`vouchsafe-dev-api-${service}-${name}`);
    expect(Properties.FunctionName.length).toBeLessThanOrEqual(64);
  });

  test('is invoked by API Gateway for its method and paths only, with the role of the API', () => {
    const invoking = Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
      Object.entries<Json>(operations)
        .map(([method, operation]) => ({ method, ...operation[integration] }))
        .filter(({ uri }) => uri?.['Fn::Sub'].endsWith(`:function:${Properties.FunctionName}/invocations`))
        .map(({ method, credentials }) => {
          expect(credentials).toEqual({ 'Fn::GetAtt': [invokeRoleId, 'Arn'] });
          return `${method.toUpperCase()} ${path}`;
        }),
    );
    expect(invoking.sort()).toEqual(
      pathsOf(route)
        .map((path) => `${route.method} ${path}`)
        .sort(),
    );
  });

  test('is on the dashboard with its failures, duration and throttles', () => {
    const metrics = shownMetrics.filter((metric) => metric.includes(Properties.FunctionName));
    expect(metrics.map(([namespace, name]) => `${namespace} ${name}`).sort()).toEqual([
      'AWS/Lambda Duration',
      'AWS/Lambda Errors',
      'AWS/Lambda Throttles',
    ]);
    const path = `${route.method} ${route.path}`;
    const responses = shownMetrics.filter(
      ([, name, ...rest]) => name === 'ServerErrors' && rest.includes(path),
    );
    expect(responses).toHaveLength(1);
  });
});

test('failures, slow responses and throttles of the API raise an alarm', () => {
  const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  expect(alarms).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        Namespace: 'AWS/ApiGateway',
        MetricName: '5XXError',
        Dimensions: [{ Name: 'ApiName', Value: restApi.Properties.Name }],
        Statistic: 'Sum',
        Threshold: 1,
      }),
      expect.objectContaining({
        Namespace: 'AWS/ApiGateway',
        MetricName: 'Latency',
        Dimensions: [{ Name: 'ApiName', Value: restApi.Properties.Name }],
        ExtendedStatistic: 'p99',
        Threshold: 5_000,
      }),
    ]),
  );
  const throttles = alarms.filter(({ MetricName }) => MetricName === 'Throttles');
  expect(throttles).toMatchObject([{ Namespace: 'AWS/Lambda', Statistic: 'Sum', Threshold: 1 }]);
  // Without dimensions it is the metric of all functions of the account.
  expect(throttles[0]).not.toHaveProperty('Dimensions');
});

test('every alarm is mailed', () => {
  const alarms = all('AWS::CloudWatch::Alarm');
  expect(alarms).toHaveLength(4 + registeredTimers().length);
  for (const [, alarm] of alarms) {
    expect(resources[alarm.Properties.AlarmActions[0].Ref].Type).toBe('AWS::SNS::Topic');
  }
});

describe('the role that API Gateway assumes', () => {
  test('may invoke the functions of this API, and nothing else', () => {
    const { Policies, ManagedPolicyArns, AssumeRolePolicyDocument } = resources[invokeRoleId].Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    expect(Policies).toHaveLength(1);
    expect(Policies[0].PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'lambda:InvokeFunction',
        Resource: {
          'Fn::Join': [
            '',
            [
              'arn:',
              { Ref: 'AWS::Partition' },
              ':lambda:',
              { Ref: 'AWS::Region' },
              ':',
              { Ref: 'AWS::AccountId' },
              ':function:vouchsafe-dev-api-*',
            ],
          ],
        },
      },
    ]);
    expect(AssumeRolePolicyDocument.Statement).toMatchObject([
      { Action: 'sts:AssumeRole', Principal: { Service: 'apigateway.amazonaws.com' } },
    ]);
  });

  test('does not reach the functions of timers', () => {
    const timers = all('AWS::Lambda::Function').filter(
      ([, { Properties }]) => !Properties.FunctionName.startsWith('vouchsafe-dev-api-'),
    );
    expect(timers).toHaveLength(registeredTimers().length);
  });

  test('replaces the permissions of functions', () => {
    const invokers = all('AWS::Lambda::Permission').map(([, { Properties }]) => Properties.Principal);
    expect(new Set(invokers)).toEqual(new Set(['events.amazonaws.com']));
  });
});

describe('the state machine of the timers', () => {
  const tasks = all('AWS::Lambda::Function').filter(
    ([
      ,
      {
        Properties: { Description },
      },
    ]) => Description.startsWith('By a state machine: '),
  );
  const { Properties } = machine;

  test('is the only one, and is of the type whose executions can wait for days', () => {
    expect(otherMachines).toEqual([]);
    expect(Properties).toMatchObject({
      StateMachineName: 'vouchsafe-dev-timers',
      StateMachineType: 'STANDARD',
      TracingConfiguration: { Enabled: true },
    });
  });

  test('runs the definition that runs locally', () => {
    const [, parts] = Properties.DefinitionString['Fn::Join'];
    const text = parts.map((part: Json) => (typeof part === 'string' ? part : 'the task')).join('');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(subscriptionTimer('the task'))));
  });

  test('logs every step but not the input of executions, which names the subscribers of applications', () => {
    const { Level, IncludeExecutionData, Destinations } = Properties.LoggingConfiguration;
    expect([Level, IncludeExecutionData]).toEqual(['ALL', false]);
    const log = resources[Destinations[0].CloudWatchLogsLogGroup.LogGroupArn['Fn::GetAtt'][0]];
    expect(log.Properties.RetentionInDays).toBe(7);
  });

  test('may invoke its tasks, log and trace, and nothing else', () => {
    const { Policies, ManagedPolicyArns } = resources[Properties.RoleArn['Fn::GetAtt'][0]].Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    const [invoke, ...others] = Policies[0].PolicyDocument.Statement;
    expect(invoke.Action).toBe('lambda:InvokeFunction');
    expect([invoke.Resource].flat()).toEqual(tasks.map(([id]) => ({ 'Fn::GetAtt': [id, 'Arn'] })));
    expect(others.flatMap(({ Action }: Json) => Action)).toSatisfy((actions: string[]) =>
      actions.every((action) => /^(logs|xray):/.test(action)),
    );
    for (const [, task] of tasks) expect(task.Properties.Timeout).toBe(25);
  });

  test('raises an alarm when an execution fails for good', () => {
    const alarms = all('AWS::CloudWatch::Alarm').filter(([, { Properties: alarm }]) =>
      JSON.stringify(alarm.Dimensions ?? []).includes(`:stateMachine:${Properties.StateMachineName}"`),
    );
    expect(alarms.map(([, alarm]) => alarm.Properties.MetricName)).toEqual(['ExecutionsFailed']);
  });
});

describe('the API', () => {
  const [[, stage] = ['', {} as Json]] = all('AWS::ApiGateway::Stage');

  test('is regional, compresses responses from 1 KB, and speaks TLS 1.3 only', () => {
    expect(restApi.Properties).toMatchObject({
      SecurityPolicy: 'SecurityPolicy_TLS13_1_3_2025_09',
      EndpointAccessMode: 'STRICT',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      MinimumCompressionSize: 1024,
      DisableExecuteApiEndpoint: false,
    });
  });

  test('answers an unknown path with the JSON 404', () => {
    const { MISSING_AUTHENTICATION_TOKEN: answer } =
      restApi.Properties.Body['x-amazon-apigateway-gateway-responses'];
    expect(answer.statusCode).toBe('404');
    expect(JSON.parse(answer.responseTemplates['application/json']).error).toBe('not_found');
  });

  test('needs no resources for paths, methods and gateway responses', () => {
    for (const type of ['Resource', 'Method', 'GatewayResponse']) {
      expect(all(`AWS::ApiGateway::${type}`)).toEqual([]);
    }
  });

  test('logs routes but no bodies, paths or queries, and has no execution log', () => {
    expect(stage.Properties.MethodSettings).toEqual([
      expect.objectContaining({ LoggingLevel: 'OFF', DataTraceEnabled: false, ResourcePath: '/*' }),
    ]);
    const fields = Object.values(JSON.parse(stage.Properties.AccessLogSetting.Format));
    expect(fields).toContain('$context.resourcePath');
    expect(fields.join()).not.toMatch(
      /context\.(path|customDomain|error\.message|identity\.userAgent)|query|header/,
    );
  });

  test('is throttled as the stage says', () => {
    expect(stage.Properties.MethodSettings).toEqual([
      expect.objectContaining({ ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 }),
    ]);
  });

  test('is deployed again when its document changes', () => {
    const deploymentIds = (allowedOrigins: string[]) => {
      const one = registry.filter(({ id }) => id === 'shares.create');
      const changed = resourcesOf(synthesize({ allowedOrigins }, one));
      return ofType(changed, 'AWS::ApiGateway::Deployment').map(([id]) => id);
    };
    const before = deploymentIds(['https://a.example']);
    expect(before).toHaveLength(1);
    expect(deploymentIds(['https://a.example'])).toEqual(before);
    expect(deploymentIds(['https://b.example'])).not.toEqual(before);
  });
});

test('a domain speaks TLS 1.3 only, and is the only host of the API', () => {
  const template = Template.fromJSON(configured.templates.get('Gateway')?.json);
  template.hasResourceProperties('AWS::ApiGateway::DomainName', {
    DomainName: domainName,
    RegionalCertificateArn: certificateArn,
    SecurityPolicy: 'SecurityPolicy_TLS13_1_3_2025_09',
    EndpointAccessMode: 'STRICT',
  });
  template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
  template.resourceCountIs('AWS::ApiGateway::BasePathMapping', 1);
  const urlOf = (description: string) =>
    functionOf(description, resourcesOf(configured))[1].Properties.Environment.Variables.PUBLIC_URL;
  expect(urlOf('By a state machine: '), 'the base of links in mails').toBe('https://api.example.com');
  expect(urlOf('POST /api/v1/subscriptions: ')).toBe('https://api.example.com');
});

test('every log expires, and a stage that keeps its logs keeps that of a deleted function', () => {
  const logs = ofType(resourcesOf(configured), 'AWS::Logs::LogGroup');
  expect(logs).toHaveLength(registry.length + registeredTimers().length + 2);
  for (const [, log] of logs) {
    expect(log.Properties.RetentionInDays).toBe(90);
    expect(log.DeletionPolicy).toBe('Retain');
  }
});

test('an endpoint needs at most four resources', () => {
  const [[, shares] = []] = [...dev.templates].filter(([name]) => name === 'shares');
  const routes = registry.filter(({ service }) => service === 'shares');
  expect(Object.keys(shares?.json.Resources)).toHaveLength(3 * routes.length);
});
