import * as z from 'zod/mini';
import { amountCell, type Columns, cells } from '../shared/lists/csv.ts';
import { Amount } from '../shared/money/amount-schema.ts';
import { toDecimal } from '../shared/money/money.ts';
import type { Client } from './client.ts';
import { toClientResponse } from './present.ts';
import { OneClient } from './schemas.ts';

export const Credit = z.object({
  amount: Amount,
  currency: z.string(),
});

export const ListedClient = z.object({
  ...OneClient.shape.client.shape,
  credit: z
    .array(Credit)
    .check(z.meta({ description: 'What the next invoices use before they ask for money, by currency.' })),
});
type ListedClient = z.output<typeof ListedClient>;

export function toListedClient(client: Client): ListedClient {
  const credit = Object.entries(client.credit ?? {})
    .filter(([, amountMinor]) => amountMinor !== 0)
    .map(([currency, amountMinor]) => ({ amount: toDecimal(amountMinor, currency), currency }));
  return { ...toClientResponse(client), credit };
}

/** A client as CSV: a row for each currency of their credit, and one without credit. */
export const clientColumns: Columns<ListedClient> = {
  ...cells('externalId', 'email', 'name'),
  credit: ({ credit }) => credit.map(({ amount, currency }) => amountCell(amount, currency)),
  currency: ({ credit }) => credit.map(({ currency }) => currency),
  ...cells('createdAt', 'updatedAt'),
};
