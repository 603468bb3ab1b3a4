import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { lineField } from '../../shared/fields/text.ts';
import { id } from '../schemas.ts';
import { decisionRoute } from './decision-route.ts';

const Part = z.object({
  invoiceId: id('the invoice'),
  amount: z
    .number()
    .check(z.gt(0), described('What the invoice has of the payment afterwards, a decimal amount.', 9.99)),
});

const PaymentReallocation = z.object({
  invoices: z.array(Part).check(
    z.maxLength(20),
    described('All invoices that have a part of the payment afterwards. Empty: the whole payment waits.'),
    z.check<{ invoiceId: string }[]>(({ value, issues }) => {
      const ids = value.map(({ invoiceId }) => invoiceId);
      const i = ids.findIndex((one, k) => ids.indexOf(one) < k);
      if (i < 0) return;
      issues.push({
        code: 'custom',
        input: value,
        message: 'is named before',
        path: [i, 'invoiceId'],
      });
    }),
  ),
  reason: lineField(500).check(
    described('Why, in your words. The timelines show it.', 'It was for the invoice of another client.'),
  ),
});

export const route = defineRoute({
  path: '/api/v1/payments/{id}/reallocate',
  words: {
    title: 'Move the payment between invoices',
    question: 'Invoices that lose their payment are open again. Move the money?',
    notice: 'The payment is divided as entered.',
  },
  summary: 'Moves the money of a payment to other invoices.',
  description: [
    'Use it when a payment was booked to the wrong client, or pays several invoices, of one client or of several.',
    'Afterwards each of `invoices` has exactly its amount of the payment.',
    'The rest of the payment waits for your decision: money that other invoices had, and credit that the client has not used.',
    'An invoice that was paid is open again, and its subscriber gets a mail. An invoice that is paid now has the effects of any payment.',
    'An amount above what is due of an invoice is refused with the amount due in `details`.',
    'The request states where the money is afterwards, so a repeated request changes nothing, and continues one that was interrupted.',
    'It moves no money at a bank or a gateway.',
  ].join(' '),
  ...decisionRoute,
  body: PaymentReallocation,
});
