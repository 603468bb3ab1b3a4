import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Registered } from '../../../functions/routes.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { errorBody, gatewayErrors } from '../../../functions/shared/contract/errors.ts';
import { alwaysHeaders, transportHeaders } from '../../../functions/shared/contract/headers.ts';
import { corsHeaders } from '../gateway/gateway-responses.ts';
import { throttledMethods } from '../gateway/throttles.ts';
import { publicUrlOf, type StageSettings } from '../stages.ts';
import { firewallName } from './metrics.ts';

/**
 * The rules of AWSManagedRulesCommonRuleSet that only count, because they inspect what a caller chooses freely, and the
 * contract allows what they refuse. The others inspect what the API defines, and block: path, cookies, known scanners.
 *
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 */
const countedRules = [
  // Servers of applications need not name themselves.
  'NoUserAgent_HEADER',
  // Over 2,048 bytes: an authorization request has a redirect_uri of up to 2,048, a state and a code challenge.
  'SizeRestrictions_QUERYSTRING',
  // Over 8 KB: a vault has up to 4.3 MB, a share 1.5 MB, a body by default 64 KiB.
  'SizeRestrictions_BODY',
  // Over 1,024 bytes: a user id has up to 128 characters, each of up to 12 bytes in a path.
  'SizeRestrictions_URIPATH',
  // Bodies hold ciphertext in Base64, links that people submit, redirect URIs on 127.0.0.1, and free text. No request is
  // ever sent to an address in them, no file is opened by name, and every page escapes them.
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'CrossSiteScripting_BODY',
  // Queries hold redirect URIs (native applications listen on 127.0.0.1, RFC 8252 section 7.3), the opaque state of
  // OAuth, and ids that applications choose, such as jane.ini.
  'EC2MetaDataSSRF_QUERYARGUMENTS',
  'GenericLFI_QUERYARGUMENTS',
  'GenericRFI_QUERYARGUMENTS',
  'RestrictedExtensions_QUERYARGUMENTS',
  'CrossSiteScripting_QUERYARGUMENTS',
] as const;

/** The shortest window of a rate rule, and the `Retry-After` of its response. */
export const windowSeconds = 60;

/**
 * Requests of one address in a window, to all paths: a tenth of what the stage accepts of all callers, and no less than
 * two applications at their own limit, which may share an address.
 */
export function addressLimit({ throttling, applicationRequestsPerSecond }: StageSettings): number {
  return Math.max(throttling.ratePerSecond / 10, 2 * applicationRequestsPerSecond) * windowSeconds;
}

/**
 * Requests of one address in a window, to the throttled methods together: 10 a second, so that no single address can use
 * up the throttle of a method. Their own limits for an address are from 3 to 20 in a minute, where they have one.
 */
export const throttledAddressLimit = 10 * windowSeconds;

/**
 * Requests of one address in a window, to paths on which each address has a limit of its own that is far below: 3 a minute
 * for codes, 40 for vaults. The function refuses what is over that limit, but only after API Gateway has counted it against
 * the throttle of the method, which all callers share. Each is a rule of its own, because a rule costs a dollar a month.
 */
export const limitedPaths = [
  { name: 'CodeAddressRate', path: '/api/auth/mfa/', limit: 20 },
  { name: 'VaultAddressRate', path: '/api/vault', limit: 80 },
] as const;

interface WebFirewallProps {
  readonly stage: StageSettings;
  readonly registry: readonly Registered[];
  /** ARN of the API's stage. */
  readonly stageArn: string;
}

/**
 * AWS WAF before the API. A request that the common rules refuse gets the gateway response WAF_FILTERED. A rate rule
 * responds itself, with 429. It counts addresses in full; the exact limits of routes count IPv6 by /64.
 *
 * Nothing that a caller sent is kept: no log, no sampled requests, whose queries would contain the ids of shares, and
 * if an operator turns either on, queries, bodies and credentials are replaced in them.
 */
export function addWebFirewall(scope: Construct, { stage, registry, stageArn }: WebFirewallProps): void {
  const name = firewallName(stage);
  const visibility = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    metricName,
    sampledRequestsEnabled: false,
  });
  const rateRule = (
    rule: string,
    priority: number,
    limit: number,
    scopeDownStatement?: CfnWebACL.StatementProperty,
  ): CfnWebACL.RuleProperty => ({
    name: rule,
    priority,
    statement: {
      rateBasedStatement: {
        aggregateKeyType: 'IP',
        limit,
        evaluationWindowSec: windowSeconds,
        ...defined({ scopeDownStatement }),
      },
    },
    action: { block: { customResponse: tooManyRequests(stage) } },
    visibilityConfig: visibility(rule),
  });
  const throttled = atThrottledPaths(registry);
  const acl = new CfnWebACL(scope, 'Firewall', {
    name,
    description: `Rates of addresses and common rules before the API ${name}.`,
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility(name),
    customResponseBodies: {
      [rateLimitedBody]: {
        contentType: 'APPLICATION_JSON',
        content: JSON.stringify(errorBody(gatewayErrors.rate_limited)),
      },
    },
    dataProtectionConfig: { dataProtections: protectedFields },
    rules: [
      rateRule('AddressRate', 0, addressLimit(stage)),
      ...(throttled === undefined
        ? []
        : [rateRule('ThrottledAddressRate', 1, throttledAddressLimit, throttled)]),
      ...limitedPaths.map(({ name: rule, path, limit }, i) => rateRule(rule, 2 + i, limit, atPath(path))),
      {
        name: 'CommonRules',
        priority: 2 + limitedPaths.length,
        // The actions of the rules hold, but for those that are overridden.
        overrideAction: { none: {} },
        statement: {
          managedRuleGroupStatement: {
            vendorName: 'AWS',
            name: 'AWSManagedRulesCommonRuleSet',
            ruleActionOverrides: countedRules.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
          },
        },
        visibilityConfig: visibility('CommonRules'),
      },
    ],
  });
  new CfnWebACLAssociation(scope, 'FirewallAssociation', {
    resourceArn: stageArn,
    webAclArn: acl.attrArn,
  });
}

const rateLimitedBody = 'RateLimited';

/** The 429 of the gateway, without the id of the request: AWS WAF can only send fixed headers. */
function tooManyRequests(stage: StageSettings): CfnWebACL.CustomResponseProperty {
  const headers = {
    'retry-after': String(windowSeconds),
    ...alwaysHeaders,
    ...corsHeaders(stage.allowedOrigins),
    ...transportHeaders(publicUrlOf(stage)),
  };
  return {
    responseCode: gatewayErrors.rate_limited.status,
    customResponseBodyKey: rateLimitedBody,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
}

/**
 * Requests to the paths of throttled routes; undefined when there are none. Before a path of the registry is the stage,
 * where the API has no domain; after it may be a slash.
 */
function atThrottledPaths(registry: readonly Registered[]): CfnWebACL.StatementProperty | undefined {
  const paths = [...new Set(throttledMethods(registry).map(({ path }) => path))];
  const statements = paths.map(atPath);
  const [first, ...others] = statements;
  return others.length === 0 ? first : { orStatement: { statements } };
}

/** Requests whose path contains one of the API, up to its first parameter. */
function atPath(path: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { uriPath: {} },
      positionalConstraint: 'CONTAINS',
      searchString: path.replace(/\{.*$/, ''),
      textTransformations: [{ priority: 0, type: 'URL_DECODE' }],
    },
  };
}

/** https://docs.aws.amazon.com/waf/latest/developerguide/data-protection-masking.html */
const protectedFields: CfnWebACL.DataProtectProperty[] = [
  { field: { fieldType: 'QUERY_STRING' }, action: 'SUBSTITUTION' },
  { field: { fieldType: 'BODY' }, action: 'SUBSTITUTION' },
  {
    field: {
      fieldType: 'SINGLE_HEADER',
      fieldKeys: [
        'authorization',
        'cookie',
        'x-auth-hash',
        'x-device-id',
        'x-device-token',
        'x-enrolment-token',
        'x-receipt-token',
        'x-share-proof',
        'dpop',
        'x-user-id',
        'stripe-signature',
      ],
    },
    action: 'SUBSTITUTION',
  },
];
