import { outboxStore } from '../../../functions/notices/outbox/store.ts';
import { mailIdOf } from '../../../functions/operator/mails/mail-id.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import type { OutboxEntry } from '../../../functions/subscriptions/record/outbox-entry.ts';
import { putItem } from '../call.ts';

/** An outbox entry of a subscription that does not exist, after three tries without an answer. @returns the entry. */
export async function waitingMail(nowMs = Date.now()): Promise<OutboxEntry> {
  const subscriptionId = newId('sub', nowMs);
  const entry = {
    entryId: 'invoice#1',
    applicationId: 'app_none',
    externalId: 'none',
    subscriptionId,
    kind: 'mail',
    template: 'invoice',
    to: 'ann@example.com',
    createdAtMs: nowMs,
    leasedUntilMs: 0,
    attempts: 3,
    possibleCopies: 3,
    due: keys.outboxPartition(0),
  };
  await putItem({ ...keys.outbox(subscriptionId, entry.entryId), ...entry });
  return entry as unknown as OutboxEntry;
}

/** The same, given up as the delivery does. @returns the id of the mail. */
export async function givenUpMail(nowMs = Date.now()): Promise<string> {
  const entry = await waitingMail(nowMs);
  await outboxStore.giveUp(entry, { copies: 3, failure: 'TimeoutError' }, nowMs);
  return mailIdOf(entry);
}
