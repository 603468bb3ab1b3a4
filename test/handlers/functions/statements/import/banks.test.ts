import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSeller } from '../../../../support/call.ts';
import { sendFile } from '../../../../support/statements/statement-stage.ts';

/** The rows of the dry run of a file. `SUB-REFERENCE` in the file is the reference number of a subscription. */
interface Reading {
  mapping?: object;
  withdrawals?: number;
  notBooked?: number;
  rows: string[];
}

interface Row {
  match: string;
  amount: number;
  valueDate: string;
  payerName?: string;
  candidates: { subscriptionId: string }[];
}

const folder = join(import.meta.dirname, '../../../../corpus/bank-statements/banks');

test.each(globSync('*.{csv,xml}', { cwd: folder }).toSorted())(
  'a file as a bank writes it is matched: %s',
  async (file) => {
    const seller = await newSeller();
    const { id } = await seller.subscribed();
    const { referenceNumber } = (await seller.details(id)).body.subscription;
    const {
      mapping,
      withdrawals = 0,
      notBooked = 0,
      rows,
    } = JSON.parse(readFileSync(join(folder, file.replace(/\.\w+$/, '.json')), 'utf8')) as Reading;
    // Each byte is a character, so that the encoding of the file stays as it is.
    const content = readFileSync(join(folder, file), 'latin1').replaceAll('SUB-REFERENCE', referenceNumber);
    const more = mapping === undefined ? {} : { format: 'csv', mapping };
    const { status, body, text } = await sendFile(seller, Buffer.from(content, 'latin1'), more);
    expect(status, text).toBe(201);
    expect(body.statement).toMatchObject({ withdrawals, notBooked, rejected: [], entries: rows.length });
    const shown = body.entries.map(({ match, amount, valueDate, payerName }: Row) =>
      [match, amount, valueDate, ...(payerName === undefined ? [] : ['of', payerName])].join(' '),
    );
    expect(shown).toEqual(rows);
    expect(body.entries[0].candidates).toMatchObject([{ subscriptionId: id }]);
  },
);
