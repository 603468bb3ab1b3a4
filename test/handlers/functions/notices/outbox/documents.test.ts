/** The documents that mails have: stored once, and the same bytes for every later mail and every reader. */

import { createHash, randomBytes } from 'node:crypto';
import { creditNoteStore } from '../../../../../functions/invoices/credit-note-store.ts';
import { documentStore } from '../../../../../functions/invoices/document/document-store.ts';
import * as pdf from '../../../../../functions/invoices/document/pdf.ts';
import { handler as deliverOutbox } from '../../../../../functions/notices/deliver.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { tableSchema } from '../../../../../functions/shared/contract/table-schema.ts';
import { hourMs } from '../../../../../functions/shared/runtime/clock.ts';
import { newId } from '../../../../../functions/shared/runtime/ids.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import {
  type Call,
  call,
  daysLater,
  deliverOutboxOf,
  good,
  newSeller,
  noonMs,
  onTestClock,
  putItem,
  step,
  type Tenant,
} from '../../../../support/call.ts';
import { failMail, failTable, loseAnswers, refusedBySes } from '../../../../support/faults.ts';
import { attachmentsTo, mailsTo } from '../../../../support/mail/mailbox.ts';
import { refund, reportOf, settlement, transfer } from '../../../../support/payments/payments.ts';
import { asOperator } from '../../../../support/samples/operator.ts';
import { billingTokenOf, browser } from '../../../../support/subscriptions/billing.ts';
import { clientOf, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { streamEvent } from '../../../../support/table/stream.ts';

onTestClock();
afterEach(() => vi.restoreAllMocks());

const pdfOf = (accept: string, { headers, ...rest }: Call) => ({
  ...rest,
  headers: { ...headers, accept },
});
const sha256 = (bytes: Uint8Array, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(bytes).digest(encoding);

/** A subscription by transfer, whose first invoice waits in the outbox. */
async function waiting() {
  const seller = await newSeller();
  const { id, externalId } = await seller.brought('pending');
  const { invoices } = await storedSubscription(seller, externalId);
  const [invoice] = invoices;
  const email = (await clientOf(seller, externalId))?.email ?? '';
  if (invoice === undefined) throw new Error('There is no invoice');
  return {
    seller,
    id,
    externalId,
    invoice,
    attached: () => attachmentsTo(email),
    deliver: async () => deliverOutboxOf(await seller.stateOf(externalId)),
  };
}

const invoiceOf = (seller: Tenant, invoiceId: string, accept: string) =>
  call('invoices.read', pdfOf(accept, seller.callFor(invoiceId)));
const bytesOf = async (seller: Tenant, invoiceId: string) =>
  Buffer.from((await invoiceOf(seller, invoiceId, 'application/pdf')).text, 'base64');

/** Everything that a document is made of is another one from now on. */
async function changeAll({ seller, externalId }: Awaited<ReturnType<typeof waiting>>): Promise<void> {
  const settings = { banking: { accountHolder: 'Other', bankName: 'Other' }, timeZone: 'Asia/Tokyo' };
  const params = { id: seller.applicationId };
  good(await call('applications.update', await asOperator({ params, body: { name: 'Other', settings } })));
  const address = { line1: 'Other 1', city: 'Other', country: 'FI' };
  const body = { externalId, email: `${externalId}@example.com`, name: 'Other', address };
  good(await call('clients.upsert', { headers: seller.headers, body }));
  // A later release that draws something else.
  vi.spyOn(pdf, 'invoicePdf').mockImplementation(async () => randomBytes(100));
}

describe('an invoice that was mailed', () => {
  test('has the bytes of its first mail in every later one and for every reader, whatever has changed', async () => {
    const one = await waiting();
    const { seller, id, externalId, invoice } = one;
    await one.deliver();
    const [first] = await one.attached();
    expect(first?.content.subarray(0, 5).toString()).toBe('%PDF-');
    await changeAll(one);
    const subscription = await seller.stateOf(externalId);
    vi.setSystemTime(subscription.timer?.dueAtMs ?? 0);
    await step(subscription);
    const all = await one.attached();
    expect(all.map(({ filename }) => filename)).toEqual(Array(2).fill(`${invoice.number}.pdf`));
    good(await seller.act('activate', id));
    await one.deliver();
    const bytes = [
      ...(await one.attached()).map(({ content }) => content),
      await bytesOf(seller, invoice.invoiceId),
    ];
    const token = await billingTokenOf(seller, id);
    const params = { token, invoiceId: invoice.invoiceId };
    const portal = await call('portal.invoice', { params, headers: browser });
    bytes.push(Buffer.from(portal.text, 'base64'));
    // The receipt has none: the document asks for what the mail confirms.
    expect(bytes).toHaveLength(4);
    expect(new Set(bytes.map((one) => sha256(one)))).toEqual(
      new Set([sha256(first?.content ?? Buffer.of())]),
    );
  });

  test('has its hash in the header of the PDF, and with its size in its JSON', async () => {
    const one = await waiting();
    const { seller, invoice } = one;
    const before = await invoiceOf(seller, invoice.invoiceId, '*/*');
    expect(before.body).not.toHaveProperty('document');
    await one.deliver();
    const [file] = await one.attached();
    const content = file?.content ?? Buffer.of();
    const { headers } = await invoiceOf(seller, invoice.invoiceId, 'application/pdf');
    expect(headers['repr-digest']).toBe(`sha-256=:${sha256(content, 'base64')}:`);
    const { body } = await invoiceOf(seller, invoice.invoiceId, 'application/json');
    expect(body.document).toEqual({ sha256: sha256(content), size: content.length });
  });

  test('shows beside its document that it was paid and credited since, and the document stays', async () => {
    const one = await waiting();
    const { seller, externalId, invoice } = one;
    await one.deliver();
    const page = async () => {
      const { text } = await invoiceOf(seller, invoice.invoiceId, 'text/html');
      return [text.slice(0, text.indexOf('<main>')), text.slice(text.indexOf('<main>'))] as const;
    };
    const [, issued] = await page();
    const report = await reportOf(seller, externalId, { n: 1 });
    await settlement.recordPayment(report);
    const [paid, afterPayment] = await page();
    expect(paid).toContain('Paid in full on 10 March 2027');
    await refund(report, 400);
    const [credited, afterRefund] = await page();
    expect(credited).toMatch(/EUR.4\.00 by credit note CRN-\S+ of 10 March 2027/);
    expect([afterPayment, afterRefund]).toEqual([issued, issued]);
  });

  test('is drawn from the record when no document was stored, as for a mail of a former release', async () => {
    const { seller, invoice } = await waiting();
    const { status, headers } = await invoiceOf(seller, invoice.invoiceId, 'application/pdf');
    expect([status, headers['repr-digest']]).toEqual([200, undefined]);
    expect((await bytesOf(seller, invoice.invoiceId)).equals(await pdf.invoicePdf(invoice))).toBe(true);
  });
});

test('a credit note that was mailed has the bytes of its mail', async () => {
  const one = await waiting();
  const { seller, externalId } = one;
  const report = await reportOf(seller, externalId, { n: 1 });
  await settlement.recordPayment(report);
  await refund(report, 400);
  await one.deliver();
  const [note] = await creditNoteStore.latest(one.id);
  const file = (await one.attached()).find(({ filename }) => filename === `${note?.number}.pdf`);
  const content = file?.content ?? Buffer.of();
  vi.spyOn(pdf, 'creditNotePdf').mockImplementation(async () => randomBytes(100));
  const read = (accept: string) =>
    call('invoices.credit-note-read', pdfOf(accept, seller.callFor(note?.creditNoteId ?? '')));
  const { text, headers } = await read('application/pdf');
  expect(Buffer.from(text, 'base64').equals(content)).toBe(true);
  expect(headers['repr-digest']).toBe(`sha-256=:${sha256(content, 'base64')}:`);
  const { body } = await read('application/json');
  expect(body.document).toEqual({ sha256: sha256(content), size: content.length });
});

test('a credit note is mailed although a payment undoes the news of its mail before that is sent', async () => {
  const seller = await newSeller('none', {
    tax: { rates: [{ country: 'DE', percent: 19 }], pricesInclude: 'inclusive' },
  });
  const externalId = await seller.newClient({ address: { line1: 'A 1', city: 'Berlin', country: 'DE' } });
  const { subscription } = good(await seller.subscribe({ body: { externalId } }));
  await deliverOutboxOf(await seller.stateOf(externalId));
  daysLater(22);
  const down = failMail(() => refusedBySes('Throttling'));
  await step(await seller.stateOf(externalId)).finally(down.restore);
  await transfer(seller, subscription._id, 999);
  vi.setSystemTime(Date.now() + hourMs);
  const email = (await clientOf(seller, externalId))?.email ?? '';
  const before = (await attachmentsTo(email)).length;
  await deliverOutboxOf(await seller.stateOf(externalId));
  const subjects = (await mailsTo(email)).map((mail) => mail.subject);
  expect(subjects).toContain('“Example App”: a credit note of EUR 9.99');
  const files = (await attachmentsTo(email)).slice(before).map(({ filename }) => filename.slice(0, 3));
  expect(files.toSorted()).toEqual(['CRN', 'INV']);
});

describe('the bytes of a mail', () => {
  /** Each rendering differs, as those of two releases do. */
  const drawDifferently = () =>
    vi.spyOn(pdf, 'invoicePdf').mockImplementation(async () => new Uint8Array(randomBytes(2_000)));
  const hashes = async (one: Awaited<ReturnType<typeof waiting>>) =>
    (await one.attached()).map(({ content }) => sha256(content));

  test('are the same in two mails that are delivered at the same time', async () => {
    const drawn = drawDifferently();
    const one = await waiting();
    const key = keys.outbox(one.id, 'invoice#1');
    const others = ['a', 'b', 'c'].map((letter) => keys.outbox(one.id, `invoice#1${letter}`));
    const entry = await getItem(key);
    for (const other of others)
      await putItem({ ...entry, ...other, entryId: other.sk.split('#').slice(1).join('#') });
    await Promise.all([key, ...others].map(async (each) => deliverOutbox(streamEvent([each]))));
    expect(drawn.mock.calls.length).toBeGreaterThan(1);
    const sent = await hashes(one);
    expect(sent).toHaveLength(4);
    expect(new Set(sent)).toEqual(new Set([sha256(await bytesOf(one.seller, one.invoice.invoiceId))]));
  });

  test('are those of the first attempt, which was killed after they were stored', async () => {
    drawDifferently();
    const one = await waiting();
    const reached = Promise.withResolvers<void>();
    const killed = failMail(() => {
      reached.resolve();
      return new Promise(() => {});
    });
    await Promise.race([one.deliver(), reached.promise]);
    killed.restore();
    expect(await hashes(one)).toEqual([]);
    const stored = await bytesOf(one.seller, one.invoice.invoiceId);
    vi.setSystemTime(noonMs + hourMs);
    await one.deliver();
    expect(await hashes(one)).toEqual([sha256(stored)]);
  });

  test('are those that were stored when the answer of the write was lost', async () => {
    drawDifferently();
    const one = await waiting();
    const lost = loseAnswers((command) => command === 'PutItemCommand');
    await one.deliver().finally(lost.restore);
    const stored = await bytesOf(one.seller, one.invoice.invoiceId);
    vi.setSystemTime(noonMs + hourMs);
    await one.deliver();
    expect(await hashes(one)).toEqual([sha256(stored)]);
  });

  test('are not sent before they are stored', async () => {
    const one = await waiting();
    const down = failTable((command) =>
      command === 'PutItemCommand' ? new Error('connection lost') : undefined,
    );
    await one.deliver().finally(down.restore);
    expect(await one.attached()).toEqual([]);
  });
});

describe('a stored document', () => {
  const newDocument = () => ({ subscriptionId: newId('sub', Date.now()), kind: 'INVOICE', n: 1 }) as const;

  test.each([1, 20_000, 900_000])(
    'of %i bytes that do not compress is read as it was written',
    async (size) => {
      const id = newDocument();
      const bytes = new Uint8Array(randomBytes(size));
      await documentStore.keep(id, bytes);
      const found = await documentStore.find(id);
      expect(found).toMatchObject({ size, sha256: sha256(bytes) });
      expect(Buffer.compare(found?.pdf ?? Buffer.of(), bytes)).toBe(0);
    },
  );

  test.each([20_000, 500_000])(
    'of %i bytes is one of those that three callers keep at once',
    async (size) => {
      const id = newDocument();
      const kept = await Promise.all(
        Array.from({ length: 3 }, () => documentStore.keep(id, new Uint8Array(randomBytes(size)))),
      );
      const stored = await documentStore.find(id);
      expect(new Set(kept.map((bytes) => sha256(bytes)))).toEqual(new Set([stored?.sha256]));
    },
  );

  test('never expires', async () => {
    const id = newDocument();
    await documentStore.keep(id, new Uint8Array(randomBytes(900_000)));
    const head = keys.document(id.subscriptionId, id.kind, id.n);
    const items = await Promise.all(
      [head, keys.documentPart(head, 1), keys.documentPart(head, 2)].map(getItem),
    );
    for (const item of items) expect(Object.keys(item ?? {})).not.toContain(tableSchema.timeToLive);
    expect(items).not.toContain(undefined);
  });

  test('that is not the one of its hash is an error, and not shown', async () => {
    const id = newDocument();
    await documentStore.keep(id, new Uint8Array(randomBytes(10)));
    const key = keys.document(id.subscriptionId, id.kind, id.n);
    await putItem({ ...(await getItem(key)), ...key, sha256: sha256(Buffer.of()) });
    await expect(documentStore.find(id)).rejects.toThrow('is not the one that was stored');
  });
});
