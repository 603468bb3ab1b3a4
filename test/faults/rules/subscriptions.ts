import { bearer, type Call, call, newSecret } from '../../support/call.ts';
import type { Answer, Rules } from '../scenario.ts';
import { same, succeeded } from './succeeded.ts';

const command =
  (name: string, body?: object) =>
  async ({ headers = {}, params = {} }: Call, answer: Answer) => {
    const id = params.id ?? answer.body.subscription._id;
    const { authorization = '' } = headers;
    await succeeded(call(`subscriptions.${name}`, { headers: { authorization }, params: { id }, body }));
  };

/** The status in the answer is the one that is read. */
const isRead = async ({ headers = {} }: Call, { body }: Answer) => {
  const { authorization = '' } = headers;
  const { _id: id, status } = body.subscription;
  const read = await succeeded(call('subscriptions.read', { headers: { authorization }, params: { id } }));
  same('status', read.body.subscription.status, status);
};

/** The credit note in the answer is the one that is read. */
const isCredited = async ({ headers = {} }: Call, { body }: Answer) => {
  const { authorization = '' } = headers;
  const { _id: id } = body.creditNote;
  const read = await succeeded(
    call('invoices.credit-note-read', { headers: { authorization }, params: { id } }),
  );
  same('the credit note', read.body.creditNote, body.creditNote);
};

const keyed: Rules = { verify: isRead, change: command('cancel') };
const created: Rules = { ...keyed, repeatMakesAnother: true };

const upserted: Rules = {
  change: ({ headers = {}, body }) => {
    const { authorization = '' } = headers;
    return succeeded(
      call('clients.upsert', {
        headers: { authorization },
        body: { ...(body as object), name: 'A newer name' },
      }),
    );
  },
};

/** Cancels the subscription whose timer ran. */
async function cancelled({ body }: Call): Promise<void> {
  const { applicationId, subscriptionId } = body as Record<string, string>;
  const { secret } = await newSecret('api_key', { applicationId });
  // A step may have ended the subscription.
  await succeeded(
    call('subscriptions.cancel', { headers: bearer(secret), params: { id: subscriptionId ?? '' } }),
    ...[200, 409],
  );
}

const step: Rules = { change: cancelled };
/** At most three copies of a mail, when its delivery is interrupted again and again. */
const delivery: Rules = {
  copies: 3,
  leavesDueEntry: true,
  // A record of a delivery that arrives late is true.
  // A mail that a timer delivers later is counted then, and its document is stored then.
  mayDiffer: ['SUBSCRIPTION/OUTBOX', 'DOCUMENT/DOCUMENT', 'QUOTA/MAILS', 'QUOTA/RECIPIENT'],
};

export const subscriptionRules: Readonly<Record<string, Rules>> = {
  'clients.upsert': { ...upserted, repeatMakesAnother: true },
  'clients.upsert: a new one, with a key': upserted,
  'subscriptions.create': created,
  'subscriptions.create: offline, with a key': keyed,
  'payments.activate': { verify: isRead, repeated: [409], change: command('cancel') },
  'subscriptions.cancel: now': { verify: isRead, repeated: [409] },
  'subscriptions.cancel: pending': { verify: isRead, repeated: [409] },
  'subscriptions.cancel: at the end': { verify: isRead, repeated: [409], change: command('uncancel') },
  'subscriptions.pause': { verify: isRead, repeated: [409], change: command('resume') },
  'subscriptions.resume': { verify: isRead, repeated: [409], change: command('pause') },
  'subscriptions.credit-invoice': { verify: isCredited, repeatMakesAnother: true },
  'subscriptions.change': { verify: isRead, change: command('cancel') },
  'subscriptions.uncancel': { verify: isRead, repeated: [409], change: command('cancel') },
  'subscriptions.update': { verify: isRead, repeated: [409], change: command('cancel') },
  'subscriptions.update: days': { verify: isRead, repeated: [409], change: command('cancel') },
  'subscriptions.update: trial': { verify: isRead, repeated: [409], change: command('cancel') },
  'payments.checkout-submit': { repeated: [200, 409] },
  'subscriptions.run-step': step,
  'notices.deliver': delivery,
  'notices.drain': delivery,
};
