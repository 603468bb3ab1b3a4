import * as z from 'zod/mini';
import { described, Time } from '../shared/fields/described.ts';
import { Amount } from '../shared/money/amount-schema.ts';
import { paymentMethods, paymentSources, paymentStatuses, unappliedReasons } from './payment.ts';

export const AppliedPart = z.object({
  invoiceId: z.string(),
  number: z.string(),
  subscriptionId: z.string(),
  amount: Amount,
});

/** A payment. It is also the `data` of the events `payment.*`. */
export const OnePayment = z.object({
  payment: z.object({
    _id: z.string().check(described('Derived from `source` and `sourceId`: a payment is recorded once.')),
    source: z.enum(paymentSources).check(described('Who reported the payment.')),
    sourceId: z
      .string()
      .check(
        described(
          'The id of the payment at its source: a payment intent, an entry of a bank statement, or your own id.',
        ),
      ),
    method: z.enum(paymentMethods),
    amount: Amount,
    currency: z.string(),
    valueDate: Time.check(
      described(
        'When the money moved. This date, and not that of the record, decides whether the payment is in time.',
      ),
    ),
    status: z
      .enum(paymentStatuses)
      .check(
        described(
          [
            'How the amount was used. `processing`: the money has not arrived. `applied`: it paid invoices, and the rest is credit.',
            '`partial`: it paid a part of an invoice. `credit`: all of it is credit of the client.',
            '`unapplied`: it waits for your decision. `refunded`, `disputed`: the gateway took it back.',
            '`returned`: it was sent back, or never arrived.',
          ].join(' '),
        ),
      ),
    applied: z.array(AppliedPart).check(described('The invoices that it paid, in full or in part.')),
    credited: Amount.check(
      described(
        'What became credit of the client. Below 0, the client owes it: you had sent it back when the bank took it.',
      ),
    ),
    returned: Amount.check(described('What was sent back, or taken back by the gateway.')),
    waiting: Amount.check(
      described(
        'What is processing, or waits for your decision. Below 0, it is missing, and no client is known who owes it.',
      ),
    ),
    unappliedReason: z.optional(z.enum(unappliedReasons).check(described('Why it waits for a decision.'))),
    returnReason: z.optional(z.string().check(described('Why you sent it back.'))),
    externalId: z.optional(z.string()),
    subscriptionId: z.optional(z.string()),
    invoiceId: z.optional(z.string().check(described('The invoice that the payer or the gateway named.'))),
    reference: z.optional(z.string().check(described('The reference as the payer typed it.'))),
    payer: z.optional(z.object({ name: z.optional(z.string()), iban: z.optional(z.string()) })),
    recordedAt: Time,
    updatedAt: Time,
  }),
});
