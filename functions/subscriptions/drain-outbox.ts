import { scheduled } from '../shared/lambda/scheduled.ts';
import { sendMailWithAttachments } from '../shared/mail/mailer.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { checkoutUrl } from './checkout/link.ts';
import { subscriptionStore } from './engine/subscription-store.ts';
import { deliver } from './outbox/deliver.ts';
import { outboxStore } from './outbox/store.ts';
import { closeCheckout } from './stripe/expire-session.ts';
import { timers } from './timers.ts';

const outboxDeps = () => ({
  subscriptions: subscriptionStore,
  outbox: outboxStore,
  sendMail: sendMailWithAttachments,
  checkoutUrl,
  closeCheckout,
  nowMs,
});

/** So many a run and shard; the rest waits for the next. Within SES's smallest rate and the function's time. */
const batchSizePerShard = 50;
/** SES's smallest rates are below what this many send. */
const concurrency = 4;

/** Does what is left in outboxes: what a process left that died, and what failed. Two runs at once share it by lease. */
export async function drainOutboxes(deps: ReturnType<typeof outboxDeps>) {
  const { subscriptions, outbox, nowMs } = deps;
  const counts = { done: 0, failed: 0 };
  const causes: unknown[] = [];
  const see = async (due: Awaited<ReturnType<typeof outbox.due>>[number]) => {
    const claimed = await outbox.claim(due, nowMs());
    if (claimed === undefined) return;
    const { applicationId, externalId, subscriptionId } = claimed;
    const found = await subscriptions.getWithClient(applicationId, externalId, [subscriptionId]);
    const cause = await deliver(claimed, found.subscriptions[0]?.baseUrl ?? '', deps);
    if (cause !== undefined) causes.push(cause);
    counts[cause === undefined ? 'done' : 'failed'] += 1;
  };
  const all = await outbox.due(nowMs(), batchSizePerShard);
  const workers = Array.from({ length: concurrency }, async (_, lane) => {
    for (let i = lane; i < all.length; i += concurrency) await see(all[i] as (typeof all)[number]);
  });
  await Promise.all(workers);
  return { counts, cause: causes[0] };
}

export const handler = scheduled(timers['drain-outbox'], drainOutboxes, outboxDeps);
