import { registeredRoutes } from '../../../../../functions/routes.ts';
import { ownFiles } from '../../../../../lib/deployment/gateway/own-files.ts';
import { methodsOf } from '../../../../../lib/deployment/gateway/paths.ts';
import { unknownPath, unknownPathThrottle } from '../../../../../lib/deployment/gateway/unknown-path.ts';
import { pathsOf } from '../../../../../lib/openapi/paths.ts';
import { synthesize } from '../../../../support/deployment/deployment.ts';
import {
  all,
  configured,
  domain,
  functionOf,
  type Json,
  ofType,
  resources,
  resourcesOf,
} from './synthesized.ts';

const registry = registeredRoutes();
const [[, restApi] = ['', {} as Json]] = all('AWS::ApiGateway::RestApi');
const [[, stage] = ['', {} as Json]] = all('AWS::ApiGateway::Stage');
const [[invokeRoleId] = ['']] = all('AWS::IAM::Role').filter(([id]) => id.startsWith('Invoke'));
/** For each method and path, how the API invokes its function. */
const invocations = Object.entries<Json>(restApi.Properties.Body.paths).flatMap(([path, operations]) =>
  Object.entries<Json>(operations).flatMap(([method, { 'x-amazon-apigateway-integration': integration }]) =>
    integration?.uri === undefined ? [] : [{ at: `${method.toUpperCase()} ${path}`, ...integration }],
  ),
);

test('each function is invoked for its method and paths only, with the role of the API, in its account and region', () => {
  const expected = registry.flatMap(({ route }) => {
    const [, { Properties }] = functionOf(`${route.method} ${route.path}: `);
    const name = Properties.FunctionName.replace(/^vouchsafe-dev-api-/, '');
    const methods = methodsOf(route);
    return pathsOf(route).flatMap((path) =>
      methods.map((method) => [`${method} ${path}`, `\${Invocations}${name}/invocations`]),
    );
  });
  const invoked = invocations.map(({ at, uri }) => [at, uri['Fn::Sub']]);
  expect(Object.fromEntries(invoked)).toEqual(Object.fromEntries(expected));
  expect(invoked).toHaveLength(expected.length);
  for (const { at, credentials } of invocations)
    expect(credentials, at).toEqual({ 'Fn::GetAtt': [invokeRoleId, 'Arn'] });
  const [, nested] = all('AWS::CloudFormation::Stack').find(([id]) => id.startsWith('Gateway')) ?? [];
  const arns = `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}`;
  expect(nested?.Properties.Parameters.Invocations).toEqual({
    'Fn::Sub': `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/${arns}:function:vouchsafe-dev-api-`,
  });
});

test('the role that API Gateway assumes may invoke the functions of this API, and nothing else', () => {
  const { Policies, ManagedPolicyArns, AssumeRolePolicyDocument } = resources[invokeRoleId].Properties;
  expect(ManagedPolicyArns).toBeUndefined();
  expect(Policies).toHaveLength(1);
  const [{ Resource, ...statement }, ...others] = Policies[0].PolicyDocument.Statement;
  expect([statement, others]).toEqual([{ Effect: 'Allow', Action: 'lambda:InvokeFunction' }, []]);
  const arn = Resource['Fn::Join'][1].map((part: Json) => part.Ref ?? part).join('');
  expect(arn).toBe('arn:AWS::Partition:lambda:AWS::Region:AWS::AccountId:function:vouchsafe-dev-api-*');
  expect(AssumeRolePolicyDocument.Statement).toMatchObject([
    { Action: 'sts:AssumeRole', Principal: { Service: 'apigateway.amazonaws.com' } },
  ]);
});

test('the API is regional, compresses responses from 1 KB, and speaks TLS 1.3 only', () => {
  expect(restApi.Properties).toMatchObject({
    SecurityPolicy: 'SecurityPolicy_TLS13_1_3_2025_09',
    EndpointAccessMode: 'STRICT',
    EndpointConfiguration: { Types: ['REGIONAL'] },
    MinimumCompressionSize: 1024,
    DisableExecuteApiEndpoint: false,
  });
});

test('logs routes but no bodies, paths or queries, and has no execution log', () => {
  const [everywhere, ...methods] = stage.Properties.MethodSettings;
  expect(everywhere).toMatchObject({ LoggingLevel: 'OFF', DataTraceEnabled: false, ResourcePath: '/*' });
  for (const { LoggingLevel = 'OFF', DataTraceEnabled, MetricsEnabled = false } of methods) {
    expect([LoggingLevel, DataTraceEnabled, MetricsEnabled]).toEqual(['OFF', false, false]);
  }
  const fields = Object.values(JSON.parse(stage.Properties.AccessLogSetting.Format));
  expect(fields).toContain('$context.resourcePath');
  expect(fields.join()).not.toMatch(
    /context\.(path|customDomain|error\.message|identity\.userAgent)|query|header/,
  );
});

test('throttles the methods whose routes say so, at each of their paths, as they say, and unknown paths', () => {
  const routes = registry.filter(({ route }) => route.throttle !== undefined);
  const throttled = routes.flatMap(({ route }) =>
    pathsOf(route).flatMap((path) =>
      methodsOf(route).flatMap((method) => (route.throttle ? [{ ...route.throttle, method, path }] : [])),
    ),
  );
  expect(throttled.length).toBeGreaterThan(7);
  const settings = synthesize({ throttling: { ratePerSecond: 2_000, burst: 4_000 } }, routes, []);
  const [[, { Properties }] = ['', {} as Json]] = ofType(resourcesOf(settings), 'AWS::ApiGateway::Stage');
  const files = Object.keys(ownFiles).flatMap((path) =>
    ['GET', 'HEAD'].map((method) => ({ ...unknownPathThrottle, method, path })),
  );
  expect(Properties.MethodSettings.slice(1)).toEqual(
    [...throttled, { ...unknownPathThrottle, method: 'GET', path: unknownPath }, ...files].map(
      ({ method, path, ratePerSecond, burst }) => ({
        HttpMethod: method,
        // https://docs.aws.amazon.com/apigateway/latest/api/API_MethodSetting.html
        ResourcePath: `/${path.replaceAll('/', '~1')}`,
        DataTraceEnabled: false,
        ThrottlingRateLimit: ratePerSecond,
        ThrottlingBurstLimit: burst,
      }),
    ),
  );
});

test('the API is deployed again when its document changes', () => {
  const one = registry.filter(({ id }) => id === 'shares.create');
  const deploymentIds = (...allowedOrigins: string[]) =>
    ofType(resourcesOf(synthesize({ allowedOrigins }, one)), 'AWS::ApiGateway::Deployment').map(([id]) => id);
  const before = deploymentIds('https://a.example');
  expect(before).toHaveLength(1);
  expect(deploymentIds('https://a.example')).toEqual(before);
  expect(deploymentIds('https://b.example')).not.toEqual(before);
});

test('a domain speaks TLS 1.3 only, and is the only host of the API', () => {
  const others = resourcesOf(configured);
  const propertiesOf = (type: string) => ofType(others, type).map(([, { Properties }]) => Properties);
  expect(propertiesOf('AWS::ApiGateway::DomainName')).toMatchObject([
    {
      DomainName: domain.name,
      RegionalCertificateArn: domain.certificateArn,
      SecurityPolicy: 'SecurityPolicy_TLS13_1_3_2025_09',
      EndpointAccessMode: 'STRICT',
    },
  ]);
  expect(propertiesOf('AWS::ApiGateway::RestApi')).toMatchObject([{ DisableExecuteApiEndpoint: true }]);
  expect(propertiesOf('AWS::ApiGateway::BasePathMapping')).toHaveLength(1);
  // The base of links in mails, and what sends Strict-Transport-Security.
  for (const description of ['By a state machine: ', 'POST /api/v1/subscriptions: ', 'POST /api/share: ']) {
    const [, { Properties }] = functionOf(description, others);
    expect(Properties.Environment.Variables.PUBLIC_URL, description).toBe('https://api.example.com');
  }
});
