import { type Call, call } from '../../support/call.ts';
import type { Answer, Rules } from '../scenario.ts';
import { same, succeeded } from './succeeded.ts';

const idOf = ({ params = {} }: Call, { body }: Answer): string => params.id ?? body.webhook._id;
const authorized = ({ headers = {} }: Call) => {
  const { authorization = '' } = headers;
  return { authorization };
};

/** Sends a newer change of the webhook. */
const disabled = (request: Call, answer: Answer) =>
  succeeded(
    call('webhooks.webhook-update', {
      headers: authorized(request),
      params: { id: idOf(request, answer) },
      body: { active: false, description: 'A newer description' },
    }),
  );

/** The webhook in the answer is the one that is read. */
async function isRead(request: Call, answer: Answer): Promise<void> {
  const params = { id: idOf(request, answer) };
  const { body } = await succeeded(call('webhooks.webhook-read', { headers: authorized(request), params }));
  same('url', body.webhook.url, answer.body.webhook.url);
  same('types', body.webhook.types, answer.body.webhook.types);
}

export const webhookRules: Readonly<Record<string, Rules>> = {
  'webhooks.webhook-create': {
    repeatMakesAnother: true,
    verify: isRead,
    change: disabled,
    // A creation that failed and is applied late adds its webhook, and the id of it.
    mayDiffer: ['WEBHOOK/IDS'],
  },
  // It is refused, and changes nothing.
  'webhooks.webhook-create: the eleventh': {},
  'webhooks.webhook-update': { repeatMakesAnother: true, verify: isRead, change: disabled },
  'webhooks.webhook-remove': { repeated: [404] },
  'webhooks.webhook-rotate': {
    repeatMakesAnother: true,
    change: (request) =>
      succeeded(
        call('webhooks.webhook-rotate', { headers: authorized(request), params: request.params ?? {} }),
      ),
  },
  'webhooks.webhook-test': { repeatMakesAnother: true, change: disabled },
};
