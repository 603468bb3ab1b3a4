import { financeSamples, goodPayment, recordPayment } from '../../support/samples/finance.ts';
import { asSeller, good, newSeller } from '../../support/subscriptions/requests.ts';
import { type Case, row } from './case.ts';

const sample = (id: string, status = 200): Case =>
  row(id, 'any', async () => (await financeSamples[id]?.()) ?? {}, status);

/** A payment that fits nothing. */
async function unapplied() {
  return { headers: asSeller(await newSeller()), body: goodPayment() };
}

/** A payment that was recorded a moment ago. */
async function repeated() {
  const seller = await newSeller();
  const body = goodPayment();
  good(await recordPayment(seller, body));
  return { headers: asSeller(seller), body };
}

export const financeCases: readonly Case[] = [
  { ...sample('finance.payment-create', 201), again: 200 },
  { ...row('finance.payment-create', 'unapplied', unapplied, 201), again: 200 },
  row('finance.payment-create', 'reported again', repeated),
  sample('finance.payment-read'),
  { ...sample('finance.payment-apply'), again: 409 },
  sample('finance.payment-return'),
];
