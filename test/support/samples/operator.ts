import { randomUUID } from 'node:crypto';
import { mailIdOf } from '../../../functions/operator/mails/mail-id.ts';
import { bearer, type Call, call, goodPlan, newOperatorKey, newTenant, newUser } from '../call.ts';
import { givenUpMail, waitingMail } from '../notices/given-up.ts';
import { newTokens } from './oauth.ts';

export const newApplication = {
  name: 'Example App',
  redirectUris: ['https://app.example/callback'],
  settings: { paymentGateway: 'none', trial: { oncePerClient: false } },
};

export const profile = () => ({
  email: `${randomUUID()}@example.com`,
  name: 'Ann',
  status: 'active',
  verified: true,
});

export const youtubeAccount = {
  username: 'ann',
  url: 'https://youtube.example/@ann',
  verified: true,
  verificationStatus: 'verified',
  isPrimary: true,
};

/** A request of an operator, with a new key unless one is given. */
export async function asOperator(request: Call, key?: string): Promise<Call> {
  return { ...request, headers: { ...bearer(key ?? (await newOperatorKey())), ...request.headers } };
}

const applicationRequest = async (request: Call = {}) => {
  const { applicationId: id } = await newTenant();
  return asOperator({ ...request, params: { id } });
};

const planRequest = async () => {
  const request = await applicationRequest({ body: goodPlan });
  const { body } = await call('plans.create', request);
  return { ...request, params: { ...request.params, planId: body.plan._id } };
};

const userRequest = async (request: Call = {}, more: Record<string, string> = {}) => {
  const { userId } = await newUser();
  return asOperator({ ...request, params: { userId, ...more } });
};

export const operatorSamples: Record<string, () => Call | Promise<Call>> = {
  'applications.create': () => asOperator({ body: newApplication }),
  'applications.read': () => applicationRequest(),
  'applications.list': async () => {
    const request = await asOperator({ body: newApplication });
    await call('applications.create', request);
    return { headers: request.headers ?? {} };
  },
  'applications.update': () => applicationRequest({ body: newApplication }),
  'applications.key-create': () => applicationRequest({ body: { kind: 'api_key', expiresInDays: 30 } }),
  'applications.key-revoke': async () => {
    const request = await applicationRequest({ body: { kind: 'api_key' } });
    const { body } = await call('applications.key-create', request);
    return { headers: request.headers ?? {}, params: { ...request.params, keyId: body.keyId } };
  },
  'operator.operator-key-create': () => asOperator({ body: { name: 'Rita Reviewer', scopes: ['review'] } }),
  'operator.operator-key-list': () => asOperator({}),
  'operator.operator-key-revoke': async () => {
    const request = await asOperator({ body: { name: 'Rita Reviewer', scopes: ['review'] } });
    const { body } = await call('operator.operator-key-create', request);
    return { headers: request.headers ?? {}, params: { keyId: body.keyId } };
  },
  'operator.action-list': async () => {
    const request = await asOperator({ body: newApplication });
    await call('applications.create', request);
    return { headers: request.headers ?? {} };
  },
  'operator.audit-list': async () => {
    const { headers = {}, params = {} } = await applicationRequest({ body: { kind: 'api_key' } });
    return { headers, params };
  },
  'users.upsert': () => userRequest({ body: profile() }),
  'users.read': () => userRequest(),
  'users.list': async () => {
    const request = await userRequest({ body: profile() });
    await call('users.upsert', request);
    return { headers: request.headers ?? {} };
  },
  'users.reset': () => userRequest({ body: { devices: true, reason: 'The phone was stolen.' } }),
  'users.history': () => userRequest(),
  'users.enrolment-link-send': () => userRequest(),
  'users.social-account-upsert': () => userRequest({ body: youtubeAccount }, { platform: 'YouTube' }),
  'users.grant-list': async () => {
    const { user } = await newTokens();
    return asOperator({ params: { userId: user.userId } });
  },
  'users.grant-revoke': async () => {
    const { user } = await newTokens();
    const request = await asOperator({ params: { userId: user.userId } });
    const { body } = await call('users.grant-list', request);
    return { ...request, params: { ...request.params, id: body.grants[0].id } };
  },
  'operator.search': async () => {
    const { email } = await newUser();
    return asOperator({ query: { q: email } });
  },
  'operator.mail-list': () => asOperator({}),
  'operator.mail-give-up': async () => asOperator({ params: { mailId: mailIdOf(await waitingMail()) } }),
  'operator.mail-redrive': async () => asOperator({ params: { mailId: await givenUpMail() } }),
  'operator.mail-redrive-all': async () => {
    await givenUpMail();
    return asOperator({});
  },
  'plans.create': () => applicationRequest({ body: goodPlan }),
  'plans.read': async () => {
    const { body: _, ...request } = await planRequest();
    return request;
  },
  'plans.update': () => planRequest(),
};
