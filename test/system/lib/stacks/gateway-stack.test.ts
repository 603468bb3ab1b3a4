import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { pathsOf } from '../../../../lib/paths.ts';
import { unknownPath, unknownPathThrottle } from '../../../../lib/unknown-path.ts';
import { synthesize } from '../../../support/deployment.ts';
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
const document = restApi.Properties.Body;
/** The URI of a function: the parameter has the part that all of them begin with. */
const uriOf = (name: string) => `\${Invocations}${name.replace(/^vouchsafe-dev-api-/, '')}/invocations`;
const integration = 'x-amazon-apigateway-integration';
const [[invokeRoleId] = ['']] = all('AWS::IAM::Role').filter(([id]) => id.startsWith('Invoke'));

describe.each(registry)('the function of $route.method $route.path', ({ route }) => {
  const [, { Properties }] = functionOf(`${route.method} ${route.path}: `);

  test('is invoked by API Gateway for its method and paths only, with the role of the API', () => {
    const invoking = Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
      Object.entries<Json>(operations)
        .map(([method, operation]) => ({ method, ...operation[integration] }))
        .filter(({ uri }) => uri?.['Fn::Sub'] === uriOf(Properties.FunctionName))
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
});

test('API Gateway invokes functions of its own account and region', () => {
  const [, nested] = all('AWS::CloudFormation::Stack').find(([id]) => id.startsWith('Gateway')) ?? [];
  const arns = `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}`;
  expect(nested?.Properties.Parameters.Invocations).toEqual({
    'Fn::Sub': `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/${arns}:function:vouchsafe-dev-api-`,
  });
  const uris = Object.values<Json>(document.paths)
    .flatMap((operations) => Object.values<Json>(operations))
    .flatMap((operation) => operation[integration]?.uri ?? []);
  expect(uris.length).toBeGreaterThanOrEqual(registry.length);
  for (const uri of uris) expect(uri['Fn::Sub']).toMatch(/^\$\{Invocations\}[\w-]+\/invocations$/);
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
    const { MISSING_AUTHENTICATION_TOKEN: response } =
      restApi.Properties.Body['x-amazon-apigateway-gateway-responses'];
    expect(response.statusCode).toBe('404');
    expect(JSON.parse(response.responseTemplates['application/json']).error).toBe('not_found');
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
    const throttled = registry.flatMap(({ route }) =>
      pathsOf(route).flatMap((path) =>
        route.throttle ? [{ ...route.throttle, method: route.method, path }] : [],
      ),
    );
    expect(throttled.length).toBeGreaterThan(7);
    const routes = registry.filter(({ route }) => route.throttle !== undefined);
    const settings = resourcesOf(
      synthesize({ throttling: { ratePerSecond: 2_000, burst: 4_000 } }, routes, []),
    );
    const [[, { Properties }] = ['', {} as Json]] = ofType(settings, 'AWS::ApiGateway::Stage');
    expect(Properties.MethodSettings.slice(1)).toEqual(
      [...throttled, { ...unknownPathThrottle, method: 'GET', path: unknownPath }].map(
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

  test('answers a throttled request with the error of the gateway and the time to wait', () => {
    const { THROTTLED: response } = restApi.Properties.Body['x-amazon-apigateway-gateway-responses'];
    expect(response).toMatchObject({
      statusCode: '429',
      responseParameters: { 'gatewayresponse.header.retry-after': "'1'" },
    });
    expect(JSON.parse(response.responseTemplates['application/json']).error).toBe('rate_limited');
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
    DomainName: domain.name,
    RegionalCertificateArn: domain.certificateArn,
    SecurityPolicy: 'SecurityPolicy_TLS13_1_3_2025_09',
    EndpointAccessMode: 'STRICT',
  });
  template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
  template.resourceCountIs('AWS::ApiGateway::BasePathMapping', 1);
  const urlOf = (description: string) =>
    functionOf(description, resourcesOf(configured))[1].Properties.Environment.Variables.PUBLIC_URL;
  expect(urlOf('By a state machine: '), 'the base of links in mails').toBe('https://api.example.com');
  expect(urlOf('POST /api/v1/subscriptions: ')).toBe('https://api.example.com');
  expect(urlOf('POST /api/share: '), 'it sends Strict-Transport-Security').toBe('https://api.example.com');
});
