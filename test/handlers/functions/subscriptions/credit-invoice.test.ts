/** Credit notes that the seller asks for, and the documents of invoices that are cancelled. */
import { defined } from '../../../../functions/shared/contract/defined.ts';
import {
  call,
  daysLater,
  germanSeller,
  germanTax,
  good,
  leaveOutPdfs,
  newSeller,
  onTestClock,
  step,
} from '../../../support/call.ts';
import { MailReader } from '../../../support/notices/mail-reader.ts';
import { transfer } from '../../../support/payments/payments.ts';
import { writtenEvents } from '../../../support/subscriptions/events.ts';
import { clientOf, expectSound, type One, stored } from '../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

const taxing = { seller: germanSeller, tax: germanTax };

/** A pending subscription of 10.00, paid by transfer. */
async function pending(settings: object = {}, plan: object = {}): Promise<One> {
  const seller = await newSeller('none', { ...settings });
  return { seller, ...(await seller.subscribedTo({ price: 10, ...plan })) };
}

async function paid(settings: object = {}): Promise<One> {
  const one = await pending(settings);
  await transfer(one.seller, one.id, 1_000);
  return one;
}

/** Until the invoice of the next term is issued. */
async function renewing(settings: object = {}): Promise<One> {
  const one = await paid(settings);
  daysLater(25);
  await step(await one.seller.stateOf(one.externalId));
  return one;
}

const invoicesOf = async (one: One) => (await stored(one)).invoices;

async function credit(one: One, body: object = {}, { n = 1, key }: { n?: number; key?: string } = {}) {
  const invoice = (await invoicesOf(one)).find((candidate) => candidate.n === n);
  return call('subscriptions.credit-invoice', {
    headers: { ...one.seller.headers, ...defined({ 'idempotency-key': key }) },
    params: { id: invoice?.invoiceId ?? '' },
    body: { reason: 'It was wrong.', ...body },
  });
}

async function notesOf({ seller }: One) {
  const query = { limit: '100' };
  return good(await call('invoices.credit-note-list', { headers: seller.headers, query })).creditNotes;
}

describe('a credit note for an open invoice', () => {
  test('in part leaves less due, with its tax, its entry of the timeline, its event and its mail', async () => {
    const one = await pending(taxing);
    const answer = await credit(one, { amount: 2.5 });
    expect(answer.status).toBe(201);
    const { creditNote } = answer.body;
    expect(creditNote).toMatchObject({
      reason: 'correction',
      total: 2.5,
      taxes: [{ taxable: 2.1, tax: 0.4 }],
    });
    expect(await invoicesOf(one)).toMatchObject([{ status: 'open', settled: { creditNotedMinor: 250 } }]);
    const { timeline } = good(
      await call('subscriptions.read', { headers: one.seller.headers, params: { id: one.id } }),
    ).subscription;
    expect(timeline).toContainEqual(
      expect.objectContaining({
        event: 'invoice_credited',
        by: 'application',
        reason: 'It was wrong.',
        creditNotes: [creditNote.number],
      }),
    );
    const types = (await writtenEvents(one.seller.applicationId)).map(({ type }) => type);
    expect(types.slice(-2).toSorted()).toEqual(['credit_note.issued', 'invoice.updated']);
    const { outbox } = await stored(one);
    expect(
      outbox.filter((entry) => entry.kind === 'mail' && entry.template === 'invoice_credited'),
    ).toMatchObject([{ invoiceN: 1, creditNoteNs: [1] }]);
    expect(await notesOf(one)).toMatchObject([{ _id: creditNote._id }]);
    // The rest pays it, and the price of the term is what was paid.
    await transfer(one.seller, one.id, 750);
    expect(await one.seller.stateOf(one.externalId)).toMatchObject({
      status: 'active',
      charges: [{ n: 1, amountMinor: 750 }],
    });
    await expectSound(one.seller, one.externalId);
  });

  test('of all of a first invoice cancels the subscription, and gives nothing away', async () => {
    const one = await pending();
    await transfer(one.seller, one.id, 400);
    expect((await credit(one)).body.creditNote).toMatchObject({ reason: 'cancellation', total: 10 });
    expect(await one.seller.stateOf(one.externalId)).toMatchObject({ status: 'cancelled' });
    expect(await invoicesOf(one)).toMatchObject([{ status: 'void', settled: { cancelledMinor: 1_000 } }]);
    expect((await clientOf(one.seller, one.externalId))?.credit).toEqual({ EUR: 400 });
    expect((await credit(one)).status).toBe(409);
    await expectSound(one.seller, one.externalId);
  });

  test('of as much as is due is refused for a first invoice that was paid in part', async () => {
    const one = await pending();
    await transfer(one.seller, one.id, 400);
    const { status, body } = await credit(one, { amount: 6 });
    expect([status, body.details]).toEqual([
      400,
      { amount: 'must be all that is left, or less than what is due', rest: 10, currency: 'EUR' },
    ]);
    expect((await credit(one, { amount: 5.99 })).status).toBe(201);
  });

  test('of all of a renewal invoice grants no term: another invoice is issued', async () => {
    const one = await renewing(taxing);
    const before = await one.seller.stateOf(one.externalId);
    expect((await credit(one, {}, { n: 2 })).status).toBe(201);
    await step(await one.seller.stateOf(one.externalId));
    expect(await invoicesOf(one)).toMatchObject([{ status: 'paid' }, { status: 'void' }, { status: 'open' }]);
    const after = await one.seller.stateOf(one.externalId);
    expect(after).toMatchObject({ status: 'active', termEndMs: before.termEndMs });
    await expectSound(one.seller, one.externalId);
  });

  test('of what is due of a renewal invoice that was paid in part renews the subscription', async () => {
    const one = await renewing();
    const before = await one.seller.stateOf(one.externalId);
    await transfer(one.seller, one.id, 700);
    expect((await credit(one, { amount: 3 }, { n: 2 })).status).toBe(201);
    const { status, termEndMs = 0 } = await one.seller.stateOf(one.externalId);
    expect(status).toBe('active');
    expect(termEndMs).toBeGreaterThan(before.termEndMs ?? 0);
    expect((await invoicesOf(one))[1]).toMatchObject({ status: 'paid' });
    await expectSound(one.seller, one.externalId);
  });
});

describe('a credit note for a closed invoice', () => {
  test('of one that is paid makes what was paid credit, up to its total', async () => {
    const one = await paid(taxing);
    expect((await credit(one, { amount: 3.33 })).status).toBe(201);
    expect((await clientOf(one.seller, one.externalId))?.credit).toEqual({ EUR: 333 });
    const over = await credit(one, { amount: 6.68 });
    expect([over.status, over.body.details]).toEqual([
      400,
      { amount: 'is more than is left of the invoice', rest: 6.67, currency: 'EUR' },
    ]);
    expect((await credit(one)).body.creditNote.total).toBe(6.67);
    expect((await credit(one)).status).toBe(409);
    const notes = await notesOf(one);
    const taxes = notes.map(({ taxes: [line] }: { taxes: [{ tax: number }] }) => Math.round(line.tax * 100));
    expect(taxes.reduce((sum: number, minor: number) => sum + minor, 0)).toBe(160);
    expect(await one.seller.stateOf(one.externalId)).toMatchObject({
      status: 'active',
      charges: [{ amountMinor: 0 }],
    });
    await expectSound(one.seller, one.externalId);
  });

  test('of one that is paid is told by the mail about a renewal whose step was late', async () => {
    const one = await paid();
    const reader = new MailReader(one.seller, one.externalId);
    await reader.read();
    daysLater(25);
    good(await credit(one, { amount: 3 }));
    await reader.read();
    expect(reader.subjects().slice(1)).toEqual([expect.stringContaining('please pay EUR 10.00')]);
    expect(reader.lastText()).toContain('has issued a credit note of EUR 3.00. EUR 3.00 of what you paid is');
    expect(reader.contradictions()).toEqual([]);
  });

  test('of one that was given up: nothing of it is owed any more', async () => {
    const one = await renewing();
    daysLater(60);
    await step(await one.seller.stateOf(one.externalId));
    expect((await invoicesOf(one))[1]).toMatchObject({ status: 'uncollectible' });
    expect((await credit(one, { amount: 4 }, { n: 2 })).status).toBe(201);
    expect((await invoicesOf(one))[1]).toMatchObject({
      status: 'uncollectible',
      settled: { badDebtMinor: 600, creditNotedMinor: 400 },
    });
    expect((await credit(one, {}, { n: 2 })).status).toBe(201);
    expect((await invoicesOf(one))[1]).toMatchObject({
      status: 'void',
      settled: { creditNotedMinor: 1_000 },
    });
    expect((await clientOf(one.seller, one.externalId))?.credit).toBeUndefined();
    await expectSound(one.seller, one.externalId);
  });

  test('is refused for another application, and for amounts that are none', async () => {
    const one = await paid();
    const [invoice] = await invoicesOf(one);
    const params = { id: invoice?.invoiceId ?? '' };
    const headers = (await newSeller()).headers;
    const foreign = { headers, params, body: { reason: 'Wrong.' } };
    expect((await call('subscriptions.credit-invoice', foreign)).status).toBe(404);
    for (const body of [{ amount: 0 }, { amount: -1 }, { amount: 1.001 }, { amount: 10.01 }, { reason: '' }])
      expect((await credit(one, body)).status, JSON.stringify(body)).toBe(400);
  });
});

describe('an invoice with tax that becomes void', () => {
  test('has a document of its cancellation, which the mail brings', async () => {
    const one = await pending({ ...taxing, invoices: { numbering: 'seller' } });
    await credit(one, { amount: 2.5 });
    good(await one.seller.act('cancel', one.id, {}));
    const note = (await notesOf(one)).find(({ total }: { total: number }) => total === 7.5);
    expect(note).toMatchObject({
      number: 'CRN-000002',
      reason: 'cancellation',
      total: 7.5,
      taxes: [{ taxable: 6.3, tax: 1.2 }],
    });
    const { outbox, subscription } = await stored(one);
    expect(outbox.filter((entry) => entry.kind === 'mail' && entry.template === 'cancelled')).toMatchObject([
      { creditNoteNs: [2] },
    ]);
    expect(subscription.creditNoteCount).toBe(2);
    const read = { params: { id: note._id }, headers: { ...one.seller.headers, accept: 'text/html' } };
    expect((await call('invoices.credit-note-read', read)).text).toContain(
      'Cancellation of invoice INV-000001',
    );
    await expectSound(one.seller, one.externalId);
  });

  test('is cancelled by a document when another subscription supersedes its own', async () => {
    const one = await pending(taxing);
    const planId = await one.seller.newPlan({ price: 5 });
    good(await one.seller.subscribe({ body: { externalId: one.externalId, planId } }));
    expect(await notesOf(one)).toMatchObject([{ reason: 'cancellation', total: 10 }]);
  });

  test('without tax has none', async () => {
    const one = await pending();
    good(await one.seller.act('cancel', one.id, {}));
    expect(await notesOf(one)).toEqual([]);
  });

  test('stays void when a late payment revives the subscription: a new invoice is paid', async () => {
    const one = await pending(taxing);
    daysLater(22);
    await step(await one.seller.stateOf(one.externalId));
    expect(await one.seller.stateOf(one.externalId)).toMatchObject({ status: 'expired' });
    await transfer(one.seller, one.id, 1_000);
    expect(await one.seller.stateOf(one.externalId)).toMatchObject({ status: 'active', invoiceCount: 2 });
    expect(await invoicesOf(one)).toMatchObject([
      { n: 1, status: 'void', settled: { cancelledMinor: 1_000 } },
      { n: 2, status: 'paid', totalMinor: 1_000, taxes: [{ taxMinor: 160 }], settled: { paidMinor: 1_000 } },
    ]);
    expect(await notesOf(one)).toMatchObject([{ reason: 'cancellation', total: 10 }]);
    await expectSound(one.seller, one.externalId);
  });
});

test('the revenue report adds up over a month with every kind: what was invoiced is credited, cancelled, given up, paid or due', async () => {
  const seller = await newSeller('none', { ...taxing, payments: { tolerance: 0.5 } });
  const subscribed = async (): Promise<One> => ({ seller, ...(await seller.subscribedTo({ price: 10 })) });
  const [open, short, credited, cancelled, over] = await Promise.all(Array.from({ length: 5 }, subscribed));
  if (!(open && short && credited && cancelled && over)) throw new Error('Five subscriptions');
  await credit(open, { amount: 1 });
  await transfer(seller, open.id, 200);
  await transfer(seller, short.id, 970);
  await transfer(seller, credited.id, 1_000);
  await credit(credited, { amount: 4 });
  await transfer(seller, cancelled.id, 300);
  good(await seller.act('cancel', cancelled.id, {}));
  await transfer(seller, over.id, 1_500);
  daysLater(1);
  const { report } = good(await call('reports.revenue-read', { headers: seller.headers, query: {} }));
  const [{ outstanding, ...eur }] = report.currencies;
  expect(eur).toMatchObject({
    invoiced: 50,
    credited: 5,
    cancelled: 10,
    writtenOff: 0.3,
    paid: 27.7,
    received: 39.7,
    returned: 0,
  });
  expect(outstanding.total).toBe(7);
  const left = eur.invoiced - eur.credited - eur.cancelled - eur.writtenOff - eur.paid;
  expect(left).toBeCloseTo(outstanding.total);
});
