import { defined } from '../../../functions/shared/contract/defined.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { queryItems } from '../../../functions/shared/table/query.ts';
import type { Item } from '../../../functions/shared/table/table.ts';
import { deliverOutboxOf, type Tenant } from '../call.ts';
import { mailsTo } from '../mail/mailbox.ts';
import { clientOf, type StoredSubscription, storedClient } from '../subscriptions/stored-state.ts';
import { contradictionsIn, type JudgedMail, type SinceBefore, silencesIn } from './mail-judge.ts';

/** Reads the mails of a client as they arrive. */
export class MailReader {
  readonly mails: (JudgedMail & { id: string })[] = [];
  /** Whether mails of several moments may arrive: after requests at the same time. */
  isTogether = false;
  private readonly seller: Tenant;
  private readonly externalId: string;
  private readonly deliver: () => Promise<unknown>;
  private email?: string;
  private count = 0;
  private judged = 0;
  private credit: Readonly<Record<string, number>> = {};
  private readonly creditNotes = new Set<string>();
  private readAtMs = Date.now();

  /** @param deliver delivers what is in the outboxes; by default, in those of the client. */
  constructor(seller: Tenant, externalId: string, deliver = () => deliverOutboxesOf(seller, externalId)) {
    this.seller = seller;
    this.externalId = externalId;
    this.deliver = deliver;
  }

  /** Delivers what is in the outboxes, and notes each mail with its subscription as it is now. */
  async read(): Promise<void> {
    const { seller, externalId, isTogether } = this;
    await this.deliver();
    const { email = '', credit = {} } = (await clientOf(seller, externalId)) ?? {};
    this.email ??= email;
    const inOrder = (await mailsTo(this.email)).toReversed();
    const isSameCredit = JSON.stringify(credit) === JSON.stringify(this.credit);
    if (inOrder.length === this.count && isSameCredit) {
      this.readAtMs = Date.now();
      return;
    }
    const { subscriptions: all, creditNotes } = await storedClient(seller, externalId);
    const numbers = creditNotesFor(creditNotes, inOrder);
    const since = this.sinceBefore(all, credit, numbers);
    for (const mail of inOrder.slice(this.count)) {
      const found = all.find(({ subscription }) => mail.text.includes(subscription.referenceNumber));
      if (found === undefined) throw new Error(`A mail about no subscription: ${mail.subject}`);
      this.mails.push({
        mail,
        atMs: Date.now(),
        isTogether,
        found,
        since,
        id: found.subscription.subscriptionId,
      });
    }
    this.count = inOrder.length;
    this.readAtMs = Date.now();
  }

  /** The mails that were read since the last call of {@link contradictions}, for the report of a problem. */
  unjudged(): string {
    const fresh = this.mails.slice(this.judged);
    return fresh.map(({ mail, since }) => `${mail.text}\n${JSON.stringify(since)}`).join('\n');
  }

  /** The problems of the mails that were read since the last call. */
  contradictions(): string[] {
    const fresh = this.mails.slice(this.judged);
    this.judged = this.mails.length;
    const spoken = this.bySubscription().flatMap((mails) => {
      const first = mails.findIndex((mail) => fresh.includes(mail));
      const judged = first === -1 ? [] : mails.slice(Math.max(0, first - 1));
      return contradictionsIn(judged.map(({ since: _, ...mail }) => mail));
    });
    // Credit of one of several requests can be used by the next one.
    return [...spoken, ...silencesIn(fresh.filter(({ isTogether }) => isTogether !== true))];
  }

  /** Credit notes that no mail has brought, at the end of all. */
  async missingDocuments(): Promise<string[]> {
    const mails = this.mails.map(({ mail }) => mail);
    const { creditNotes } = await storedClient(this.seller, this.externalId);
    const brought = attachmentsOf(mails);
    return creditNotesFor(creditNotes, mails)
      .filter((number) => !brought.has(`${number}.pdf`))
      .map((n) => `No mail brings credit note ${n}`);
  }

  /** The changes since the mails were read before. @param numbers those of the credit notes */
  private sinceBefore(
    all: readonly StoredSubscription[],
    credit: Readonly<Record<string, number>>,
    numbers: readonly string[],
  ): SinceBefore {
    // A step that was late can use it at once.
    const used = this.creditOfNewInvoices(all);
    const moved = [...new Set([...Object.keys(credit), ...Object.keys(this.credit)])].map((currency) => ({
      currency,
      minor: (credit[currency] ?? 0) + (used[currency] ?? 0) - (this.credit[currency] ?? 0),
    }));
    const gained = moved.find(({ minor }) => minor > 0);
    const lost = moved.find(({ minor }) => minor < 0);
    const taken = lost && { ...lost, minor: -lost.minor };
    this.credit = credit;
    const issued = numbers.filter((number) => !this.creditNotes.has(number));
    for (const number of issued) this.creditNotes.add(number);
    const paidFromCredit = all
      .flatMap((one) => one.invoices)
      .filter(({ issuedAtMs, status }) => issuedAtMs > this.readAtMs && status === 'paid')
      .map(({ number, currency, settled }) => ({ number, currency, minor: settled?.fromCreditMinor ?? 0 }))
      .filter(({ minor }) => minor > 0);
    return { creditNotes: issued, balance: credit, paidFromCredit, ...defined({ gained, taken }) };
  }

  /** The credit that new invoices used, by currency. A void one gave it back. */
  private creditOfNewInvoices(all: readonly StoredSubscription[]): Record<string, number> {
    const used: Record<string, number> = {};
    for (const { issuedAtMs, status, currency, settled } of all.flatMap((one) => one.invoices))
      if (issuedAtMs > this.readAtMs && status !== 'void')
        used[currency] =
          (used[currency] ?? 0) + (settled?.fromCreditMinor ?? 0) - (settled?.carriedMinor ?? 0);
    return used;
  }

  /** The mails about each subscription, in the order in which they arrived. */
  bySubscription(): (JudgedMail & { id: string })[][] {
    return [...Map.groupBy(this.mails, ({ id }) => id).values()];
  }

  /** The meaning of the subjects, without the name of the application. */
  subjects(): string[] {
    return this.mails.map(({ mail }) => mail.subject.replace(/^“[^”]*”: /, ''));
  }

  /** The text of the last mail, on one line. */
  lastText(): string {
    return (this.mails.at(-1)?.mail.text ?? '').replace(/\s+/g, ' ');
  }
}

const attachmentsOf = (mails: readonly JudgedMail['mail'][]) =>
  new Set(mails.flatMap(({ attachments }) => (attachments ?? []).map(({ filename }) => filename)));

/**
 * The numbers of the credit notes that a subscriber gets. A checkout that was abandoned has no mail: its invoice was never in
 * their hands, and nor is its cancellation.
 */
function creditNotesFor(notes: readonly Item[], mails: readonly JudgedMail['mail'][]): string[] {
  const mailed = attachmentsOf(mails);
  return notes
    .filter(({ invoiceNumber, reason }) => reason !== 'cancellation' || mailed.has(`${invoiceNumber}.pdf`))
    .map(({ number }) => String(number));
}

async function deliverOutboxesOf(seller: Tenant, externalId: string): Promise<void> {
  const partition = keys.clientPartition(seller.applicationId, externalId);
  for (const { subscriptionId } of await queryItems(partition, 'SUB#'))
    await deliverOutboxOf({ subscriptionId: String(subscriptionId) });
}
