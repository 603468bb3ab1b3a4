import type { InvoiceFacts } from '../../invoices/listing/invoice-listing.ts';
import { readInvoice, readNumberedOwner } from '../../invoices/store.ts';
import type { Payment } from '../../ledger/payment.ts';
import { partlyReturned } from '../../ledger/payment-listing.ts';
import { readPayment } from '../../ledger/payment-store.ts';
import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { lastPlace } from '../../shared/lists/listed-entry.ts';
import { listedStore } from '../../shared/lists/listed-store.ts';
import { statusPartitions } from '../../shared/lists/partitions.ts';
import { chunks } from '../../shared/runtime/chunks.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { Facts } from '../../shared/table/listing.ts';
import { queryPage } from '../../shared/table/query.ts';
import { recordReader } from '../../shared/table/record.ts';
import { batchGetItems, type Item } from '../../shared/table/table.ts';
import {
  isSubscriptionId,
  readOwner,
  readSubscription,
} from '../../subscriptions/commands/subscription-queries.ts';
import { referenceCode } from '../../subscriptions/record/reference-number.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';

/** Items that DynamoDB reads in one request. */
const batchSize = 100;

/** An open invoice, as the index `listed` has it. Amounts in minor units. */
export interface ListedInvoice {
  invoiceId: string;
  subscriptionId: string;
  externalId: string;
  currency: string;
  dueMinor: number;
  number?: string;
}

const readListed = recordReader<Item & { listedAt: string; listed: InvoiceFacts }>(['listedAt', 'listed']);

/** The pages of 1 MB that are read of each part of the list of open invoices, some 4,000 invoices each. */
const maxPages = 4;

/** The payments that are looked at for a reversal: entries of the index, and records that are read. */
const maxListed = 20_000;
const maxReversible = 5_000;
/** The states, in the index, of payments that a bank can take back, and of those that it took back. */
const heldStatuses = ['applied', 'partial', 'credit', 'unapplied', 'disputed', partlyReturned] as const;

/** The records that entries of statements are matched with. Records of other applications are treated as absent. */
export const matchStore = {
  async recorded(applicationId: string, paymentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const items = await batchGet(paymentIds.map((id) => keys.payment(applicationId, id)));
    return new Set(items.map(({ paymentId }) => String(paymentId)));
  },

  /**
   * The payments that a reversal can be of, from the index: newer ones than a second ago may be missing. Of an application with many payments,
   * the latest.
   *
   * @param wanted which payments are read, by their facts.
   */
  async reversiblePayments(
    applicationId: string,
    fromMs: number,
    wanted: (facts: Facts) => boolean,
  ): Promise<Payment[]> {
    const partitions = statusPartitions(applicationId, 'payment', heldStatuses);
    const range = { from: isoTime(fromMs), to: lastPlace };
    const found: keys.Key[] = [];
    let count = 0;
    for await (const { pk, sk, listed = {} } of listedStore.newestFirst(partitions, range, maxListed)) {
      count += 1;
      if (wanted(listed)) found.push({ pk, sk });
      if (count === maxListed || found.length === maxReversible) break;
    }
    const payments = (await batchGet(found)).map(readPayment);
    return payments.filter(({ source }) => source === 'bank' || source === 'application');
  },

  async byReference(
    applicationId: string,
    references: readonly string[],
  ): Promise<ReadonlyMap<string, Subscription>> {
    const owners = await batchGet(references.map((one) => keys.reference(referenceCode(one))));
    const own = owners.map(readOwner).filter((owner) => owner.applicationId === applicationId);
    const items = await batchGet(
      own.map(({ externalId, subscriptionId }) =>
        keys.subscription(applicationId, externalId, subscriptionId),
      ),
    );
    return new Map(items.map(readSubscription).map((one) => [one.referenceNumber, one]));
  },

  /** The open invoices of an application, from the index: newer ones than a second ago may be missing. */
  async openInvoices(applicationId: string): Promise<ListedInvoice[]> {
    const partitions = statusPartitions(applicationId, 'invoice', ['open']);
    return (await Promise.all(partitions.map(openInvoicesOf))).flat();
  },

  async invoiceNumbers(
    applicationId: string,
    invoiceIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const owners = (await batchGet(invoiceIds.map(keys.invoiceOwner))).map(readNumberedOwner);
    const own = owners.filter((owner) => owner.applicationId === applicationId);
    const items = await batchGet(own.map(({ subscriptionId, n }) => keys.invoice(subscriptionId, n)));
    return new Map(items.map(readInvoice).map(({ invoiceId, number }) => [invoiceId, number]));
  },

  async clientNames(
    applicationId: string,
    externalIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const items = await batchGet(externalIds.map((id) => keys.client(applicationId, id)));
    return new Map(
      items.flatMap(({ externalId, name }) =>
        typeof name === 'string' ? [[String(externalId), name] as const] : [],
      ),
    );
  },

  async owned(
    applicationId: string,
    { subscriptionIds, invoiceIds }: { subscriptionIds: readonly string[]; invoiceIds: readonly string[] },
  ): Promise<ReadonlySet<string>> {
    const idByKey = new Map([
      ...subscriptionIds.filter(isSubscriptionId).map((id) => [keys.subscriptionOwner(id).pk, id] as const),
      ...invoiceIds.map((id) => [keys.invoiceOwner(id).pk, id] as const),
    ]);
    const items = await batchGet([...idByKey.keys()].map((pk) => ({ pk, sk: 'OWNER' })));
    return new Set(
      items.filter((item) => item.applicationId === applicationId).map(({ pk }) => idByKey.get(pk) ?? ''),
    );
  },
};

async function batchGet(wanted: readonly keys.Key[]): Promise<Item[]> {
  const distinct = [...new Map(wanted.map((key) => [JSON.stringify([key.pk, key.sk]), key])).values()];
  return (await Promise.all(chunks(distinct, batchSize).map(batchGetItems))).flat();
}

async function openInvoicesOf(partition: string): Promise<ListedInvoice[]> {
  const found: ListedInvoice[] = [];
  let startAfter: Readonly<Record<string, unknown>> | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await queryPage({ partition, index: 'listed', descending: true, startAfter });
    found.push(...page.items.map(listedInvoiceOf));
    startAfter = page.lastKey;
    if (startAfter === undefined) break;
  }
  return found;
}

/** The ids are in the keys: the invoice is in the partition of its subscription, and listed by time and id. */
function listedInvoiceOf(item: Item): ListedInvoice {
  const { pk, listedAt, listed } = readListed(item);
  const { externalId, currency, totalMinor, settledMinor = 0, number } = listed;
  const [, subscriptionId = ''] = pk.split('#');
  return {
    invoiceId: listedAt.slice(listedAt.indexOf('#') + 1),
    subscriptionId,
    externalId,
    currency,
    dueMinor: totalMinor - settledMinor,
    ...defined({ number }),
  };
}
