import { randomUUID } from 'node:crypto';
import type { Key } from '../../../functions/shared/contract/keys.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { type SecretKind, secretHash } from '../../../functions/shared/contract/secret.ts';
import type { VouchsafeClient } from '../../client/api.ts';
import { newOperatorKey, storeOperatorKey } from '../../operator/operator-key.ts';
import { itemExists } from '../table.ts';
import { type DemoOptions, demoClient } from './demo-client.ts';

/** A third-party application: `clientSecret` is for links and OAuth, `apiKey` for subscriptions. */
interface DemoApplication {
  _id: string;
  name: string;
  clientId: string;
  clientSecret: string;
  apiKey: string;
  redirectUri: string;
}

/** Plan ids of an application: one plan with a trial of 14 days, one without. */
interface DemoPlans {
  trial: string;
  paid: string;
}

interface DemoUser {
  userId: string;
  email: string;
}

export interface DemoTenants {
  operatorKey: string;
  /** `offline` is paid by bank transfer, `gateway` on the sandbox's checkout page. */
  applications: Record<'offline' | 'gateway', DemoApplication>;
  users: Record<'verified' | 'unverified' | 'suspended', DemoUser>;
  plans: Record<'offline' | 'gateway', DemoPlans>;
}

const redirectUri = 'http://localhost:8080/callback';

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

/** The data that operators maintain: an operator key, applications with their plans, users. */
export async function demoTenants(options: DemoOptions): Promise<DemoTenants> {
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

/** The value stored under a name, if all its items are still in the table. Otherwise a new one, stored in its place. */
export async function storedOrCreated<T>(
  { state, endpoint, tableName }: DemoOptions,
  name: string,
  items: (known: T) => Key[],
  make: () => Promise<T>,
): Promise<T> {
  const known = state.get(name) as T | undefined;
  if (known !== undefined) {
    const exist = await Promise.all(items(known).map((key) => itemExists(endpoint, tableName, key)));
    if (exist.every(Boolean)) return known;
  }
  const made = await make();
  state.set(name, made);
  return made;
}

const secretKey = (kind: SecretKind, secret: string): Key => keys.secret(kind, secretHash(secret));

function demoOperatorKey(options: DemoOptions): Promise<string> {
  const { tableName, nowMs } = options;
  return storedOrCreated(
    options,
    'demo.operatorKey',
    (secret) => [secretKey('operator_key', secret)],
    async () => {
      const made = newOperatorKey(nowMs(), 'Local Operator');
      await storeOperatorKey(made, tableName);
      return made.secret;
    },
  );
}

/** Where the sandbox is off, `gateway` is paid by bank transfer too: the operator API refuses the sandbox. */
function requestFor(kind: keyof typeof applications) {
  const isAvailable = kind !== 'gateway' || process.env.SANDBOX_GATEWAY !== 'false';
  return isAvailable
    ? applications[kind]
    : { ...applications[kind], settings: applications.offline.settings };
}

function application(
  options: DemoOptions,
  asOperator: VouchsafeClient,
  kind: keyof typeof applications,
): Promise<DemoApplication> {
  return storedOrCreated<DemoApplication>(
    options,
    `demo.applications.${kind}`,
    ({ _id, clientSecret, apiKey }) => [
      keys.application(_id),
      secretKey('client_secret', clientSecret),
      secretKey('api_key', apiKey),
    ],
    async () => {
      const made = await asOperator.createApplication(requestFor(kind));
      const { _id, name, clientId } = made.application;
      return { _id, name, clientId, clientSecret: made.clientSecret, apiKey: made.apiKey, redirectUri };
    },
  );
}

function user(
  options: DemoOptions,
  asOperator: VouchsafeClient,
  kind: keyof typeof profiles,
): Promise<DemoUser> {
  return storedOrCreated<DemoUser>(
    options,
    `demo.users.${kind}`,
    ({ userId }) => [keys.user(userId)],
    async () => {
      const userId = `demo-${kind}-${randomUUID()}`;
      const email = `${userId}@vouchsafe.example`;
      await asOperator.upsertUser({ userId, email, ...profiles[kind] });
      return { userId, email };
    },
  );
}

async function plans(
  options: DemoOptions,
  asOperator: VouchsafeClient,
  kind: keyof typeof applications,
  applicationId: string,
): Promise<DemoPlans> {
  const plan = (name: keyof DemoPlans, trialPeriodDays: number) =>
    storedOrCreated<string>(
      options,
      // Keyed by the application's id: a new application has none of the plans of the former one.
      `demo.plans.${kind}.${applicationId}.${name}`,
      (planId) => [keys.plan(applicationId, planId)],
      async () => {
        const body = {
          id: applicationId,
          name: name === 'trial' ? 'Pro' : 'Team',
          description: name === 'trial' ? 'Two weeks to try it, then monthly.' : 'Paid from the first day.',
          price: name === 'trial' ? 9.99 : 49,
          currency: 'EUR',
          billingCycle: 'monthly' as const,
          features: ['Everything'],
          trialPeriodDays,
        };
        return (await asOperator.createPlan(body)).plan._id;
      },
    );
  return { trial: await plan('trial', 14), paid: await plan('paid', 0) };
}
