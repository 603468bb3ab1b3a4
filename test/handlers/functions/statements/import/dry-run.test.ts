import { gunzipSync, gzipSync } from 'node:zlib';
import { paymentIdOf } from '../../../../../functions/ledger/payment-id.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { call, newSeller, putItem, type Tenant } from '../../../../support/call.ts';
import { processorMs } from '../../../../support/processor-time.ts';
import { camt, entryXml } from '../../../../support/statements/bank-files.ts';
import { confirm, readStatement, sendFile } from '../../../../support/statements/statement-stage.ts';

/** A subscription whose first invoice of 9.99 EUR is open. */
async function opened(seller: Tenant, name = 'Ada Lovelace') {
  const externalId = await seller.newClient({ name });
  const { body } = await seller.subscribe({ body: { externalId, planId: await seller.newPlan() } });
  const { subscription, invoice } = body;
  return { externalId, id: subscription._id, reference: subscription.referenceNumber, invoice };
}

const kinds = (body: { entries: { match: string }[] }) => body.entries.map(({ match }) => match);

test('the totals are sorted by currency, whatever the order of the entries and of the stored map', async () => {
  const seller = await newSeller();
  const entries = ['USD', 'EUR', 'CHF', 'PLN'].map((currency) => entryXml({ amount: '1.00', currency }));
  const { body } = await sendFile(seller, camt(entries));
  const sorted = ['CHF', 'EUR', 'PLN', 'USD'].map((currency) => ({ currency, amount: 1 }));
  expect(body.statement.totals).toEqual(sorted);
  expect((await readStatement(seller, body.statement._id)).body.statement.totals).toEqual(sorted);
});

describe('an entry is', () => {
  test('matched by the reference number in what the payer wrote, with what is due', async () => {
    const seller = await newSeller();
    const { id, externalId, reference } = await opened(seller);
    const text = `Rechnung ${reference.toLowerCase().replace('-', ' ')} danke`;
    const { status, body } = await sendFile(
      seller,
      camt([entryXml({ amount: '9.99', text, iban: 'DE89370400440532013000' })]),
    );
    expect(status).toBe(201);
    expect(body.statement).toMatchObject({
      format: 'camt.053',
      status: 'ready',
      entries: 1,
      totals: [{ currency: 'EUR', amount: 9.99 }],
      matches: { matched: 1, suggested: 0, unknown: 0, duplicate: 0, reversal: 0 },
      progress: { done: 0 },
    });
    expect(body.entries).toEqual([
      {
        entryId: '1',
        match: 'matched',
        amount: 9.99,
        currency: 'EUR',
        valueDate: '2026-11-20',
        text,
        payerName: 'Ada Lovelace',
        payerIban: 'DE89370400440532013000',
        candidates: [{ subscriptionId: id, externalId, referenceNumber: reference, amountDue: 9.99 }],
        paymentId: expect.stringMatching(/^pay_/),
      },
    ]);
    expect(body).not.toHaveProperty('nextCursor');
    // Nothing is recorded.
    expect((await call('payments.list', { headers: seller.headers })).body.payments).toEqual([]);
    expect((await seller.details(id)).body.subscription.invoices).toMatchObject([{ status: 'open' }]);
  });

  test('suggested by amount and name, by references whose dues do not add up, and by a number without its prefix', async () => {
    const seller = await newSeller();
    const ada = await opened(seller, 'Ada Lovelace');
    const bob = await opened(seller, 'Bob Müller');
    const { body } = await sendFile(
      seller,
      camt([
        entryXml({ amount: '9.99', text: 'Abo', name: 'LOVELACE, ADA' }),
        entryXml({ amount: '9.98', text: 'Abo', name: 'LOVELACE, ADA' }),
        entryXml({ amount: '9.99', text: 'Abo', name: 'Eve' }),
        entryXml({ amount: '19.97', text: `${ada.reference} ${bob.reference}` }),
        entryXml({ amount: '9.99', text: bob.reference.slice('SUB-'.length) }),
        entryXml({ amount: '19.98', text: `${ada.reference} ${bob.reference}` }),
      ]),
    );
    expect(kinds(body)).toEqual(['suggested', 'unknown', 'unknown', 'suggested', 'suggested', 'matched']);
    expect(body.entries[0].candidates).toMatchObject([
      {
        subscriptionId: ada.id,
        clientName: 'Ada Lovelace',
        amountDue: 9.99,
        invoiceId: expect.stringMatching(/^inv_/),
      },
    ]);
    expect(body.entries[3].candidates).toHaveLength(2);
    expect(body.entries[3]).not.toHaveProperty('split');
    expect(body.entries[4].candidates).toMatchObject([{ subscriptionId: bob.id }]);
    // The dues add up: nobody has to decide.
    expect(body.entries[5].split).toMatchObject([{ amount: 9.99 }, { amount: 9.99 }]);
  });

  test('a duplicate when its payment is recorded, or when the file has it twice', async () => {
    const seller = await newSeller();
    const { reference } = await opened(seller);
    const entry = entryXml({ text: reference, bankId: 'A-1' });
    const { body: first } = await sendFile(seller, camt([entry, entry]));
    expect(kinds(first)).toEqual(['matched', 'duplicate']);
    const { paymentId } = first.entries[0];
    await putItem({ ...keys.payment(seller.applicationId, paymentId), paymentId });
    const { body: second } = await sendFile(seller, camt([entry]));
    expect(second.entries).toMatchObject([{ match: 'duplicate', paymentId, candidates: [] }]);
  });

  test('unknown when another application has the reference number, the invoice or the payment', async () => {
    const seller = await newSeller();
    const other = await newSeller();
    const { reference } = await opened(other);
    const { body } = await sendFile(seller, camt([entryXml({ amount: '9.99', text: reference })]));
    expect(kinds(body)).toEqual(['unknown']);
    expect(body.entries[0].candidates).toEqual([]);
    expect(body.entries[0].paymentId).not.toBe(paymentIdOf(other.applicationId, 'bank', ''));
  });
});

describe('a file', () => {
  test('that unpacks to gigabytes is refused without unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const startedAt = processorMs();
    const { status, body } = await sendFile(await newSeller(), bomb);
    expect([status, body.details.file]).toEqual([400, 'must be at most 25165824 bytes unpacked']);
    expect(processorMs() - startedAt).toBeLessThan(2_000);
  });

  test('of CSV needs a mapping, and is matched like CAMT', async () => {
    const seller = await newSeller();
    const { reference } = await opened(seller);
    const content = `Datum;Betrag;Text\n20.11.2026;"9,99";${reference}\n`;
    const mapping = {
      columns: { date: 'Datum', amount: 'Betrag', reference: ['Text'] },
      amounts: 'credits',
      dateFormat: 'DD.MM.YYYY',
      decimalSeparator: ',',
      currency: 'EUR',
    };
    const { body } = await sendFile(seller, content, { format: 'csv', mapping });
    expect(kinds(body)).toEqual(['matched']);
    const missing = await sendFile(seller, content, { format: 'csv' });
    expect(missing.body.details).toEqual({ mapping: 'is required for csv' });
  });

  test('without credits is imported at once', async () => {
    const seller = await newSeller();
    const { body } = await sendFile(seller, camt([]));
    expect(body.statement).toMatchObject({ status: 'imported', entries: 0 });
    expect((await confirm(seller, body.statement._id)).body.statement.status).toBe('imported');
  });
});

test('pages have every entry once, sorted by value date, with and without a filter', async () => {
  const seller = await newSeller();
  const { reference } = await opened(seller);
  // Two parts.
  const count = 260;
  const entries = Array.from({ length: count }, (_, i) =>
    entryXml({
      amount: `${i + 1}.00`,
      date: `2026-11-${String(28 - (i % 28)).padStart(2, '0')}`,
      text: i % 100 === 0 ? reference : 'x',
    }),
  );
  const { body } = await sendFile(seller, camt(entries));
  const { _id } = body.statement;
  const all = await allEntries(seller, _id, { limit: '100' });
  expect(all.map(({ entryId }) => Number(entryId))).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  const dates = all.map(({ valueDate }) => valueDate);
  expect(dates).toEqual(dates.toSorted());
  expect(new Set(all.map(({ amount }) => amount)).size).toBe(count);
  expect(all.slice(0, 50)).toEqual(body.entries);
  expect(
    (await readStatement(seller, _id, { cursor: body.nextCursor, limit: '1' })).body.entries[0].entryId,
  ).toBe('51');
  expect(await allEntries(seller, _id, { match: 'matched', limit: '2' })).toEqual(
    all.filter(({ match }) => match === 'matched'),
  );
});

test('a statement of the past cannot be read any more, before the table deletes it', async () => {
  const seller = await newSeller();
  const { body } = await sendFile(seller, camt([entryXml()]));
  const { _id } = body.statement;
  const key = keys.bankStatement(seller.applicationId, _id);
  const item = await getItem(key);
  expect(Number(item?.ttl)).toBeGreaterThan(Date.now() / 1_000 + 89 * 24 * 3_600);
  await putItem({ ...item, ...key, createdAtMs: Date.now() - 91 * 24 * 3_600_000 });
  expect((await readStatement(seller, _id)).status).toBe(404);
  expect((await call('statements.read', { headers: seller.headers, params: { id: _id } })).status).toBe(404);
});

test.each(['camt.053', 'csv'] as const)(
  'control characters and direction overrides of a %s file are not stored, and do not hide a reference',
  async (format) => {
    const seller = await newSeller();
    const { reference } = await opened(seller);
    const strange = (text: string) => `\u0001${text}\u0007\u202e!\u0085`;
    const text = strange(reference);
    const name = strange('Ada');
    const bankId = strange('B1');
    const xml = camt([entryXml({ text, name, bankId })]);
    const mapping = {
      columns: { date: 'D', amount: 'A', reference: ['R'], name: 'N', id: 'I' },
      amounts: 'credits',
      currency: 'EUR',
    };
    const csv = `D;A;R;N;I\n2026-11-20;9.99;\0${text};${name}\0;${bankId}\n`;
    const { status, body } =
      format === 'csv'
        ? await call('statements.create', {
            headers: seller.headers,
            body: { format, file: Buffer.from(csv).toString('base64'), mapping },
          })
        : await sendFile(seller, xml);
    expect(status).toBe(201);
    expect(body.entries).toMatchObject([
      {
        match: 'matched',
        text: `${reference} !`,
        payerName: 'Ada !',
        bankId: expect.stringMatching(/^B1 !/),
      },
    ]);
    const part = await getItem(keys.bankStatementPart(seller.applicationId, body.statement._id, 1));
    const stored = gunzipSync(part?.packed as Uint8Array).toString();
    expect(stored).not.toMatch(/\\u00|[\u202e\u0085]/);
  },
);

test('a file whose credits have too large a sum is refused', async () => {
  const seller = await newSeller();
  const largest = (count: number) =>
    camt(Array.from({ length: count }, () => entryXml({ amount: '10000000000000' })));
  expect((await sendFile(seller, largest(9))).status).toBe(201);
  const { status, body } = await sendFile(seller, largest(10));
  expect([status, body.details]).toEqual([400, { file: 'has credits with too large a sum' }]);
});

test('a file with an impossible date is stored without that entry, and says so', async () => {
  const seller = await newSeller();
  const { body } = await sendFile(seller, camt([entryXml({ date: '2026-02-30' }), entryXml()]));
  const rejected = [{ entry: 1, problem: expect.stringContaining('entry 1 has a date') }];
  expect(body.statement).toMatchObject({ entries: 1, rejected });
  expect((await readStatement(seller, body.statement._id)).body.statement.rejected).toEqual(rejected);
});

/** The entries of all pages. */
async function allEntries(seller: Tenant, id: string, query: Record<string, string>) {
  const found: { entryId: string; match: string; valueDate: string; amount: number }[] = [];
  let cursor: string | undefined;
  do {
    const more: Record<string, string> = cursor === undefined ? {} : { cursor };
    const { status, body } = await readStatement(seller, id, Object.assign(more, query));
    expect(status).toBe(200);
    found.push(...body.entries);
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  return found;
}
