import { randomUUID } from 'node:crypto';
import type { Key } from '../../../functions/shared/contract/keys.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { type SecretKind, secretHash } from '../../../functions/shared/contract/secret.ts';
import type { VouchsafeClient } from '../../client/api.ts';
import { newOperatorKey, storeOperatorKey } from '../../operator/operator-key.ts';
import { type DemoOptions, demoClient, storedOrCreated } from './demo-client.ts';

export type DemoTenants = Awaited<ReturnType<typeof demoTenants>>;

const redirectUri = 'http://localhost:8080/callback';

/** `offline` is paid by bank transfer, `gateway` on the sandbox's checkout page. */
const applications = {
  offline: {
    name: 'Demo Offline',
    redirectUris: [redirectUri],
    settings: {
      paymentGateway: 'none' as const,
      banking: { accountHolder: 'Demo Ltd', bankName: 'Example Bank', iban: 'DE02120300000000202051' },
    },
  },
  gateway: {
    name: 'Demo Gateway',
    redirectUris: [redirectUri],
    settings: { paymentGateway: 'sandbox' as const },
  },
};

const profiles = {
  verified: { name: 'Vera Demo', status: 'active' as const, verified: true },
  unverified: { name: 'Uma Demo', status: 'active' as const, verified: false },
  suspended: { name: 'Sam Demo', status: 'suspended' as const, verified: true },
};

const monthly = { currency: 'EUR', billingCycle: 'monthly' as const, features: ['Everything'] };
const planRequests = {
  trial: { name: 'Pro', description: 'Two weeks to try it, then monthly.', price: 9.99, trialPeriodDays: 14 },
  paid: { name: 'Team', description: 'Paid from the first day.', price: 49, trialPeriodDays: 0 },
};

/** The data that operators maintain: an operator key, applications with their plans, users. */
export async function demoTenants(options: DemoOptions) {
  const operatorKey = await demoOperatorKey(options);
  const asOperator = demoClient(options, operatorKey);
  const offline = await application(options, asOperator, 'offline');
  const gateway = await application(options, asOperator, 'gateway');
  return {
    operatorKey,
    applications: { offline, gateway },
    users: {
      verified: await user(options, asOperator, 'verified'),
      unverified: await user(options, asOperator, 'unverified'),
      suspended: await user(options, asOperator, 'suspended'),
    },
    plans: {
      offline: await plans(options, asOperator, 'offline', offline._id),
      gateway: await plans(options, asOperator, 'gateway', gateway._id),
    },
  };
}

const secretKey = (kind: SecretKind, secret: string): Key => keys.secret(kind, secretHash(secret));

function demoOperatorKey(options: DemoOptions): Promise<string> {
  return storedOrCreated(
    options,
    'demo.operatorKey',
    async () => {
      const made = newOperatorKey(options.nowMs(), 'Local Operator');
      await storeOperatorKey(made, options.table.name);
      return made.secret;
    },
    (secret) => options.table.hasAll([secretKey('operator_key', secret)]),
  );
}

/** The operator key of a reviewer, who can decide on links and do nothing else; created when missing. */
export function demoReviewerKey(options: DemoOptions, operatorKey: string): Promise<string> {
  const request = { name: 'Rita Reviewer', scopes: ['review' as const] };
  return storedOrCreated(
    options,
    'demo.reviewerKey',
    async () => (await demoClient(options, operatorKey).createOperatorKey(request)).secret,
    (secret) => options.table.hasAll([secretKey('operator_key', secret)]),
  );
}

/** A third-party application: `clientSecret` is for links and OAuth, `apiKey` for subscriptions. */
function application(options: DemoOptions, asOperator: VouchsafeClient, kind: keyof typeof applications) {
  const { settings, ...request } = applications[kind];
  // Where the sandbox is off, both are paid by bank transfer: the operator API refuses the sandbox.
  const isAvailable = process.env.SANDBOX_GATEWAY !== 'false';
  return storedOrCreated(
    options,
    `demo.applications.${kind}`,
    async () => {
      const body = { ...request, settings: isAvailable ? settings : applications.offline.settings };
      const made = await asOperator.createApplication(body);
      const { _id, name, clientId } = made.application;
      return { _id, name, clientId, clientSecret: made.clientSecret, apiKey: made.apiKey, redirectUri };
    },
    ({ _id, clientSecret, apiKey }) =>
      options.table.hasAll([
        keys.application(_id),
        secretKey('client_secret', clientSecret),
        secretKey('api_key', apiKey),
      ]),
  );
}

function user(options: DemoOptions, asOperator: VouchsafeClient, kind: keyof typeof profiles) {
  return storedOrCreated(
    options,
    `demo.users.${kind}`,
    async () => {
      const userId = `demo-${kind}-${randomUUID()}`;
      const email = `${userId}@vouchsafe.example`;
      await asOperator.upsertUser({ userId, email, ...profiles[kind] });
      return { userId, email };
    },
    ({ userId }) => options.table.hasAll([keys.user(userId)]),
  );
}

/** The ids of one plan with a trial of 14 days, and one without. */
async function plans(
  options: DemoOptions,
  asOperator: VouchsafeClient,
  kind: keyof typeof applications,
  id: string,
) {
  const plan = (name: keyof typeof planRequests) =>
    storedOrCreated(
      options,
      // Keyed by the application's id: a new application has none of the plans of the former one.
      `demo.plans.${kind}.${id}.${name}`,
      async () => (await asOperator.createPlan({ id, ...monthly, ...planRequests[name] })).plan._id,
      (planId) => options.table.hasAll([keys.plan(id, planId)]),
    );
  return { trial: await plan('trial'), paid: await plan('paid') };
}
