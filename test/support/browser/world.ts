import { createHash } from 'node:crypto';
import { type SentMail, subscriptionClient } from '../subscriptions/stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: the responses of the API, which other tests compare with its schemas.
type Json = any;

/** People and records on a local stack that its pages can show, the same in each run. */
export interface World {
  /** Base URL of the API. */
  url: string;
  /** The web site of the application, which sells the plan. */
  site: string;
  /** The user of the consent page and of the account page. */
  user: { userId: string; email: string };
  /** The application. Its name is Northwind Notes. */
  application: { clientId: string; clientSecret: string; apiKey: string; redirectUri: string };
  /** Sends an API call. @throws Error when the response is not a success. */
  send(method: string, path: string, options?: { body?: object; key?: string }): Promise<Json>;
  /** The newest mail to an address. */
  newestMail(address: string): Promise<SentMail | undefined>;
  /** The code of the newest mail to the user. */
  mailedCode(): Promise<string>;
  /** Exchanges the code of the redirect that ends the consent page, as the application does. */
  exchangeCode(redirect: string): Promise<void>;
  /** An authorization request of the application, which opens the consent page. */
  consentUrl: string;
  /**
   * Verifies a device of the user with a mailed code, unless it is verified. Codes are limited: some minutes have to pass on
   * the clock of the stack between two calls.
   */
  newDevice(userAgent: string): Promise<{ deviceId: string }>;
  /** A new subscription that has to be paid, of the client `<externalId>@example.com`. */
  newSubscription(externalId: string): Promise<NewSubscription>;
  /** The link to the billing page of a subscription. */
  billingUrl(subscription: Pick<NewSubscription, 'subscriptionId'>): Promise<string>;
}

interface NewSubscription {
  subscriptionId: string;
  checkoutUrl: string;
  email: string;
}

const scopes = 'profile trust_links:write vault';
/** Digits for a UUID of version 4. */
const uuidParts = /^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/;
/** The example of RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/**
 * Creates an application, a user with a verified device, and a plan, through the API of a local stack.
 *
 * @param url of the local stack.
 * @param publicUrl how links begin, when it differs.
 * @param site of the application, to which the pages return.
 * @param userId of the user; others share a stack with other ids.
 */
export async function newWorld(
  url: string,
  publicUrl = url,
  site = 'https://notes.example',
  userId = 'ann-reed',
): Promise<World> {
  const client = subscriptionClient(url);
  const send: World['send'] = async (method, path, { body, key } = {}) => {
    const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const answer = await client.sendJson(method, path, body, authorization);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const newestMail: World['newestMail'] = async (address) => (await client.mails(address)).at(-1);
  const { operatorKey: key } = await send('GET', '/_local/demo');

  const user = { userId, email: `${userId.replace('-', '.')}@example.com` };
  const profile = { email: user.email, name: 'Ann Reed', status: 'active', verified: true };
  await send('PUT', `/api/operator/users/${user.userId}`, { key, body: profile });
  const redirectUri = `${site}/callback`;
  const { application, clientSecret, apiKey } = await send('POST', '/api/operator/applications', {
    key,
    body: {
      name: 'Northwind Notes',
      redirectUris: [redirectUri],
      settings: { paymentGateway: 'sandbox' },
    },
  });
  const { plan } = await send('POST', `/api/operator/applications/${application._id}/plans`, {
    key,
    body: {
      name: 'Team',
      description: 'Notes for the whole team.',
      price: 19,
      currency: 'EUR',
      billingCycle: 'monthly',
      features: ['Shared notebooks'],
    },
  });
  const mailedCode = async () => /\b\d{6}\b/.exec((await newestMail(user.email))?.subject ?? '')?.[0] ?? '';
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: application.clientId,
    redirect_uri: redirectUri,
    scope: scopes,
    state: 'x1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return {
    url,
    site,
    user,
    application: { clientId: application.clientId, clientSecret, apiKey, redirectUri },
    send,
    newestMail,
    mailedCode,
    consentUrl: `${publicUrl}/oauth/authorize/consent?${request}`,
    async exchangeCode(redirect) {
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code: new URL(redirect).searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: verifier,
        client_id: application.clientId,
        client_secret: clientSecret,
      });
      const response = await fetch(`${url}/api/oauth/token`, { method: 'POST', body });
      if (!response.ok) throw new Error(`The code was refused: ${await response.text()}`);
    },
    async newDevice(userAgent) {
      const { userId, email } = user;
      // Ids that are the same in each run.
      const uuid = createHash('sha256')
        .update(userAgent)
        .digest('hex')
        .replace(uuidParts, '$1-$2-4$3-8$4-$5');
      const deviceId = `client-${uuid}`;
      const signals = { clientDeviceUUID: uuid, userAgent };
      const { verified } = await send('POST', '/api/auth/device-check', { body: { userId, signals } });
      if (verified) return { deviceId };
      await send('POST', '/api/auth/mfa/send', { body: { email } });
      const body = { userId, userEmail: email, deviceId, code: await mailedCode() };
      await send('POST', '/api/auth/mfa/verify', { body });
      return { deviceId };
    },
    async billingUrl({ subscriptionId }) {
      const path = `/api/v1/subscriptions/${subscriptionId}/billing-link`;
      return (await send('POST', path, { key: apiKey, body: {} })).billingUrl;
    },
    async newSubscription(externalId) {
      const seller = client.known(application._id, apiKey);
      const email = `${externalId}@example.com`;
      const body = { externalId, email, name: 'Ann Reed' };
      await send('POST', '/api/v1/clients', { key: apiKey, body });
      const returnTo = { successUrl: `${site}/thanks`, cancelUrl: `${site}/plans` };
      const { id, body: created } = await seller.subscribe(externalId, plan._id, returnTo);
      return {
        subscriptionId: id,
        checkoutUrl: created.checkoutUrl ?? created.subscription.checkoutUrl,
        email,
      };
    },
  };
}
