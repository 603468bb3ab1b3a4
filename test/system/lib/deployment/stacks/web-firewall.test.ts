import { registeredRoutes } from '../../../../../functions/routes.ts';
import { exposedHeaders } from '../../../../../functions/shared/contract/headers.ts';
import {
  limitedPaths,
  throttledAddressLimit,
} from '../../../../../lib/deployment/constructs/web-firewall.ts';
import { stageSettings } from '../../../../../lib/deployment/stages.ts';
import { synthesize } from '../../../../support/deployment/deployment.ts';
import { all, type Json, ofType, resourcesOf } from './synthesized.ts';

const prod = stageSettings('prod');
const origin = 'https://app.example.com';
const resources = resourcesOf(synthesize({ ...prod, allowedOrigins: [origin] }));
const only = (type: string): [string, Json] => ofType(resources, type)[0] ?? ['', {}];
const [aclId, { Properties: acl }] = only('AWS::WAFv2::WebACL');
const rule = (name: string): Json => acl.Rules.find(({ Name }: Json) => Name === name);

test('AWS WAF is on in prod and off in dev', () => {
  expect(prod.webApplicationFirewall).toBe(true);
  expect(all('AWS::WAFv2::WebACL')).toEqual([]);
  expect(all('AWS::WAFv2::WebACLAssociation')).toEqual([]);
});

test("the web ACL is in the region of the API, and associated with the API's stage", () => {
  const [stageId] = only('AWS::ApiGateway::Stage');
  const [, { Properties }] = only('AWS::WAFv2::WebACLAssociation');
  expect(acl).toMatchObject({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
  expect(Properties.WebACLArn).toEqual({ 'Fn::GetAtt': [aclId, 'Arn'] });
  expect(JSON.stringify(Properties.ResourceArn)).toMatch(new RegExp(`:/restapis/.*/stages/.*"${stageId}"`));
});

test('no address alone can use up the throttle of a method, and each may use its own limits', () => {
  const { Limit, ScopeDownStatement } = rule('ThrottledAddressRate').Statement.RateBasedStatement;
  expect(Limit).toBe(throttledAddressLimit);
  const throttled = registeredRoutes().filter(({ route }) => route.throttle !== undefined);
  const paths = ScopeDownStatement.OrStatement.Statements.map(
    ({ ByteMatchStatement: match }: Json) => match.SearchString,
  );
  // A request has a value where the path of a route has a parameter.
  const requested = [
    ...new Set(throttled.map(({ route }) => `/prod${route.path.replace(/\{\w+\}/g, 'x.js')}`)),
  ];
  expect(
    requested.map((path) => paths.filter((part: string) => path.includes(part)).length > 0),
  ).not.toContain(false);
  expect(paths).toHaveLength(requested.length);
  for (const { id, route } of throttled) {
    expect(Limit / 60, id).toBeLessThan(route.throttle?.ratePerSecond ?? 0);
    if (route.limit) expect(Limit / 60, id).toBeGreaterThan(route.limit.max / (route.limit.windowMs / 1_000));
  }
});

test.each(limitedPaths)(
  '$name leaves every address twice its own limits, and takes many to use up a throttle',
  (one) => {
    const { Limit, ScopeDownStatement } = rule(one.name).Statement.RateBasedStatement;
    expect([Limit, ScopeDownStatement.ByteMatchStatement.SearchString]).toEqual([one.limit, one.path]);
    const routes = registeredRoutes().filter(({ route }) => route.path.startsWith(one.path));
    const groups = new Map(routes.map(({ route }) => [route.limit?.group, route.limit?.max ?? Number.NaN]));
    const own = [...groups.values()].reduce((a, b) => a + b, 0);
    expect(Limit).toBeGreaterThanOrEqual(2 * own);
    const lowest = Math.min(...routes.flatMap(({ route }) => route.throttle?.ratePerSecond ?? []));
    expect(Math.ceil((lowest * 60) / Limit)).toBeGreaterThanOrEqual(19);
  },
);

test('a rate rule responds with the 429 of the gateway, in JSON, with the time to wait', () => {
  for (const name of ['AddressRate', 'ThrottledAddressRate', ...limitedPaths.map(({ name }) => name)]) {
    const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } = rule(name).Action.Block.CustomResponse;
    const { Content, ContentType } = acl.CustomResponseBodies[CustomResponseBodyKey];
    expect([ResponseCode, ContentType]).toEqual([429, 'APPLICATION_JSON']);
    expect(JSON.parse(Content)).toEqual({
      error: 'rate_limited',
      message: 'Too many requests. Try again later.',
    });
    expect(Object.fromEntries(ResponseHeaders.map(({ Name, Value }: Json) => [Name, Value]))).toEqual({
      'retry-after': '60',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposedHeaders['access-control-expose-headers'],
    });
  }
});

test('AWS WAF keeps nothing that a caller sent', () => {
  expect(ofType(resources, 'AWS::WAFv2::LoggingConfiguration')).toEqual([]);
  for (const { VisibilityConfig } of [acl, ...acl.Rules]) {
    expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
  }
  const fields = acl.DataProtectionConfig.DataProtections.map(({ Field, Action }: Json) => {
    expect(Action).toBe('SUBSTITUTION');
    return Field;
  });
  const secretHeaders = [
    ...['authorization', 'cookie', 'x-auth-hash', 'x-device-id', 'x-device-token', 'x-enrolment-token'],
    ...['x-receipt-token', 'x-share-proof', 'dpop', 'x-user-id', 'stripe-signature'],
  ];
  expect(fields).toEqual([
    { FieldType: 'QUERY_STRING' },
    { FieldType: 'BODY' },
    { FieldType: 'SINGLE_HEADER', FieldKeys: secretHeaders },
  ]);
});
