import type { APIGatewayProxyEvent } from 'aws-lambda';
import { foundApplication } from '../accounts/applications.ts';
import type { ApplicationCaller, Callers, LinksCaller, SellerCaller } from '../contract/callers.ts';
import { defined } from '../contract/defined.ts';
import { ApiError } from '../contract/errors.ts';
import type { OperatorKey } from '../contract/operator-key.ts';
import { allows, type Operator } from '../contract/operator-scopes.ts';
import type { Route } from '../contract/route.ts';
import { isWellFormedSecret, type SecretKind } from '../contract/secret.ts';
import { Reason, reasonHeader } from '../fields/reason.ts';
import { type Counted, startRateLimitCheck } from '../lambda/rate-limit-check.ts';
import { header, isRepeated, type RequestContext, singleHeader } from '../lambda/request-context.ts';
import { validationMessages } from '../lambda/validation-messages.ts';
import { secondMs } from '../runtime/clock.ts';
import * as env from '../runtime/env.ts';
import { recordReader } from '../table/record.ts';
import { countedApplication } from './application-use.ts';
import { isAccessTokenValid } from './grants/token-validity.ts';
import { findSecret, type StoredSecret } from './secrets.ts';

/**
 * The token of `Authorization: Bearer` (RFC 6750 section 2.1); undefined without a token or when the header
 * is repeated.
 */
export function bearerToken(event: APIGatewayProxyEvent): string | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(singleHeader(event, 'authorization') ?? '') ?? [];
  return token;
}

/**
 * Every bearer secret passes here, and so every operator key: it needs the scope of the route.
 *
 * @throws ApiError `invalid_token`, `insufficient_scope`
 */
async function requireSecret(
  context: RequestContext,
  { operatorScope = 'admin' }: RouteScope,
  ...kinds: SecretKind[]
): Promise<StoredSecret> {
  const record = await validSecret(context, kinds);
  if (record.kind === 'operator_key' && !allows(readOperatorKey(record).scopes, operatorScope))
    throw new ApiError('insufficient_scope', { details: { scope: operatorScope } });
  return record;
}

/** The secret of a request, which is of one of these kinds. @throws ApiError `invalid_token` */
async function validSecret(context: RequestContext, kinds: readonly SecretKind[]): Promise<StoredSecret> {
  const token = bearerToken(context.event) ?? '';
  const kind = kinds.find((candidate) => isWellFormedSecret(candidate, token));
  const record = kind && (await findSecret(kind, token, context.startedAtMs));
  if (record === undefined) throw new ApiError('invalid_token');
  return record;
}

/** An operator key under its hash. @throws Error when the item has no name or no scopes: such a key can do nothing. */
const readOperatorKey = recordReader<Pick<OperatorKey, 'keyId' | 'name' | 'scopes'>>(['name', 'scopes']);

type RouteScope = Pick<Route, 'operatorScope'>;

export async function operatorCaller(context: RequestContext, route: RouteScope): Promise<Operator> {
  return operatorOf(context, await requireSecret(context, route, 'operator_key'));
}

/** @throws ApiError `invalid_token` */
export async function anyOperatorCaller(context: RequestContext): Promise<Callers['anyOperator']> {
  return { scopes: readOperatorKey(await validSecret(context, ['operator_key'])).scopes };
}

/** @throws ApiError `invalid_request` for a reason that is none */
function operatorOf({ remote, event }: RequestContext, record: StoredSecret): Operator {
  const { keyId, name } = readOperatorKey(record);
  return {
    keyId,
    name,
    from: remote.address,
    ...defined({ reason: reasonOf(event) }),
  };
}

function reasonOf(event: APIGatewayProxyEvent): string | undefined {
  const stated = header(event, reasonHeader);
  if (stated === undefined) return undefined;
  if (isRepeated(event, reasonHeader)) return refuseHeader(reasonHeader, 'must be given once');
  const { success, data, error } = Reason.safeParse(decoded(stated), { reportInput: true });
  if (success) return data;
  throw new ApiError('invalid_request', { details: validationMessages(error.issues, reasonHeader) });
}

/** @throws ApiError `invalid_request` */
function decoded(stated: string): string {
  try {
    return decodeURIComponent(stated);
  } catch {
    return refuseHeader(reasonHeader, 'must be percent-encoded UTF-8');
  }
}

/**
 * Authenticates an application by its client secret or by a user's access token. Starts the rate limit check, which runs
 * concurrently with the handler.
 *
 * With a token, the check first counts the user and then the application, and fails unless the token is still valid: the
 * user and the application are read concurrently with the first count.
 *
 * @throws ApiError `invalid_token`, `rate_limited`
 */
export async function linksCaller(context: RequestContext): Promise<LinksCaller> {
  const record = await requireSecret(context, {}, 'client_secret', 'access_token');
  const { applicationId = '', kind, userId = '', scopes = [] } = record;
  if (kind !== 'access_token') {
    startRateLimitCheck(context, [countedApplication(record)], 'rate_limited');
    return { applicationId, by: 'secret' };
  }
  const counted = [countedUser(applicationId, userId), countedApplication({ applicationId })];
  startRateLimitCheck(context, counted, 'rate_limited', async () => {
    if (!(await isAccessTokenValid(record, context.startedAtMs))) throw new ApiError('invalid_token');
  });
  return { applicationId, by: 'token', userId, scopes };
}

/**
 * Starts the application's rate limit check, which runs concurrently with the handler.
 *
 * @throws ApiError `invalid_token`, `rate_limited`
 */
export async function apiKeyCaller(context: RequestContext): Promise<{ applicationId: string }> {
  const record = await requireSecret(context, {}, 'api_key');
  startRateLimitCheck(context, [countedApplication(record)], 'rate_limited');
  return { applicationId: record.applicationId ?? '' };
}

const applicationHeader = 'x-application-id';

/**
 * Authenticates an application by its client secret or its API key, or an operator who names the application in a header.
 * Starts the application's rate limit check, which runs concurrently with the handler; operators are not counted.
 *
 * @throws ApiError `invalid_token`, `insufficient_scope`, `rate_limited`; `invalid_request` without the header of an operator,
 * or with one that names another application than the credential does; `not_found` when the application that an operator names does not exist.
 */
export async function applicationCaller(
  context: RequestContext,
  route: RouteScope,
): Promise<ApplicationCaller> {
  const record = await requireSecret(context, route, 'client_secret', 'api_key', 'operator_key');
  const { kind } = record;
  if (kind === 'operator_key') return operatorFor(context, record);
  const applicationId = ownApplication(context, record);
  return { applicationId, by: kind === 'api_key' ? 'api_key' : 'client_secret' };
}

/** As {@link applicationCaller}. A client secret gives no access to subscriptions, so it is refused. */
export async function sellerCaller(context: RequestContext, route: RouteScope): Promise<SellerCaller> {
  const record = await requireSecret(context, route, 'api_key', 'operator_key');
  if (record.kind !== 'operator_key')
    return { applicationId: ownApplication(context, record), by: 'api_key' };
  return operatorFor(context, record);
}

async function operatorFor(context: RequestContext, record: StoredSecret) {
  const applicationId = await namedApplication(context);
  return { applicationId, by: 'operator', operator: operatorOf(context, record) } as const;
}

/** The application of a secret, whose rate limit check starts. The header may be left out, and names no other application. */
function ownApplication(context: RequestContext, record: StoredSecret): string {
  const { applicationId = '' } = record;
  const named = singleHeader(context.event, applicationHeader);
  if (named !== undefined && named !== applicationId)
    refuseHeader(applicationHeader, 'names another application');
  startRateLimitCheck(context, [countedApplication(record)], 'rate_limited');
  return applicationId;
}

async function namedApplication({ event }: RequestContext): Promise<string> {
  const named = singleHeader(event, applicationHeader);
  if (named === undefined || named === '')
    return refuseHeader(applicationHeader, 'is required once with an operator key');
  await foundApplication(named);
  return named;
}

function refuseHeader(name: string, problem: string): never {
  throw new ApiError('invalid_request', { details: { [name]: problem } });
}

/**
 * One limit per user of an application, a tenth of the application's. A grant has up to ten valid access tokens, and a user
 * can have several grants: counted one by one, these tokens could use up the application's limit.
 */
function countedUser(applicationId: string, userId: string): Counted {
  const max = Math.max(1, Math.floor(env.applicationRequestsPerSecond() / 10));
  return { limit: { group: 'token', max, windowMs: secondMs }, key: `${applicationId} ${userId}` };
}
