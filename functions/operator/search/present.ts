/** Records as hits: their ids, and two texts for people. */
import type { Client } from '../../clients/client.ts';
import type { CreditNote } from '../../invoices/credit-note.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import type { Payment } from '../../ledger/payment.ts';
import type { Link } from '../../links/trust-links/link.ts';
import type { Plan } from '../../plans/plan.ts';
import type { Application } from '../../shared/accounts/applications.ts';
import type { User } from '../../shared/accounts/users.ts';
import type { OperatorKey } from '../../shared/contract/operator-key.ts';
import type { StoredEvents } from '../../shared/events/events-write.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { isoDay } from '../../shared/runtime/time-zone.ts';
import type { BankStatement } from '../../statements/import/statement.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import type { Webhook } from '../../webhooks/endpoints/webhook.ts';
import type { SearchHit } from './schemas.ts';

const joined = (...parts: (string | undefined)[]) => parts.filter((part) => part !== undefined).join(', ');

export const toHit = {
  application: ({ applicationId, name, keys, createdAtMs }: Application): SearchHit => ({
    kind: 'application',
    id: applicationId,
    applicationId,
    title: name,
    summary: `${Object.keys(keys).length} keys, created ${isoDay(createdAtMs)}`,
  }),

  user: ({ userId, name, email, status, verified = false }: User): SearchHit => ({
    kind: 'user',
    id: userId,
    title: name ?? email,
    summary: joined(email, status, verified ? 'verified' : 'not verified'),
  }),

  client: ({ applicationId, externalId, name, email }: Client): SearchHit => ({
    kind: 'client',
    id: externalId,
    applicationId,
    title: name ?? email,
    summary: email,
  }),

  subscription: (subscription: Subscription): SearchHit => {
    const { applicationId, externalId, subscriptionId: id, referenceNumber: title } = subscription;
    const summary = joined(subscription.status, subscription.plan.name, `client ${externalId}`);
    return { kind: 'subscription', id, applicationId, externalId, title, summary };
  },

  invoice: (invoice: Invoice): SearchHit => {
    const { applicationId, externalId, subscriptionId, invoiceId, number, status } = invoice;
    return {
      kind: 'invoice',
      id: invoiceId,
      applicationId,
      externalId,
      subscriptionId,
      title: number,
      summary: joined(status, formatAmount(invoice.totalMinor, invoice.currency), `client ${externalId}`),
    };
  },

  creditNote: (creditNote: CreditNote): SearchHit => {
    const { applicationId, externalId, subscriptionId, creditNoteId, number, invoiceNumber } = creditNote;
    const amount = formatAmount(creditNote.totalMinor, creditNote.currency);
    return {
      kind: 'credit_note',
      id: creditNoteId,
      applicationId,
      externalId,
      subscriptionId,
      title: number,
      summary: joined(amount, `corrects ${invoiceNumber}`, `client ${externalId}`),
    };
  },

  payment: (payment: Payment): SearchHit => {
    const { applicationId, paymentId, status, source, valueAtMs, externalId } = payment;
    return {
      kind: 'payment',
      id: paymentId,
      applicationId,
      title: formatAmount(payment.amountMinor, payment.currency),
      summary: joined(status, `${source} ${isoDay(valueAtMs)}`, externalId && `client ${externalId}`),
    };
  },

  statement: ({ applicationId, statementId, status, format, createdAtMs }: BankStatement): SearchHit => ({
    kind: 'bank_statement',
    id: statementId,
    applicationId,
    title: `${format} ${isoDay(createdAtMs)}`,
    summary: status,
  }),

  plan: ({ applicationId, planId, name, priceMinor, currency, billingCycle, isActive }: Plan): SearchHit => ({
    kind: 'plan',
    id: planId,
    applicationId,
    title: name,
    summary: joined(formatAmount(priceMinor, currency), billingCycle, isActive ? 'for sale' : 'not for sale'),
  }),

  link: ({ applicationId, userId, linkId, title, url, verificationStatus }: Link): SearchHit => ({
    kind: 'link',
    id: linkId,
    applicationId,
    userId,
    title,
    summary: joined(verificationStatus, url),
  }),

  webhook: ({ applicationId, webhookId, url, keyKind, isActive }: Webhook): SearchHit => ({
    kind: 'webhook',
    id: webhookId,
    applicationId,
    title: url,
    summary: joined(isActive ? 'active' : 'not active', `for ${keyKind}`),
  }),

  event: ({ applicationId, createdAtMs }: StoredEvents, eventId: string, type: string): SearchHit => ({
    kind: 'event',
    id: eventId,
    applicationId,
    title: type,
    summary: isoTime(createdAtMs),
  }),

  operatorKey: ({ keyId, name, scopes }: OperatorKey): SearchHit => ({
    kind: 'operator_key',
    id: keyId,
    title: name,
    summary: scopes.join(', '),
  }),
};
