/** Each write of a delivery is conditioned on what was read: one that comes after another changes nothing. */

import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { hourMs, minuteMs, secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import { newId } from '../../../../../functions/shared/runtime/ids.ts';
import { deleteItem, getItem } from '../../../../../functions/shared/table/table.ts';
import type { Delivery } from '../../../../../functions/webhooks/deliveries/delivery.ts';
import { deliveryStore } from '../../../../../functions/webhooks/deliveries/store.ts';
import { storedDelivery } from '../../../../support/samples/deliveries.ts';

let latestMs = Date.now() + hourMs;
/** A time that no other write has. */
const nextMs = () => {
  latestMs += secondMs;
  return latestMs;
};
const executionName = 'in-charge';
type Read = Delivery & { dueAt: string };

/** The writes of a delivery that was read. */
const writes: Record<string, (read: Read) => Promise<unknown>> = {
  attempt: (read) =>
    deliveryStore.note(
      read,
      { atMs: nextMs(), durationMs: 1, status: 500 },
      { status: 'pending', nextAttemptAtMs: nextMs() + minuteMs, executionName },
    ),
  end: (read) => deliveryStore.note(read, undefined, { status: 'failed', reason: 'webhook_inactive' }),
  retry: (read) => deliveryStore.retry(read, nextMs()),
  claim: (read) => deliveryStore.claim(read, { executionName: newId('evt', latestMs), nowMs: nextMs() }),
  deletion: ({ webhookId, eventId }) =>
    deleteItem(keys.delivery(webhookId, eventId), { guard: { harmless: 'the item expires once' } }),
};

const names = Object.keys(writes);
const isRefused = (first: string, later: string) =>
  // A person can ask for a retry whichever execution waits.
  later !== 'deletion' && !(first === 'claim' && later === 'retry');
const pairs = names.flatMap((first) =>
  names.filter((later) => isRefused(first, later)).map((later) => ({ first, later })),
);

test.each(pairs)(
  '$later after $first, from an earlier reading, changes nothing',
  async ({ first, later }) => {
    const delivery = await storedDelivery({ applicationId: newId('app', latestMs) }, newId('whk', latestMs), {
      status: 'pending',
      nextAttemptAtMs: latestMs,
      executionName,
    });
    const stored = () => getItem(keys.delivery(delivery.webhookId, delivery.eventId));
    const before = await stored();
    const read = { ...delivery, dueAt: String(before?.dueAt) };
    await writes[first]?.(read);
    const after = await stored();
    expect(after).not.toEqual(before);
    await writes[later]?.(read);
    expect(await stored()).toEqual(after);
  },
);
