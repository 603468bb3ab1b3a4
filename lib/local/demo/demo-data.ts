import { randomUUID } from 'node:crypto';
import { defined } from '../../../functions/shared/contract/defined.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { authHash, encryptShare } from '../../client/index.ts';
import { inTurn } from '../in-turn.ts';
import { codeMailed, type DemoOptions, demoClient, storedOrCreated } from './demo-client.ts';
import { type DemoTenants, demoTenants } from './tenants.ts';
import { demoWebhook } from './webhooks.ts';

export type Demo = Awaited<ReturnType<typeof allData>>;

/**
 * Demo data. It is created through the API's own handlers on first request, stored, and created again where it has
 * expired or was deleted. Only the operator key is written to the table directly, as `npm run operator -- bootstrap` does.
 */
export function demoData(options: DemoOptions): () => Promise<Demo> {
  // Two concurrent first requests would create everything twice.
  const one = inTurn();
  return () => one(() => allData(options));
}

async function allData(options: DemoOptions) {
  const tenants = await demoTenants(options);
  const { offline, gateway } = tenants.applications;
  // First, so that their events include those of the other data.
  const webhooks = {
    offline: await demoWebhook(options, 'offline', offline._id, offline.apiKey),
    gateway: await demoWebhook(options, 'gateway', gateway._id, gateway.apiKey),
  };
  const shares = {
    repeated: await demoShare(options, 'repeated', 'This share opens as often as you like.'),
    // Once it is opened, the demo data contains a new one.
    oneTime: await demoShare(options, 'oneTime', 'This share opens once.'),
  };
  const subscription = await demoSubscription(options, tenants);
  const vault = await demoVault(options, tenants.operatorKey);
  return { ...tenants, webhooks, shares, subscription, ...defined({ vault }) };
}

/** A share to open: GET /api/share?id=<shareId>, then decrypt with the key, which is in Base64url as in the fragment of a link. */
async function demoShare(options: DemoOptions, kind: 'repeated' | 'oneTime', text: string) {
  const create = async () => {
    const { payload, key } = await encryptShare(text);
    const body = { ...payload, one_time: kind === 'oneTime', expires_in_hours: 168 };
    const { shareId, expiresAt } = await demoClient(options).createShare(body);
    return { shareId, key, expiresAt };
  };
  return storedOrCreated(options, `demo.shares.${kind}`, create, async ({ shareId, expiresAt }) => {
    if (Date.parse(expiresAt) <= options.nowMs()) return false;
    // An opened one-time share leaves its head without the ciphertext.
    return (await options.table.get(keys.share(shareId)))?.data !== undefined;
  });
}

/** A paid subscription at the application that is paid in the sandbox, with the billing page of its subscriber. */
async function demoSubscription(options: DemoOptions, { applications, plans }: DemoTenants) {
  const { _id: applicationId, apiKey } = applications.gateway;
  const client = demoClient(options, apiKey);
  const create = async () => {
    const externalId = `demo-subscriber-${randomUUID()}`;
    const email = `${externalId}@vouchsafe.example`;
    await client.upsertClient({ externalId, email, name: 'Sue Demo' });
    const { subscription } = await client.createSubscription({
      externalId,
      planId: plans.gateway.paid,
      successUrl: 'http://localhost:8080/thanks',
      cancelUrl: 'http://localhost:8080/plans',
    });
    const { _id, referenceNumber } = subscription;
    await client.activateSubscription({ id: _id });
    return { _id, referenceNumber, externalId, email };
  };
  // Keyed by the application's id: a new application has none of the subscriptions of the former one.
  const made = await storedOrCreated(options, `demo.subscription.${applicationId}`, create, ({ _id }) =>
    options.table.hasAll([keys.subscriptionOwner(_id)]),
  );
  const { billingUrl } = await client.createBillingLink({ id: made._id });
  return { ...made, billingPath: `/billing/${billingUrl.split('/').at(-1)}` };
}

/**
 * A user with a trusted device and a vault: GET /api/vault?userId=<userId> with the headers. Undefined when the code that
 * verifies the device was not mailed here.
 */
function demoVault(options: DemoOptions, operatorKey: string) {
  // The device can be removed, and a reset of its user ends the trust in it.
  return storedOrCreated(
    options,
    'demo.vault',
    () => createVault(options, operatorKey),
    (known) =>
      known === undefined
        ? Promise.resolve(false)
        : demoClient(options)
            .getVault({ userId: known.userId }, { headers: known.headers })
            .then(
              () => true,
              () => false,
            ),
  );
}

/** Verifies a new device as a user's device does, then stores a vault. */
async function createVault(options: DemoOptions, operatorKey: string) {
  const userId = `demo-${randomUUID()}`;
  const email = `${userId}@vouchsafe.example`;
  const masterPassword = 'correct horse battery staple';
  const salt = email;
  const signals = {
    clientDeviceUUID: randomUUID(),
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
  };
  // With `ENROLMENT=known`, only users whom an operator entered can verify a device.
  const client = demoClient(options, operatorKey);
  await client.upsertUser({ userId, email, name: 'Vic Demo', status: 'active', verified: true });
  const { deviceId } = await client.checkDevice({ userId, signals });
  const code = await codeMailed(options, email, () => client.sendDeviceCode({ email }));
  if (code === undefined) return undefined;
  const { deviceToken } = await client.trustDevice({ userId, userEmail: email, deviceId, code });

  const headers = {
    'x-device-id': deviceId,
    'x-auth-hash': await authHash(masterPassword, salt),
    ...defined({ 'x-device-token': deviceToken }),
  };
  const { payload, key } = await encryptShare(JSON.stringify({ note: 'Only you can read this.' }));
  const { data_blob, iv } = payload;
  await client.writeVault({ userId, data_blob, iv }, { headers });
  return { userId, email, masterPassword, salt, headers, key };
}
