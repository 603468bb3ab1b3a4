import { expect, test } from 'vitest';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { camtSamples } from '../../../../support/statements/camt-samples.ts';
import { csvSamples } from '../../../../support/statements/csv-samples.ts';
import { sendFile } from '../../../../support/statements/statement-stage.ts';
import { details, newSeller, subscribed } from '../../../../support/subscriptions/requests.ts';

interface Row {
  match: string;
  amount: number;
  valueDate: string;
  payerName?: string;
  candidates: { subscriptionId: string }[];
}

test.each([...csvSamples, ...camtSamples])('a file as $bank writes it is read: $format', async (sample) => {
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
