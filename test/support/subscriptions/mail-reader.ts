import { mailsTo } from '../mail/mailbox.ts';
import type { Tenant } from '../tenants.ts';
import type { JudgedMail } from './mail-judge.ts';
import { deliverOutboxOf } from './steps.ts';
import { clientOf, storedSubscriptions } from './stored-state.ts';

/** Reads the mails of a client as they arrive. */
export class MailReader {
  readonly mails: (JudgedMail & { id: string })[] = [];
  private readonly seller: Tenant;
  private readonly externalId: string;
  private count = 0;

  constructor(seller: Tenant, externalId: string) {
    this.seller = seller;
    this.externalId = externalId;
  }

  /** Delivers what is in the outboxes, and notes each mail with its subscription as it is now. */
  async read(): Promise<void> {
    const { seller, externalId } = this;
    for (const { subscription } of await storedSubscriptions(seller, externalId))
      await deliverOutboxOf(subscription);
    const all = await storedSubscriptions(seller, externalId);
    const client = await clientOf(seller, externalId);
    const inOrder = (await mailsTo(client?.email ?? '')).toReversed();
    for (const mail of inOrder.slice(this.count)) {
      const found = all.find(({ subscription }) => mail.text.includes(subscription.referenceNumber));
      if (found === undefined) throw new Error(`A mail about no subscription: ${mail.subject}`);
      this.mails.push({ mail, atMs: Date.now(), found, id: found.subscription.subscriptionId });
    }
    this.count = inOrder.length;
  }

  /** The mails about each subscription, in the order in which they arrived. */
  bySubscription(): JudgedMail[][] {
    return [...Map.groupBy(this.mails, ({ id }) => id).values()];
  }

  /** What the subjects ask or say, without the name of the application. */
  subjects(): string[] {
    return this.mails.map(({ mail }) => mail.subject.replace(/^“[^”]*”: /, ''));
  }
}
