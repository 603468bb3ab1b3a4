import { hourMs } from '../../shared/runtime/clock.ts';
import { mailFacts, outboxEntry } from '../../subscriptions/machine/draft.ts';
import type { OutboxEntry } from '../../subscriptions/record/outbox-entry.ts';
import type { BillingAccount } from './store.ts';

/** How often an old link can have the present one mailed: once in each hour of UTC. */
const linkMailMs = hourMs;

/** The id of the mail that brings the link after the one of a version, which its subscriber has replaced. */
export const replacementId = (version: number): string => `v${version + 1}`;

/** The id of the mails that old links ask for. It is the same within an hour, and an id is used once. */
export const requestId = (nowMs: number): string => `hour-${Math.floor(nowMs / linkMailMs)}`;

/** When an old link can have the present one mailed again, after a mail of this hour. */
export const nextRequestMs = (nowMs: number): number => (Math.floor(nowMs / linkMailMs) + 1) * linkMailMs;

/** The id of the outbox entry of a mail with the link. */
export const linkMailEntryId = (id: string): string => `billing_link#${id}`;

/**
 * The mail with the link to the billing page. The link itself is created when the mail is delivered.
 *
 * @param id unique within the subscription: two mails of one id are one mail.
 */
export function linkMail({ subscription, client }: BillingAccount, id: string, nowMs: number): OutboxEntry {
  const facts = mailFacts(subscription, client);
  const content = { kind: 'mail', template: 'billing_link', to: client.email, facts } as const;
  return outboxEntry(subscription, { id: linkMailEntryId(id), content }, { nowMs, position: 0 });
}
