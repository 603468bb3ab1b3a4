import { mailsTo } from '../mail/mailbox.ts';
import type { Tenant } from '../tenants.ts';
import { contradictionsIn, type JudgedMail } from './mail-judge.ts';
import { deliverOutboxOf } from './steps.ts';
import { clientOf, storedSubscriptions } from './stored-state.ts';

/** Reads the mails of a client as they arrive. */
export class MailReader {
  readonly mails: (JudgedMail & { id: string })[] = [];
  private readonly seller: Tenant;
  private readonly externalId: string;
  private readonly deliver: () => Promise<unknown>;
  private email?: string;
  private count = 0;
  private judged = 0;

  /** @param deliver delivers what is in the outboxes; by default, in those of the client. */
  constructor(seller: Tenant, externalId: string, deliver = () => deliverOutboxesOf(seller, externalId)) {
    this.seller = seller;
    this.externalId = externalId;
    this.deliver = deliver;
  }

  /**
   * Delivers what is in the outboxes, and notes each mail with its subscription as it is now.
   *
   * @param isTogether whether mails of several moments may arrive.
   */
  async read({ isTogether = false } = {}): Promise<void> {
    const { seller, externalId } = this;
    await this.deliver();
    this.email ??= (await clientOf(seller, externalId))?.email ?? '';
    const inOrder = (await mailsTo(this.email)).toReversed();
    if (inOrder.length === this.count) return;
    const all = await storedSubscriptions(seller, externalId);
    for (const mail of inOrder.slice(this.count)) {
      const found = all.find(({ subscription }) => mail.text.includes(subscription.referenceNumber));
      if (found === undefined) throw new Error(`A mail about no subscription: ${mail.subject}`);
      this.mails.push({ mail, atMs: Date.now(), isTogether, found, id: found.subscription.subscriptionId });
    }
    this.count = inOrder.length;
  }

  /** What is wrong with the mails that were read since it was asked last. */
  contradictions(): string[] {
    const fresh = new Set(this.mails.slice(this.judged));
    this.judged = this.mails.length;
    return this.bySubscription().flatMap((mails) => {
      const first = mails.findIndex((mail) => fresh.has(mail));
      if (first === -1) return [];
      const known = contradictionsIn(mails.slice(Math.max(0, first - 1), first));
      return contradictionsIn(mails.slice(Math.max(0, first - 1))).slice(known.length);
    });
  }

  /** The mails about each subscription, in the order in which they arrived. */
  bySubscription(): (JudgedMail & { id: string })[][] {
    return [...Map.groupBy(this.mails, ({ id }) => id).values()];
  }

  /** What the subjects ask or say, without the name of the application. */
  subjects(): string[] {
    return this.mails.map(({ mail }) => mail.subject.replace(/^“[^”]*”: /, ''));
  }
}

async function deliverOutboxesOf(seller: Tenant, externalId: string): Promise<void> {
  for (const { subscription } of await storedSubscriptions(seller, externalId))
    await deliverOutboxOf(subscription);
}
