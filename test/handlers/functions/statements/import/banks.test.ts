import { expect, test } from 'vitest';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { camt, entryXml } from '../../../../support/statements/bank-files.ts';
import { bankSamples } from '../../../../support/statements/bank-samples.ts';
import { confirm, sendFile } from '../../../../support/statements/statement-stage.ts';
import { details, newSeller, subscribed } from '../../../../support/subscriptions/requests.ts';

interface Row {
  match: string;
  amount: number;
  valueDate: string;
  payerName?: string;
  candidates: { subscriptionId: string }[];
}

test.each(bankSamples)('a file as $bank writes it is read: $format', async (sample) => {
  const seller = await newSeller();
  const { id } = await subscribed(seller);
  const { referenceNumber } = (await details(seller, id)).body.subscription;
  const text = sample.lines.join('\r\n').replaceAll('SUB-REFERENCE', referenceNumber);
  const { format, mapping, encoding } = sample;
  const {
    status,
    body,
    text: answer,
  } = await sendFile(seller, Buffer.from(text, encoding), defined({ format, mapping }));
  expect(status, answer).toBe(201);
  const { withdrawals, notBooked } = sample;
  expect(body.statement).toMatchObject({ withdrawals, notBooked, rejected: [], entries: sample.rows.length });
  const rows = body.entries.map((row: Row) => [row.match, row.amount, row.valueDate, row.payerName]);
  expect(rows).toEqual(sample.rows);
  expect(body.entries[0].candidates).toMatchObject([{ subscriptionId: id }]);
});

test('a transfer that names an invoice of the seller is for it, and one for several is divided by nobody yet', async () => {
  const seller = await newSeller('none', { invoices: { numbering: 'seller', invoicePrefix: 'RE-' } });
  const one = await subscribed(seller);
  await subscribed(seller);
  const [invoice] = (await details(seller, one.id)).body.subscription.invoices;
  expect(invoice.number).toBe('RE-000001');
  const { body } = await sendFile(
    seller,
    camt([
      entryXml({ amount: '5.00', text: 're 000001' }),
      entryXml({ amount: '19.98', text: 'RE-000001 und RE-000002' }),
      entryXml({ amount: '19.97', text: 'RE-000001 und RE-000002' }),
    ]),
  );
  const [named, divided, other] = body.entries;
  expect(named).toMatchObject({
    match: 'matched',
    candidates: [{ subscriptionId: one.id, invoiceNumber: 'RE-000001', amountDue: 9.99 }],
  });
  const { invoiceId } = named.candidates[0];
  expect(divided).toMatchObject({
    match: 'suggested',
    split: [{ invoiceId, amount: 9.99 }, { amount: 9.99 }],
  });
  expect(other).toMatchObject({ match: 'suggested', candidates: [{ invoiceId }, {}] });
  expect(other).not.toHaveProperty('split');
  const refused = await confirm(seller, body.statement._id, [{ entryId: '2', invoices: divided.split }]);
  expect([refused.status, refused.body.details]).toEqual([
    400,
    { 'entry 2': expect.stringContaining('cannot be divided between invoices yet') },
  ]);
});
