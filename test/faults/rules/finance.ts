import { type Call, call } from '../../support/call.ts';
import type { Answer, Rules } from '../scenario.ts';
import { same, succeeded } from './succeeded.ts';

const authorized = ({ headers = {} }: Call) => {
  const { authorization = '' } = headers;
  return { authorization };
};

/** The payment in the answer is the one that is read, with its money in the same places. */
async function isRead(request: Call, { body }: Answer): Promise<void> {
  const { _id: id, status, waiting, applied } = body.payment;
  const answer = await succeeded(call('payments.read', { headers: authorized(request), params: { id } }));
  const { payment } = answer.body;
  same('the money', [payment.status, payment.waiting, payment.applied], [status, waiting, applied]);
}

/** The timeline has the pay-out once, and the credit is gone: a second one is refused. */
async function isPaidOut(request: Call, { body }: Answer): Promise<void> {
  const { subscriptionId: id, amount, currency } = body.payOut;
  const headers = authorized(request);
  const read = await succeeded(call('subscriptions.read', { headers, params: { id } }));
  const paidOut = read.body.subscription.timeline.flatMap(
    (entry: { paidOut?: object }) => entry.paidOut ?? [],
  );
  same('the pay-outs', paidOut, [{ amount, currency }]);
}

/** Sends back what waits of the payment. */
const returned = (request: Call, { body }: Answer) =>
  succeeded(
    call('payments.return', { headers: authorized(request), params: { id: body.payment._id } }),
    ...[200, 409],
  );

export const financeRules: Readonly<Record<string, Rules>> = {
  'payments.create': { verify: isRead },
  'payments.create: unapplied': { verify: isRead, change: returned },
  'payments.apply': { verify: isRead, repeated: [409] },
  'payments.return': { verify: isRead },
  'payments.reverse': { verify: isRead },
  'payments.reallocate': { verify: isRead },
  'payments.pay-out': { verify: isPaidOut },
};
