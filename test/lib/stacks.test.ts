import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { afterAll, describe, expect, test } from 'vitest';
import { type Registered, registeredRoutes } from '../../functions/routes.ts';
import { dueAttributes, indexes, tableSchema } from '../../functions/shared/contract/keys.ts';
import { authGrants, type Grants, type Resource } from '../../functions/shared/contract/route.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { pathsOf } from '../../lib/paths.ts';
import { subscriptionTimer } from '../../lib/timers/subscription.ts';
import { deployment } from '../support/deployment.ts';
import { onlyIf } from '../support/only-if.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what is there, whatever it is.
type Json = any;

const registry = registeredRoutes();
const dev = deployment({ alarmEmail: 'alarms@example.com' });
const api = Template.fromStack(dev.api);
const data = Template.fromStack(dev.data);
afterAll(() => dev.remove());

const all = (type: string): [string, Json][] => Object.entries(api.findResources(type));
const resources: Record<string, Json> = api.toJSON().Resources;

/** A function of the template by what its description begins with. */
function functionOf(description: string): [string, Json] {
  const found = all('AWS::Lambda::Function').find(([, { Properties }]) =>
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

/** What every function has: its own log. */
const ownLog = ({ LoggingConfig }: Json) =>
  ['logs:CreateLogStream', 'logs:PutLogEvents'].map(
    (action) => `${action} on ${JSON.stringify({ 'Fn::GetAtt': [LoggingConfig.LogGroup.Ref, 'Arn'] })}`,
  );

/** In the order of what they let do. */
const usesOf = (uses: readonly Resource[] = []) => order.filter((use) => uses.includes(use));
const order: readonly Resource[] = [
  ...([
    'geo',
    'deviceProfiling',
    'deploymentKey',
    'stripe',
    'mail',
    'rawMail',
    'watchTimers',
    'timers',
  ] as const),
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

const mailing = (action: string) => ({
  may: ['no-reply@vouchsafe\\.example', 'vouchsafe\\.example'].map((name) =>
    expect.stringMatching(new RegExp(`^${action} on .*:identity/${name}"`)),
  ),
  variables: { MAIL_SENDER: 'Vouchsafe <no-reply@vouchsafe.example>' },
});

const [[machineId, machine] = ['', {} as Json], ...otherMachines] = all('AWS::StepFunctions::StateMachine');

/** What each resource lets a function do, in this order, and puts into its environment. */
const used = {
  mail: mailing('ses:SendEmail'),
  rawMail: mailing('ses:SendRawEmail'),
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
  test('has the keys and the time to live that the code uses', () => {
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

  test('is paid by request, can be restored to any moment, and outlives its stack in every stage', () => {
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

  test('is in a stack that holds nothing but it and the key of the deployment', () => {
    expect(Object.values<Json>(data.toJSON().Resources).map(({ Type }) => Type)).toEqual([
      'AWS::DynamoDB::GlobalTable',
      'AWS::SecretsManager::Secret',
    ]);
    api.resourceCountIs('AWS::DynamoDB::GlobalTable', 0);
  });
});

test('the key of the deployment is made by it, is in no template, and outlives its stack', () => {
  data.hasResource('AWS::SecretsManager::Secret', {
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
      SecretString: Match.absent(),
    },
  });
});

test('there is one function for each route and timer, and none beside', () => {
  api.resourceCountIs('AWS::Lambda::Function', registry.length + registeredTimers().length);
});

describe.each(registeredTimers())('the timer $id', ({ timer }) => {
  const { everyMinutes } = timer;
  const how = everyMinutes === undefined ? 'By a state machine' : `Every ${everyMinutes} minutes`;
  const [functionId, { Properties }] = functionOf(`${how}: ${timer.summary}`);
  const rules = all('AWS::Events::Rule').filter(
    ([, rule]) => rule.Properties.Targets[0].Arn['Fn::GetAtt'][0] === functionId,
  );

  onlyIf(everyMinutes === undefined)('has no schedule: the state machine invokes it', () => {
    expect(rules).toEqual([]);
    expect(machine.Properties.DefinitionString['Fn::Join'][1]).toContainEqual({
      'Fn::GetAtt': [functionId, 'Arn'],
    });
  });

  onlyIf(everyMinutes)("runs by its schedule, and what one run leaves undone is the next one's", () => {
    expect(rules.map(([, rule]) => rule.Properties)).toMatchObject([
      {
        ScheduleExpression: everyMinutes === 360 ? 'rate(6 hours)' : `rate(${everyMinutes} minutes)`,
        State: 'ENABLED',
        Targets: [{ RetryPolicy: { MaximumRetryAttempts: 0 } }],
      },
    ]);
  });

  test('may do exactly what it is granted', () => {
    expect(mayDo(Properties)).toEqual(
      [...onItems(timer.grants.table), ...onIndexes(timer.grants.indexes)].sort().concat(
        ownLog(Properties),
        usesOf(timer.grants.uses).flatMap((use) => used[use].may),
      ),
    );
  });

  test('raises an alarm when it fails', () => {
    const alarms = all('AWS::CloudWatch::Alarm').filter(([, alarm]) =>
      JSON.stringify(alarm.Properties).includes(`{"Ref":"${functionId}"}`),
    );
    expect(alarms.map(([, alarm]) => alarm.Properties.MetricName).sort()).toEqual(['Errors', 'Throttles']);
  });
});

describe('where the deployment asks for a proof to manage devices', () => {
  const { api: stack, remove } = deployment({
    deviceManagementProof: true,
    deviceProfilingUrl: 'https://p.example/',
  });
  const asking = Template.fromStack(stack);
  remove();

  test('the list and revocation may check it, and know that they must', () => {
    for (const name of ['GET', 'DELETE']) {
      const [found] = Object.values<Json>(
        asking.findResources('AWS::Lambda::Function', {
          Properties: { Description: Match.stringLikeRegexp(`^${name} /api/devices: `) },
        }),
      );
      expect(found.Properties.Environment.Variables).toMatchObject({
        DEVICE_MANAGEMENT_PROOF: 'true',
        DEPLOYMENT_KEY_SECRET: expect.anything(),
      });
      const role = asking.toJSON().Resources[found.Properties.Role['Fn::GetAtt'][0]];
      const policy = JSON.stringify(role.Properties.Policies);
      for (const part of ['PROOF#*', 'DEVICE#*', 'secretsmanager:GetSecretValue'])
        expect(policy).toContain(part);
    }
  });

  test('the profiling look-up is known to device-check alone', () => {
    const urls = Object.values<Json>(asking.findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.Environment.Variables.DEVICE_PROFILING_URL,
    );
    expect(urls.filter((url) => url !== undefined)).toEqual(['https://p.example/']);
  });
});

test('a sender that nobody verified is warned of at synthesis', () => {
  const warned = ({ mailSender }: { mailSender: string }) => {
    const { api: stack, remove } = deployment({ mailSender });
    const found = Annotations.fromStack(stack).findWarning(
      '*',
      Match.stringLikeRegexp('No mail can be sent'),
    );
    remove();
    return found.length;
  };
  expect(warned({ mailSender: 'Vouchsafe <no-reply@vouchsafe.example>' })).toBe(1);
  expect(warned({ mailSender: 'Vouchsafe <no-reply@example.com>' })).toBe(0);
});

describe.each(registry)('the function of $route.method $route.path', (entry) => {
  const { service, route } = entry as Registered;
  const [functionId, { Properties }] = functionOf(`${route.method} ${route.path}: `);
  const implied = route.auth === 'management' ? {} : authGrants[route.auth];
  const uses = [...(route.grants.uses ?? []), ...(implied.uses ?? [])];
  const log = resources[Properties.LoggingConfig.LogGroup.Ref];

  test('runs on Node.js 24 on arm64, ends after 25 seconds and runs its bundle', () => {
    expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Timeout: 25 });
    expect(Properties.Handler).toBe('index.handler');
  });

  test('may do exactly what its route is granted, on items of the prefixes named, and write its own log', () => {
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

  test('shares its role with no other function, and nothing else adds to it', () => {
    const users = all('AWS::Lambda::Function').filter(
      ([, other]) => other.Properties.Role['Fn::GetAtt'][0] === Properties.Role['Fn::GetAtt'][0],
    );
    expect(users).toHaveLength(1);
    api.resourceCountIs('AWS::IAM::Policy', 0);
  });

  test('has a log group of its own, kept for the days of the stage, as JSON', () => {
    expect(log.Type).toBe('AWS::Logs::LogGroup');
    expect(log.Properties.RetentionInDays).toBe(7);
    expect(Properties.LoggingConfig).toMatchObject({ LogFormat: 'JSON', ApplicationLogLevel: 'INFO' });
  });

  test('has the environment its route needs, and no more', () => {
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

  test('has the geo data as a layer if it uses it, and no other layer', () => {
    const layers = (Properties.Layers ?? []).map(({ Ref }: Json) => resources[Ref].Type);
    expect(layers).toEqual(uses.includes('geo') ? ['AWS::Lambda::LayerVersion'] : []);
  });

  test('can be called by API Gateway through its method and paths of its stage only', () => {
    const permissions = all('AWS::Lambda::Permission')
      .map(([, permission]) => permission.Properties)
      .filter(({ FunctionName }) => FunctionName['Fn::GetAtt'][0] === functionId);
    const callable = permissions.map(({ Action, Principal, SourceArn }) => {
      expect([Action, Principal]).toEqual(['lambda:InvokeFunction', 'apigateway.amazonaws.com']);
      const [, parts] = SourceArn['Fn::Join'];
      expect(resources[parts.at(-2).Ref].Type).toBe('AWS::ApiGateway::Stage');
      return parts.at(-1);
    });
    expect(callable).toEqual(
      pathsOf(route).map((path) => `/${route.method}${path.replace(/\{\w+\}/g, '*')}`),
    );
  });

  test('raises an alarm when it fails, is throttled or slow, and the alarm is mailed', () => {
    const named = (text: string) => JSON.stringify(text).slice(1, -1);
    const alarms = all('AWS::CloudWatch::Alarm').filter(([, { Properties: alarm }]) =>
      alarm.AlarmDescription.startsWith(`dev: ${route.method} ${route.path} `),
    );
    const watched = alarms.map(([, alarm]) => JSON.stringify(alarm)).join();
    for (const metric of ['ServerErrors', 'Errors', 'Throttles', 'Duration']) {
      expect(watched).toContain(`"MetricName":"${metric}"`);
    }
    expect(watched).toContain(`{"Name":"route","Value":"${named(`${route.method} ${route.path}`)}"}`);
    for (const [, alarm] of alarms) {
      expect(resources[alarm.Properties.AlarmActions[0].Ref].Type).toBe('AWS::SNS::Topic');
    }
  });
});

describe('the state machine of the timers', () => {
  const [stepId, step] = functionOf('By a state machine: Takes the step');
  const [deliveryId, delivery] = functionOf('By a state machine: Sends the mails');
  const { Properties } = machine;

  test('is the only one, and waits for days at little cost', () => {
    expect(otherMachines).toEqual([]);
    expect(Properties).toMatchObject({
      StateMachineName: 'vouchsafe-dev-timers',
      StateMachineType: 'STANDARD',
      TracingConfiguration: { Enabled: true },
    });
  });

  test('runs the definition that runs locally', () => {
    const [, parts] = Properties.DefinitionString['Fn::Join'];
    const text = parts
      .map((part: Json) => (typeof part === 'string' ? part : part['Fn::GetAtt'][0]))
      .join('');
    const names = { step: stepId, delivery: deliveryId };
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(subscriptionTimer(names))));
  });

  test('logs every step, and nothing of what executions carry: that names the subscribers of applications', () => {
    const { Level, IncludeExecutionData, Destinations } = Properties.LoggingConfiguration;
    expect([Level, IncludeExecutionData]).toEqual(['ALL', false]);
    const log = resources[Destinations[0].CloudWatchLogsLogGroup.LogGroupArn['Fn::GetAtt'][0]];
    expect(log.Properties.RetentionInDays).toBe(7);
  });

  test('may invoke its two functions, log and trace', () => {
    const { Policies, ManagedPolicyArns } = resources[Properties.RoleArn['Fn::GetAtt'][0]].Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    const [invoke, ...others] = Policies[0].PolicyDocument.Statement;
    expect(invoke).toMatchObject({
      Action: 'lambda:InvokeFunction',
      Resource: [deliveryId, stepId].map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] })),
    });
    expect(others.flatMap(({ Action }: Json) => Action)).toSatisfy((actions: string[]) =>
      actions.every((action) => /^(logs|xray):/.test(action)),
    );
    expect([step.Properties.Timeout, delivery.Properties.Timeout]).toEqual([25, 25]);
  });

  test('raises an alarm when an execution fails for good', () => {
    const alarms = all('AWS::CloudWatch::Alarm').filter(([, { Properties: alarm }]) =>
      JSON.stringify(alarm.Dimensions ?? []).includes(machineId),
    );
    expect(alarms.map(([, alarm]) => alarm.Properties.MetricName)).toEqual(['ExecutionsFailed']);
  });
});

describe('the API', () => {
  const [[, restApi] = ['', {} as Json]] = all('AWS::ApiGateway::RestApi');
  const [[, stage] = ['', {} as Json]] = all('AWS::ApiGateway::Stage');

  test('is regional, compresses what is worth it, and speaks TLS 1.3 only', () => {
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

  test('costs no resource for paths, methods and gateway responses', () => {
    for (const type of ['Resource', 'Method', 'GatewayResponse']) {
      api.resourceCountIs(`AWS::ApiGateway::${type}`, 0);
    }
  });

  test('logs neither bodies nor paths nor queries: no execution log, and routes only in the access log', () => {
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

  test('is deployed anew when its document changes, which it otherwise would not be', () => {
    const deploymentId = (allowedOrigins: string[]) => {
      const { api: stack, remove } = deployment({ allowedOrigins });
      const ids = Object.keys(Template.fromStack(stack).findResources('AWS::ApiGateway::Deployment'));
      remove();
      return ids;
    };
    const before = deploymentId(['https://a.example']);
    expect(before).toHaveLength(1);
    expect(deploymentId(['https://a.example'])).toEqual(before);
    expect(deploymentId(['https://b.example'])).not.toEqual(before);
  });
});

test('a domain speaks TLS 1.3 only too, and is the only way in', () => {
  const certificateArn = 'arn:aws:acm:eu-west-1:111111111111:certificate/abc';
  const { api: stack, remove } = deployment({ domain: { name: 'api.example.com', certificateArn } });
  const template = Template.fromStack(stack);
  remove();
  template.hasResourceProperties('AWS::ApiGateway::DomainName', {
    DomainName: 'api.example.com',
    RegionalCertificateArn: certificateArn,
    SecurityPolicy: 'SecurityPolicy_TLS13_1_3_2025_09',
    EndpointAccessMode: 'STRICT',
  });
  template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
  template.resourceCountIs('AWS::ApiGateway::BasePathMapping', 1);
  const urlOf = (description: RegExp) =>
    Object.values<Json>(template.findResources('AWS::Lambda::Function')).find(({ Properties }) =>
      description.test(Properties.Description),
    ).Properties.Environment.Variables.PUBLIC_URL;
  expect(urlOf(/^By a state machine: /), 'links in mails begin so').toBe('https://api.example.com');
  expect(urlOf(/^POST \/api\/v1\/subscriptions: /)).toBe('https://api.example.com');
});

test('no log is kept for ever, and a stage that keeps its logs does so when a function goes', () => {
  const { api: stack, remove } = deployment({ keepLogs: true, logRetentionDays: 90 });
  const logs = Object.values(Template.fromStack(stack).findResources('AWS::Logs::LogGroup')) as Json[];
  remove();
  expect(logs).toHaveLength(registry.length + registeredTimers().length + 2);
  for (const log of logs) {
    expect(log.Properties.RetentionInDays).toBe(90);
    expect(log.DeletionPolicy).toBe('Retain');
  }
});

test('all there is stays under the 500 resources that CloudFormation allows', () => {
  expect(Object.keys(resources).length).toBeLessThan(450);
});

test('48 routes stay under the 500 resources that CloudFormation allows, with a tenth to spare', () => {
  const one = registry.filter(({ id }) => id === 'shares.create');
  const many = Array.from({ length: 48 }, (_, i) =>
    one.map((entry) => ({
      ...entry,
      name: `${entry.name}${i}`,
      id: `${entry.id}${i}`,
      route: { ...entry.route, path: `/api/thing${i}/{id}` as const },
    })),
  ).flat();
  const { api: stack, remove } = deployment({ alarmEmail: 'alarms@example.com' }, many);
  const { Resources } = Template.fromStack(stack).toJSON();
  remove();
  expect(many).toHaveLength(48);
  expect(Object.keys(Resources).length).toBeLessThan(450);
});
