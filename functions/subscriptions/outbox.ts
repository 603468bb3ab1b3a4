import { nowMs } from '../shared/clock.ts';
import { sendMailWithAttachments } from '../shared/mailer.ts';
import { scheduled } from '../shared/scheduled.ts';
import { checkoutUrl } from './checkout-link.ts';
import { closeCheckout } from './close-checkout.ts';
import { deliver } from './deliver.ts';
import { outboxStore } from './outbox-store.ts';
import { subscriptionStore } from './subscription-store.ts';
import { timers } from './timers.ts';

const outboxDeps = () => ({
  ...{ subscriptions: subscriptionStore, outbox: outboxStore },
  ...{ sendMail: sendMailWithAttachments, checkoutUrl, closeCheckout, nowMs },
});

/** So many a run and shard; the rest waits for the next. Within SES's smallest rate and the function's time. */
const perShard = 50;
/** SES's smallest rates are below what this many send. */
const atOnce = 4;

/** Does what is left in outboxes: what a process left that died, and what failed. Two runs at once share it by lease. */
export async function emptyOutboxes(deps: ReturnType<typeof outboxDeps>) {
  const { subscriptions, outbox, nowMs } = deps;
  const counts = { done: 0, failed: 0 };
  const causes: unknown[] = [];
  const see = async (due: Awaited<ReturnType<typeof outbox.due>>[number]) => {
    const mine = await outbox.claim(due, nowMs());
    if (mine === undefined) return;
    const { applicationId, externalId, subscriptionId } = mine;
    const found = await subscriptions.load(applicationId, externalId, [subscriptionId]);
    const cause = await deliver(mine, found.subscriptions[0]?.baseUrl ?? '', deps);
    if (cause !== undefined) causes.push(cause);
    counts[cause === undefined ? 'done' : 'failed'] += 1;
  };
  const all = await outbox.due(nowMs(), perShard);
  const lanes = Array.from({ length: atOnce }, async (_, lane) => {
    for (let i = lane; i < all.length; i += atOnce) await see(all[i] as (typeof all)[number]);
  });
  await Promise.all(lanes);
  return { counts, cause: causes[0] };
}

export const handler = scheduled(timers.outbox, emptyOutboxes, outboxDeps);
