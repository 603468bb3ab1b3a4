import { defined } from '../../../functions/shared/contract/defined.ts';
import { keys } from '../../../functions/shared/contract/keys.ts';
import { queryItems } from '../../../functions/shared/table/table.ts';
import type { CreditNote } from '../../../functions/subscriptions/invoices/credit-note.ts';
import { mailsTo } from '../mail/mailbox.ts';
import type { Tenant } from '../tenants.ts';
import type { JudgedMail, SinceBefore } from './mail-judge.ts';
import { deliverOutboxOf } from './steps.ts';
import { clientOf, storedSubscriptions } from './stored-state.ts';

/** Reads the mails of a client as they arrive. */
export class MailReader {
  readonly mails: (JudgedMail & { id: string })[] = [];
  private readonly seller: Tenant;
  private readonly externalId: string;
  private count = 0;
  private credit: Readonly<Record<string, number>> = {};
  private readonly creditNotes = new Set<string>();

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
    const since = await this.sinceBefore(
      all.map(({ subscription }) => subscription.subscriptionId),
      client?.credit,
    );
    for (const mail of inOrder.slice(this.count)) {
      const found = all.find(({ subscription }) => mail.text.includes(subscription.referenceNumber));
      if (found === undefined) throw new Error(`A mail about no subscription: ${mail.subject}`);
      this.mails.push({ mail, atMs: Date.now(), found, since, id: found.subscription.subscriptionId });
    }
    this.count = inOrder.length;
  }

  /** What has changed since the mails were read before. */
  private async sinceBefore(
    ids: readonly string[],
    credit: Readonly<Record<string, number>> = {},
  ): Promise<SinceBefore> {
    const [gained] = Object.entries(credit)
      .map(([currency, minor]) => ({ currency, minor: minor - (this.credit[currency] ?? 0) }))
      .filter(({ minor }) => minor > 0);
    this.credit = credit;
    const notes = await Promise.all(
      ids.map((id) => queryItems(keys.subscriptionPartition(id), 'CREDITNOTE#')),
    );
    const numbers = notes.flat().map((item) => (item as unknown as CreditNote).number);
    const issued = numbers.filter((number) => !this.creditNotes.has(number));
    for (const number of issued) this.creditNotes.add(number);
    return { creditNotes: issued, ...defined({ gained }) };
  }

  /** The mails about each subscription, in the order in which they arrived. */
  bySubscription(): JudgedMail[][] {
    return [...Map.groupBy(this.mails, ({ id }) => id).values()];
  }

  /** What the subjects ask or say, without the name of the application. */
  subjects(): string[] {
    return this.mails.map(({ mail }) => mail.subject.replace(/^“[^”]*”: /, ''));
  }

  /** The text of the last mail, on one line. */
  lastText(): string {
    return (this.mails.at(-1)?.mail.text ?? '').replace(/\s+/g, ' ');
  }
}
