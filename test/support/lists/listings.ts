import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import { invoiceListing } from '../../../functions/invoices/listing/invoice-listing.ts';
import { paymentListing } from '../../../functions/ledger/payment-listing.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { chunks } from '../../../functions/shared/runtime/chunks.ts';
import { dayMs, secondMs } from '../../../functions/shared/runtime/clock.ts';
import type { Item } from '../../../functions/shared/table/table.ts';
import { subscriptionListing } from '../../../functions/subscriptions/record/subscription-listing.ts';
import type { Tenant } from '../call.ts';
import { invoiceRecord, subscriptionRecord } from '../subscriptions/records.ts';
import { paymentRecord } from './population.ts';

/** The file of the engine; undefined where the tests run on another engine. */
export const engineFile = process.env.TEST_ENGINE_DATABASE;

/** Short transactions: other workers write to the same file. */
const rowsOfTransaction = 2_000;

/**
 * Entries of subscriptions, each active and worth 9.99 EUR a month, a second apart; with an invoice of today each, of which one
 * in ten is open, and a payment for one in ten. They are in the index alone, which is all that a report reads. A hundred thousand
 * take seconds this way, and minutes as requests.
 */
export async function putListings(
  seller: Pick<Tenant, 'applicationId'>,
  { subscriptions, nowMs }: { subscriptions: number; nowMs: number },
): Promise<void> {
  const entries: Item[] = [];
  for (let i = 0; i < subscriptions; i += 1) {
    const createdAtMs = nowMs - dayMs - i * secondMs;
    const subscription = subscriptionRecord({
      applicationId: seller.applicationId,
      externalId: `user-${i}`,
      createdAtMs,
      movements: [{ atMs: createdAtMs, kind: 'new', currency: 'EUR', monthlyMinor: 999 }],
    });
    const { applicationId, externalId, subscriptionId } = subscription;
    const atMs = nowMs - secondMs - (i % secondMs);
    const status = i % 10 === 0 ? 'open' : 'paid';
    const invoice = invoiceRecord(subscription, 1, { issuedAtMs: atMs, dueAtMs: nowMs + dayMs, status });
    entries.push(
      {
        ...keys.subscription(applicationId, externalId, subscriptionId),
        ...subscriptionListing(subscription),
      },
      { ...keys.invoice(subscriptionId, 1), ...invoiceListing(invoice) },
    );
    if (i % 10 !== 1) continue;
    const payment = paymentRecord(seller, { recordedAtMs: atMs });
    entries.push({ ...keys.payment(applicationId, payment.paymentId), ...paymentListing(payment) });
  }
  await insertListed(entries);
}

/** Entries of the index `listed`, without their items. */
export async function insertListed(entries: readonly Item[]): Promise<void> {
  const database = new DatabaseSync(engineFile ?? '', { timeout: 30 * secondMs });
  const insert = database.prepare(
    `INSERT INTO "${process.env.TABLE_NAME}::gsi::listed" (gsi_pk, gsi_sk, table_pk, table_sk, item_json) VALUES (?, ?, ?, ?, ?)`,
  );
  for (const rows of chunks(entries, rowsOfTransaction)) {
    database.exec('BEGIN IMMEDIATE');
    for (const item of rows) {
      const { list, listedAt, pk, sk } = item;
      insert.run(`S:${list}`, `S:${listedAt}`, `S:${pk}`, `S:${sk}`, JSON.stringify(marshall(item)));
    }
    database.exec('COMMIT');
    await setImmediate();
  }
  database.close();
}
