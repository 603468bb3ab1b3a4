/** Records of an application as the engine stores them, without the engine: many, quickly. */

import { randomUUID } from 'node:crypto';
import { clientListing } from '../../../functions/clients/client-listing.ts';
import type { CreditNote } from '../../../functions/invoices/credit-note.ts';
import type { Invoice } from '../../../functions/invoices/invoice.ts';
import { creditNoteListing } from '../../../functions/invoices/listing/credit-note-listing.ts';
import { invoiceListing } from '../../../functions/invoices/listing/invoice-listing.ts';
import type { Payment } from '../../../functions/ledger/payment.ts';
import { paymentIdOf } from '../../../functions/ledger/payment-id.ts';
import { paymentListing } from '../../../functions/ledger/payment-listing.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import type { Subscription } from '../../../functions/subscriptions/record/subscription.ts';
import { subscriptionListing } from '../../../functions/subscriptions/record/subscription-listing.ts';
import { putItem, type Tenant } from '../call.ts';

/** A payment of 9.99 EUR that is wholly applied, with the given fields. It is not stored. */
export function paymentRecord(
  { applicationId }: Pick<Tenant, 'applicationId'>,
  more: Partial<Payment> = {},
): Payment {
  const sourceId = more.sourceId ?? randomUUID();
  const atMs = more.recordedAtMs ?? Date.now();
  const amountMinor = more.amountMinor ?? 999;
  return {
    paymentId: paymentIdOf(applicationId, 'application', sourceId),
    applicationId,
    source: 'application',
    sourceId,
    method: 'bank_transfer',
    amountMinor,
    currency: 'EUR',
    valueAtMs: atMs,
    status: 'applied',
    allocations: [
      {
        invoiceId: newId('inv', atMs),
        n: 1,
        number: 'INV-1',
        externalId: 'user-1',
        subscriptionId: newId('sub', atMs),
        amountMinor,
      },
    ],
    creditedMinor: 0,
    returnedMinor: 0,
    refundedMinor: 0,
    disputedMinor: 0,
    recordedAtMs: atMs,
    updatedAtMs: atMs,
    eventCount: 1,
    revision: 1,
    ...more,
  };
}

export const putPayment = (payment: Payment): Promise<unknown> =>
  putItem({
    ...keys.payment(payment.applicationId, payment.paymentId),
    ...payment,
    ...paymentListing(payment),
  });

export const putInvoice = (invoice: Invoice): Promise<unknown> =>
  putItem({ ...keys.invoice(invoice.subscriptionId, invoice.n), ...invoice, ...invoiceListing(invoice) });

export const putCreditNote = (creditNote: CreditNote): Promise<unknown> =>
  putItem({
    ...keys.creditNote(creditNote.subscriptionId, creditNote.n),
    ...creditNote,
    ...creditNoteListing(creditNote),
  });

export const putSubscriptionAlone = (subscription: Subscription): Promise<unknown> => {
  const { applicationId, externalId, subscriptionId } = subscription;
  return putItem({
    ...keys.subscription(applicationId, externalId, subscriptionId),
    ...subscription,
    ...subscriptionListing(subscription),
  });
};

export const putClient = (applicationId: string, externalId: string, createdAtMs: number): Promise<unknown> =>
  putItem({
    ...keys.client(applicationId, externalId),
    applicationId,
    externalId,
    email: 'ann@example.com',
    createdAtMs,
    updatedAtMs: createdAtMs,
    createdBy: 'test',
    writtenBy: 'test',
    ...clientListing({ applicationId, externalId, createdAtMs }),
  });
