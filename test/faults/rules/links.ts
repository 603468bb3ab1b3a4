import { bearer, type Call, call, newOperatorKey } from '../../support/call.ts';
import type { Rules } from '../scenario.ts';
import { same, succeeded } from './succeeded.ts';

const again = (title: string) => async (request: Call) => {
  const { headers = {}, params = {} } = request;
  await succeeded(call('links.update', { headers, params, body: { title } }));
};

const submitted: Rules = {
  verify: async ({ headers = {} }, answer) => {
    for (const { _id: id, title } of answer.body.trustLinks) {
      const read = await succeeded(call('links.read', { headers, params: { id } }));
      same('title', read.body.trustLink.title, title);
    }
  },
  // A removed link must stay removed.
  change: async ({ headers = {} }, answer) => {
    const [first] = answer.body.trustLinks;
    await succeeded(call('links.remove', { headers, params: { id: first._id } }));
  },
};

export const linkRules: Readonly<Record<string, Rules>> = {
  'links.submit': { ...submitted, repeatMakesAnother: true },
  'links.submit: 1 link, with a key': submitted,
  'links.update: the title': {
    verify: async ({ headers = {}, params = {}, body }) => {
      const read = await succeeded(call('links.read', { headers, params }));
      same('title', read.body.trustLink.title, (body as { title: string }).title);
    },
    change: again('A newer title'),
  },
  'links.update: of a verified link': {
    verify: async ({ headers = {}, params = {} }) => {
      const read = await succeeded(call('links.read', { headers, params }));
      same('status', read.body.trustLink.verificationStatus, 'pending');
    },
    change: again('A newer title'),
  },
  'links.remove': {
    repeated: [404],
    verify: async ({ headers = {}, params = {} }) => {
      await succeeded(call('links.read', { headers, params }), 404);
    },
  },
  'links.review-decide': {
    verify: async ({ headers = {}, params = {}, body }) => {
      const read = await succeeded(call('links.review-read', { headers, params }));
      same('status', read.body.trustLink.verificationStatus, (body as { decision: string }).decision);
    },
  },
  'console.review-submit': {
    // A repeat after a lost answer leads to the queue, and claims no next link.
    mayDiffer: ['REVIEWCLAIM/CLAIM'],
    verify: async ({ params = {} }) => {
      const headers = bearer(await newOperatorKey());
      const read = await succeeded(call('links.review-read', { headers, params }));
      const events = read.body.history.map(({ event }: { event: string }) => event);
      same('history', events.join(), 'submitted,verified');
    },
  },
};
