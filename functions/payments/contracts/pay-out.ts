import * as z from 'zod/mini';
import { ExternalId } from '../../clients/external-id.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, sellerRoute } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { lineField } from '../../shared/fields/text.ts';
import { Time } from '../../shared/fields/time.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import { Amount } from '../../shared/money/amount-schema.ts';
import { isCurrency } from '../../shared/money/money.ts';
import * as grants from '../../subscriptions/grants.ts';
import { paymentTable } from '../grants.ts';

const reason = lineField(500).check(
  described('Why, in your words. The timeline shows it.', 'The client asked for it.'),
);

const payOutId = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(128),
    wellFormed,
    described('Your id of the pay-out. It is recorded once for each id.', 'payout-2026-11-24-1'),
  );

const PayOut = z.object({
  payOutId,
  amount: z.number().check(z.gt(0), described('The amount that you sent, a decimal amount.', 8.1)),
  currency: z
    .string()
    .check(
      z.refine(isCurrency, 'must be a currency of ISO 4217, such as EUR'),
      described('ISO 4217.', 'EUR'),
    ),
  reason,
});

export const OnePayOut = z.object({
  payOut: z.object({
    payOutId: z.string(),
    externalId: z.string(),
    subscriptionId: z.string().check(described('The subscription whose timeline shows it.')),
    amount: Amount,
    currency: z.string(),
    reason: z.string(),
    creditLeft: z.number().check(described('The credit of the client in the currency after it.')),
    recordedAt: Time,
  }),
});

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/clients/{externalId}/credit/pay-out',
  words: { title: 'Record a pay-out of credit', notice: 'The pay-out is recorded.' },
  operationId: 'payOutCredit',
  summary: 'Records that you sent credit back to a client.',
  description: [
    'The request moves no money: make the transfer at your bank first.',
    'An invoice that is due by then uses the credit first.',
    'The client gets a mail.',
    'An amount above the credit is refused with the credit in `details`.',
    'A repeated request answers 200 with the pay-out. The same `payOutId` with another client, amount or currency is a `conflict`.',
  ].join(' '),
  ...sellerRoute,
  params: z.object({ externalId: ExternalId }),
  body: PayOut,
  response: OnePayOut,
  status: 201,
  otherResponses: [{ status: 200, description: 'The pay-out was recorded before.', headers: [] }],
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: {
    ...grants.change,
    table: {
      ...paymentTable,
      CLIENT: [...paymentTable.CLIENT, 'GetItem'],
      PAYOUT: ['GetItem', 'PutItem'],
    },
    indexes: { byStatus: ['CLIENT'] },
  },
});
