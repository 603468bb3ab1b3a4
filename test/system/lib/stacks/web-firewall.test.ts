import { expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { exposedHeaders } from '../../../../functions/shared/contract/headers.ts';
import {
  countedRules,
  limitedPaths,
  throttledAddressLimit,
} from '../../../../lib/constructs/web-firewall.ts';
import { stageSettings } from '../../../../lib/stages.ts';
import { synthesize } from '../../../support/deployment.ts';
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

test('an address has a tenth of the rate of the stage, and room for two applications', () => {
  expect(rule('AddressRate').Statement.RateBasedStatement).toEqual({
    AggregateKeyType: 'IP',
    EvaluationWindowSec: 60,
    Limit: 12_000,
  });
  expect(12_000 / 60).toBeLessThanOrEqual(prod.throttling.ratePerSecond / 10);
  expect(12_000 / 60).toBeGreaterThanOrEqual(2 * prod.applicationRequestsPerSecond);
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

test('a request that the common rules refuse gets the 403 of the gateway', () => {
  const { OverrideAction, Action } = rule('CommonRules');
  // With an action or a response of its own, AWS WAF would respond in place of API Gateway.
  expect([OverrideAction, Action]).toEqual([{ None: {} }, undefined]);
  const [, { Properties }] = only('AWS::ApiGateway::RestApi');
  const response = Properties.Body['x-amazon-apigateway-gateway-responses'].WAF_FILTERED;
  expect(response.statusCode).toBe('403');
  expect(JSON.parse(response.responseTemplates['application/json']).error).toBe('forbidden');
});

test('the common rules block only by what the API defines: path, cookies and known scanners', () => {
  const { ManagedRuleGroupStatement: group } = rule('CommonRules').Statement;
  expect(group).toMatchObject({ VendorName: 'AWS', Name: 'AWSManagedRulesCommonRuleSet' });
  const counted = group.RuleActionOverrides.map(({ Name, ActionToUse }: Json) => {
    expect(ActionToUse).toEqual({ Count: {} });
    return Name;
  });
  expect(counted).toEqual([...countedRules]);
  // The rules of the group, as AWS's page lists them.
  const groupRules = [
    ...['NoUserAgent_HEADER', 'UserAgent_BadBots_HEADER', 'SizeRestrictions_QUERYSTRING'],
    ...['SizeRestrictions_Cookie_HEADER', 'SizeRestrictions_BODY', 'SizeRestrictions_URIPATH'],
    ...['BODY', 'COOKIE', 'URIPATH', 'QUERYARGUMENTS'].map((place) => `EC2MetaDataSSRF_${place}`),
    ...['QUERYARGUMENTS', 'URIPATH', 'BODY'].map((place) => `GenericLFI_${place}`),
    ...['URIPATH', 'QUERYARGUMENTS'].map((place) => `RestrictedExtensions_${place}`),
    ...['QUERYARGUMENTS', 'BODY', 'URIPATH'].map((place) => `GenericRFI_${place}`),
    ...['COOKIE', 'QUERYARGUMENTS', 'BODY', 'URIPATH'].map((place) => `CrossSiteScripting_${place}`),
  ];
  expect(groupRules).toEqual(expect.arrayContaining(counted));
  expect(groupRules.filter((name) => !counted.includes(name))).toEqual([
    'UserAgent_BadBots_HEADER',
    'SizeRestrictions_Cookie_HEADER',
    'EC2MetaDataSSRF_COOKIE',
    'EC2MetaDataSSRF_URIPATH',
    'GenericLFI_URIPATH',
    'RestrictedExtensions_URIPATH',
    'GenericRFI_URIPATH',
    'CrossSiteScripting_COOKIE',
    'CrossSiteScripting_URIPATH',
  ]);
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

test('an alarm tells when AWS WAF refuses many requests', () => {
  const alarm = ofType(resources, 'AWS::CloudWatch::Alarm').find(([id]) => id.startsWith('RequestsBlocked'));
  expect(alarm?.[1].Properties).toMatchObject({
    Namespace: 'AWS/WAFV2',
    MetricName: 'BlockedRequests',
    Dimensions: [
      { Name: 'Region', Value: { Ref: 'AWS::Region' } },
      { Name: 'Rule', Value: 'ALL' },
      { Name: 'WebACL', Value: acl.VisibilityConfig.MetricName },
    ],
    Threshold: 1_000,
    EvaluationPeriods: 3,
  });
});
