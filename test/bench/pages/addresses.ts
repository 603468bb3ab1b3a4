import { setTimeout } from 'node:timers/promises';
import type { World } from '../../support/browser/world.ts';
import { asFile, camt, entryXml } from '../../support/statements/bank-files.ts';
import type { pages } from '../budgets.ts';

/** How many records a page lists, and the time between two of them, for the limit of the application's requests. */
export interface Listed {
  records: number;
  pauseMs: number;
}

async function forEachListed(
  { records, pauseMs }: Listed,
  act: (n: number) => Promise<unknown>,
): Promise<void> {
  for (let n = 0; n < records; n += 1) {
    await act(n);
    await setTimeout(pauseMs);
  }
}

/** The ids of links that wait for a review. */
async function submitLinks({ send, user, application }: World, { records }: Listed): Promise<string[]> {
  const links = Array.from({ length: records }, (_, n) => ({
    title: `Link ${n}`,
    url: `https://www.example.com/${n}`,
    platform: 'Page',
    description: 'About birds.',
  }));
  const body = { userId: user.userId, links };
  const { trustLinks } = await send('POST', '/api/trust-links', { key: application.clientSecret, body });
  return trustLinks.map(({ _id }: { _id: string }) => _id);
}

/** Uploads a bank statement with an entry for each text, none of which names an invoice. */
async function uploadStatement({ send, application }: World, texts: readonly string[]) {
  const file = asFile(camt(texts.map((text) => entryXml({ amount: '19.00', text }))));
  return await send('POST', '/api/v1/bank-statements', {
    key: application.apiKey,
    body: { format: 'camt.053', file },
  });
}

/** The pages that a visit begins with, by the names of their budgets. */
export const addresses: Record<
  keyof typeof pages,
  (world: World, listed: Listed) => Promise<string> | string
> = {
  '/': ({ url }) => `${url}/`,
  'an unknown path': ({ url }) => `${url}/nothing/here`,
  '/s, to create': ({ url }) => `${url}/s`,
  '/s/{shareId}, to open': ({ url }) => `${url}/s/AAAAAAAAAAAAAAAAAAAAAA#k${'A'.repeat(43)}`,
  '/account': ({ url }) => `${url}/account`,
  '/console/sign-in': ({ url }) => `${url}/console/sign-in`,
  '/console': ({ url }) => `${url}/console`,
  '/console/reviews': async (world, listed) => {
    await submitLinks(world, listed);
    return `${world.url}/console/reviews`;
  },
  '/console/reviews/{linkId}': async (world, listed) => {
    const [linkId] = await submitLinks(world, listed);
    return `${world.url}/console/reviews/${linkId}`;
  },
  '/console/customers': ({ url }) => `${url}/console/customers`,
  '/console/customers?application={applicationId}': async (world, listed) => {
    await forEachListed(listed, (n) => world.newSubscription(`customer-${n}`));
    return `${world.url}/console/customers?application=${world.application.clientId}`;
  },
  '/console/customers/{applicationId}/{subscriptionId}': async (world, listed) => {
    const { subscriptionId } = await world.newSubscription('changing');
    const path = `/api/v1/subscriptions/${subscriptionId}`;
    const { apiKey: key, clientId } = world.application;
    await world.send('POST', `${path}/activate`, { key, body: {} });
    await forEachListed(listed, (n) =>
      world.send('PATCH', path, { key, body: { autoRenew: n % 2 === 1, reason: `The reason ${n}` } }),
    );
    return `${world.url}/console/customers/${clientId}/${subscriptionId}`;
  },
  '/console/money/{applicationId}': async (world, listed) => {
    await forEachListed(listed, (n) =>
      world.send('POST', '/api/v1/payments', {
        key: world.application.apiKey,
        body: { paymentId: `transfer-${n}`, amount: 19, currency: 'EUR', reference: 'none' },
      }),
    );
    return `${world.url}/console/money/${world.application.clientId}`;
  },
  '/console/money/{applicationId}/statements': async (world, listed) => {
    await forEachListed(listed, (n) => uploadStatement(world, [`List ${n}`]));
    return `${world.url}/console/money/${world.application.clientId}/statements`;
  },
  '/console/money/{applicationId}/statements/{statementId}': async (world, listed) => {
    const texts = Array.from({ length: listed.records }, (_, n) => `Entry ${n}`);
    const { statement } = await uploadStatement(world, texts);
    return `${world.url}/console/money/${world.application.clientId}/statements/${statement._id}`;
  },
  '/console/developers': async (world, listed) => {
    const { operatorKey: key } = await world.send('GET', '/_local/demo');
    await forEachListed(listed, (n) =>
      world.send('POST', '/api/operator/applications', {
        key,
        body: { name: `Application ${n}`, redirectUris: [`${world.site}/callback`] },
      }),
    );
    return `${world.url}/console/developers`;
  },
  '/console/developers/{applicationId}': ({ url, application }) =>
    `${url}/console/developers/${application.clientId}`,
  '/console/developers/{applicationId}/webhooks/{webhookId}': async (world, listed) => {
    const { apiKey: key, clientId } = world.application;
    // The receiver is the stack itself, which refuses each delivery: a page with failures is the largest.
    const body = { url: `${world.url}/nothing/here`, types: ['subscription.*'] };
    const { webhook } = await world.send('POST', '/api/v1/webhooks', { key, body });
    await forEachListed(listed, () =>
      world.send('POST', `/api/v1/webhooks/${webhook._id}/test`, { key, body: {} }),
    );
    return `${world.url}/console/developers/${clientId}/webhooks/${webhook._id}`;
  },
  '/console/audit': ({ url }) => `${url}/console/audit`,
  '/billing/{token}': async (world) => world.billingUrl(await world.newSubscription('billed')),
  '/checkout/{token}': async (world) => (await world.newSubscription('paying')).checkoutUrl,
  '/oauth/authorize/consent': ({ consentUrl }) => consentUrl,
  '/docs': ({ url }) => `${url}/docs`,
  // The largest one.
  '/docs/{group}': ({ url }) => `${url}/docs/subscriptions`,
};
