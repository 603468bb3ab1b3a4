import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { defined } from '../../functions/shared/contract/defined.ts';
import { dpopProof, newDeviceKey } from '../support/devices/device-keys.ts';
import type { Answer } from '../support/subscriptions/stack.ts';
import type { StackAt } from './stack.ts';

/** 750 KB of zeros: more than one item holds. */
const largeText = 'A'.repeat(1_000_000);
const iv = 'AAECAwQFBgcICQoL';
export const ciphertext = { data_blob: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ', iv };
export const largeCiphertext = { data_blob: largeText, iv };

const banking = { accountHolder: 'Example Ltd', bankName: 'Example Bank', iban: 'DE02120300000000202051' };

/** The headers of a request by a bearer secret. */
export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** @throws Error unless the response is a success. */
export function ok({ status, body }: Answer) {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Moves past the windows of the rate limits, which count all requests of this machine together. */
const pause = (stack: StackAt) => stack.clockBy(61);

/** The shares that clients have links to. */
export async function createShares(stack: StackAt) {
  const create = async (more: object): Promise<string> =>
    ok(await stack.sendJson('POST', '/api/share', { ...ciphertext, expires_in_hours: 168, ...more })).shareId;
  await pause(stack);
  return {
    oneTime: await create({ one_time: true, meta_blob: 'AQID' }),
    repeated: await create({ one_time: false }),
    large: await create({ one_time: true, ...largeCiphertext }),
    largeRepeated: await create({ one_time: false, ...largeCiphertext }),
  };
}

/** The six digits of the newest mail to an address that has them. */
export async function mailedCode(stack: StackAt, email: string): Promise<string> {
  const subjects = (await stack.mails(email)).map(({ subject }) => subject).toReversed();
  const code = subjects.map((subject) => /\b\d{6}\b/.exec(subject)?.[0]).find((one) => one !== undefined);
  if (code === undefined) throw new Error(`No code was sent to ${email}`);
  return code;
}

/**
 * A user with two trusted devices, a vault and a device in quarantine with a code; and a user with a large vault and a
 * device that is about to be trusted.
 */
export async function createDevicesAndVaults(stack: StackAt) {
  const checkIn = async (userId: string): Promise<string> => {
    const signals = {
      clientDeviceUUID: randomUUID(),
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
    };
    return ok(await stack.sendJson('POST', '/api/auth/device-check', { userId, signals })).deviceId;
  };
  const sendCode = async (email: string): Promise<string> => {
    await pause(stack);
    ok(await stack.sendJson('POST', '/api/auth/mfa/send', { email }));
    return mailedCode(stack, email);
  };
  const trust = async (userId: string, userEmail: string, more: object = {}): Promise<string> => {
    const deviceId = await checkIn(userId);
    const code = await sendCode(userEmail);
    const body = { userId, userEmail, deviceId, code, ...more };
    ok(await stack.sendJson('POST', '/api/auth/mfa/verify', body));
    return deviceId;
  };
  const account = async (name: string, vaults: object[]) => {
    const userId = `vault-${name}`;
    const email = `${name}@example.com`;
    const deviceId = await trust(userId, email);
    const proof = Buffer.alloc(32, name).toString('hex');
    const headers = { 'x-device-id': deviceId, 'x-auth-hash': proof };
    for (const [i, vault] of vaults.entries()) {
      const version = i === 0 ? {} : { version: i };
      ok(await stack.sendJson('POST', '/api/vault', { userId, ...vault, ...version }, headers));
    }
    return { userId, email, headers, versions: vaults.length };
  };
  const small = await account('ann', [{ ...ciphertext, data_blob: 'AQID' }, ciphertext]);
  const large = await account('bob', [largeCiphertext]);
  const secondDeviceId = await trust(small.userId, small.email);
  await presentProof(stack, trust);
  const { userId } = small;
  const quarantinedId = await checkIn(userId);
  const code = await sendCode(small.email);
  const alerted = { userId: large.userId, userEmail: large.email, deviceId: await checkIn(large.userId) };
  const alertedCode = await sendCode(large.email);
  return {
    small: { ...small, secondDeviceId, quarantined: { deviceId: quarantinedId, code } },
    large,
    alerted: { ...alerted, code: alertedCode },
  };
}

/** A device that has a key signs a call for its vault, which has none: the proof is recorded. */
async function presentProof(
  stack: StackAt,
  trust: (userId: string, email: string, more: object) => Promise<string>,
): Promise<void> {
  const userId = 'vault-keyed';
  const key = await newDeviceKey();
  const deviceId = await trust(userId, 'keyed@example.com', { devicePublicKey: key.publicJwk });
  const dpop = await dpopProof(
    key,
    { method: 'GET', path: '/api/vault' },
    { htu: `${stack.url}/api/vault`, iat: Math.floor((await stack.now()) / 1_000) },
  );
  const headers = { 'x-device-id': deviceId, 'x-auth-hash': Buffer.alloc(32, 'keyed').toString('hex'), dpop };
  const { status, body } = await stack.sendJson('GET', `/api/vault?userId=${userId}`, undefined, headers);
  if (status !== 404) throw new Error(`${status}: ${JSON.stringify(body)}`);
}

/** An application, its users, and what operators maintain of them. */
export async function createTenants(stack: StackAt, operatorKey: string) {
  const operate = async (method: string, path: string, body?: unknown) =>
    ok(await stack.sendJson(method, `/api/operator${path}`, body, bearer(operatorKey)));
  const application = async (paymentGateway: 'none' | 'sandbox' | 'stripe') => {
    const { application: created, ...secrets } = await operate('POST', '/applications', {
      name: `Seller ${paymentGateway}`,
      redirectUris: ['https://app.example/callback'],
      settings: {
        paymentGateway,
        ...defined({ banking: paymentGateway === 'none' ? banking : undefined }),
      },
    });
    const plan = async (name: string, trialPeriodDays: number): Promise<string> =>
      (
        await operate('POST', `/applications/${created._id}/plans`, {
          name,
          price: 9.99,
          currency: 'EUR',
          billingCycle: 'monthly',
          features: ['Everything'],
          trialPeriodDays,
        })
      ).plan._id;
    const _id: string = created._id;
    return {
      _id,
      clientSecret: String(secrets.clientSecret),
      apiKey: String(secrets.apiKey),
      plans: { paid: await plan('Team', 0), trial: await plan('Pro', 14) },
    };
  };
  const user = { userId: 'user-ann', email: 'ann.user@example.com' };
  const profile = { email: user.email, name: 'Ann', status: 'active', verified: true };
  await operate('PUT', `/users/${user.userId}`, profile);
  await operate('POST', `/users/${user.userId}/reset`, { devices: true, reason: 'The phone was stolen.' });
  await operate('PUT', `/users/${user.userId}/social-accounts/YouTube`, {
    username: 'ann',
    url: 'https://youtube.example/@ann',
    verified: true,
    verificationStatus: 'verified',
    isPrimary: true,
  });
  const offline = await application('none');
  const body = { kind: 'api_key', expiresInDays: 365 };
  const further = await operate('POST', `/applications/${offline._id}/keys`, body);
  return {
    offline: { ...offline, further: { keyId: String(further.keyId), apiKey: String(further.secret) } },
    sandbox: await application('sandbox'),
    stripe: await application('stripe'),
    user,
  };
}

export type Tenants = Awaited<ReturnType<typeof createTenants>>;

/** The headers with which an application names a user. */
export const forUser = ({ offline, user }: Tenants) => ({
  ...bearer(offline.clientSecret),
  'x-user-id': user.userId,
});

/** Links in every state: pending, verified, rejected, and changed after the verification. */
export async function createLinks(stack: StackAt, operatorKey: string, tenants: Tenants) {
  const link = (title: string) => ({ title, url: `https://video.example/${title}`, platform: 'video' });
  const submission = { links: ['pending', 'verified', 'rejected', 'changed', 'removed'].map(link) };
  const headers = { ...forUser(tenants), 'idempotency-key': 'submission-1' };
  const submitted = ok(await stack.sendJson('POST', '/api/trust-links', submission, headers));
  const ids: Record<string, string> = Object.fromEntries(
    submitted.trustLinks.map(({ title, _id }: { title: string; _id: string }) => [title, _id]),
  );
  const decide = async (id: string | undefined, decision: object) => {
    const { revision } = ok(
      await stack.sendJson('GET', `/api/operator/reviews/${id}`, undefined, bearer(operatorKey)),
    );
    const body = { revision, ...decision };
    ok(await stack.sendJson('POST', `/api/operator/reviews/${id}`, body, bearer(operatorKey)));
  };
  await decide(ids.verified, { decision: 'verified' });
  await decide(ids.rejected, { decision: 'rejected', reason: 'It belongs to somebody else.' });
  await decide(ids.changed, { decision: 'verified' });
  ok(
    await stack.sendJson(
      'PUT',
      `/api/trust-links/${ids.changed}`,
      { title: 'changed again' },
      forUser(tenants),
    ),
  );
  ok(await stack.sendJson('DELETE', `/api/trust-links/${ids.removed}`, undefined, forUser(tenants)));
  const { pending = '', verified = '', rejected = '', changed = '' } = ids;
  return { pending, verified, rejected, changed, submission, submitted };
}

/** The body of a Stripe event about the payment of an invoice, and its signature. */
export function stripeEvent(id: string, applicationId: string, invoiceId: string, nowMs: number) {
  const object = {
    id: `cs_${id}`,
    object: 'checkout.session',
    payment_status: 'paid',
    payment_intent: `pi_${id}`,
    amount_total: 999,
    currency: 'eur',
    metadata: { applicationId, invoiceId },
  };
  const payload = JSON.stringify({
    id: `evt_${id}`,
    object: 'event',
    type: 'checkout.session.completed',
    data: { object },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: 'whsec_fixture',
    timestamp: Math.floor(nowMs / 1_000),
  });
  return { payload, headers: { 'stripe-signature': signature, 'content-type': 'application/json' } };
}

/**
 * A webhook with two signing secrets, a test event for it, and its delivery, which fails: nothing listens at the port. The
 * clock moves until the event was handed on.
 */
export async function createWebhooks(stack: StackAt, { offline }: Tenants) {
  const headers = bearer(offline.apiKey);
  const send = async (path: string, body?: object) =>
    ok(await stack.sendJson('POST', `/api/v1/webhooks${path}`, body, headers));
  const { webhook, secret } = await send('', { url: 'http://127.0.0.1:1024/hooks', types: ['webhook.*'] });
  const webhookId = String(webhook._id);
  const rotated = await send(`/${webhookId}/rotate`);
  const { eventId, deliveryId } = await send(`/${webhookId}/test`);
  await pause(stack);
  return {
    webhookId,
    secrets: [String(rotated.secret), String(secret)],
    eventId: String(eventId),
    deliveryId: String(deliveryId),
  };
}
