import { type createDevicesAndVaults, ok, stripeEvent, type Tenants } from './records.ts';
import type { StackAt } from './stack.ts';

/** Subscriptions in every state. The clock moves on by 40 days for those that are overdue. */
export async function createSubscriptions(stack: StackAt, { offline, sandbox, stripe }: Tenants) {
  const seller = stack.known(offline._id, offline.apiKey);
  const shop = stack.known(sandbox._id, sandbox.apiKey);
  const merchant = stack.known(stripe._id, stripe.apiKey);
  const subscribe = async (of: typeof seller, name: string, planId: string) => {
    await stack.clockBy(1);
    return of.subscribe(await of.client(name), planId);
  };
  const command = async (of: typeof seller, id: string, what: string, body?: object) =>
    ok(await of.call('POST', `/subscriptions/${id}${what}`, body));

  await giveUpMail(stack, seller, offline.plans.paid);
  const pastDue = await subscribe(seller, 'past-due', offline.plans.paid);
  await command(seller, pastDue.id, '/activate');
  await stack.clockBy(40 * 86_400);

  const trialing = await subscribe(seller, 'trialing', offline.plans.trial);
  const pending = await subscribe(seller, 'pending', offline.plans.paid);
  const active = await subscribe(seller, 'active', offline.plans.paid);
  await command(seller, active.id, '/activate');
  const paused = await subscribe(seller, 'paused', offline.plans.paid);
  await command(seller, paused.id, '/activate');
  await command(seller, paused.id, '/pause');
  const ending = await subscribe(seller, 'ending', offline.plans.paid);
  await command(seller, ending.id, '/activate');
  await command(seller, ending.id, '', { atPeriodEnd: true });
  const cancelled = await subscribe(seller, 'cancelled', offline.plans.paid);
  await command(seller, cancelled.id, '');

  const checkout = await subscribe(shop, 'checkout', sandbox.plans.paid);
  const paid = await subscribe(shop, 'paid', sandbox.plans.paid);
  await stack.choose(paid.body.checkoutUrl, 'pay');

  const billed = await subscribe(merchant, 'billed', stripe.plans.paid);
  const open = (await merchant.read(billed.id)).invoices[0]?._id ?? '';
  const event = stripeEvent('first', stripe._id, open, await stack.now());
  const webhook = `/webhooks/stripe/${stripe._id}`;
  ok(await stack.send(webhook, { method: 'POST', headers: event.headers, body: event.payload }));
  const awaiting = await subscribe(merchant, 'awaiting', stripe.plans.paid);

  return {
    pastDue: pastDue.id,
    trialing: trialing.id,
    pending: pending.id,
    active: active.id,
    paused: paused.id,
    ending: ending.id,
    cancelled: cancelled.id,
    checkout: { id: checkout.id, path: new URL(checkout.body.checkoutUrl).pathname },
    paid: { id: paid.id, path: new URL(paid.body.checkoutUrl).pathname },
    billed: { id: billed.id, invoiceId: open },
    awaiting: awaiting.id,
  };
}

/** A mail about a subscription that could not be sent for three days, and was given up. */
async function giveUpMail(stack: StackAt, seller: ReturnType<StackAt['known']>, planId: string) {
  const fail = async (times: number) =>
    ok(await stack.sendJson('POST', '/_local/mailbox/fail', { error: 'MessageRejected', times }));
  await fail(1_000);
  await seller.subscribe(await seller.client('unreachable'), planId);
  await stack.clockBy(4 * 86_400);
  await fail(0);
}

/** Mails about subscriptions that one mailbox gets in a day. Those of further ones wait for the next day. */
const mailsPerDay = 20;

/** Mail that could not be sent, and is still due: a New Device Login mail, and one about a new subscription. */
export async function leaveMailDue(
  stack: StackAt,
  { offline }: Tenants,
  { alerted }: Awaited<ReturnType<typeof createDevicesAndVaults>>,
) {
  const seller = stack.known(offline._id, offline.apiKey);
  const externalId = await seller.client('unmailed');
  ok(await stack.sendJson('POST', '/_local/mailbox/fail', { error: 'MessageRejected', times: 1_000 }));
  ok(await stack.sendJson('POST', '/api/auth/mfa/verify', alerted));
  const { id } = await seller.subscribe(externalId, offline.plans.paid);
  for (let i = 0; i <= mailsPerDay; i += 1)
    await seller.subscribe(await seller.client(`busy+${i}`), offline.plans.paid);
  // Waits for the attempts.
  await stack.mails(alerted.userEmail);
  return { subscription: id, subscriber: `${externalId}@example.com`, user: alerted.userEmail };
}
