/** A bank takes back the whole of a transfer, also when the seller has sent back a part of it before. */
import { paymentStore } from '../../../../../functions/ledger/payment-store.ts';
import { dayMs, minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import { call, good, leaveOutPdfs, newSeller, onTestClock, type Tenant } from '../../../../support/call.ts';
import { MailReader } from '../../../../support/notices/mail-reader.ts';
import { transfer } from '../../../../support/payments/payments.ts';
import { camt, entryXml, type XmlEntry } from '../../../../support/statements/bank-files.ts';
import * as statements from '../../../../support/statements/statement-stage.ts';
import { stepsUntil } from '../../../../support/subscriptions/courses.ts';
import {
  creditOf,
  expectSound,
  stored,
  storedSubscription,
} from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

interface Sent {
  seller: Tenant;
  paymentId: string;
}
type Of = Sent & { externalId: string; id: string };

const reverse = ({ seller, paymentId }: Sent, amount?: number) =>
  call('payments.reverse', seller.callFor(paymentId, { reason: 'The bank recalled it.', amount }));
const sendBack = ({ seller, paymentId }: Sent) => call('payments.return', seller.callFor(paymentId, {}));

/** A renewal of 9.99 that a transfer of 11.99 paid, of which the seller sent 2.00 back. */
async function sentBack(more: object = {}): Promise<Of> {
  const seller = await newSeller();
  const { id, externalId } = await seller.brought('active');
  const { termEndMs = 0 } = (await storedSubscription(seller, externalId)).subscription;
  await stepsUntil({ seller, externalId, id }, termEndMs - dayMs);
  const { payment } = await transfer(seller, id, 1_199, { valueAtMs: Date.now() - dayMs, ...more });
  const one = { seller, externalId, id, paymentId: payment.paymentId };
  expect(good(await sendBack(one)).payment).toMatchObject({ status: 'applied', credited: 0, returned: 2 });
  return one;
}

const whole = { status: 'disputed', applied: [], credited: -2, returned: 13.99, waiting: 0 };

describe('a whole recall after a part was sent back', () => {
  test('takes that part from the credit of the client, who is told of the debt', async () => {
    const one = await sentBack();
    const reader = new MailReader(one.seller, one.externalId);
    await reader.read();
    reader.contradictions();
    vi.setSystemTime(Date.now() + minuteMs);
    expect(good(await reverse(one)).payment).toMatchObject(whole);

    expect(await creditOf(one)).toBe(-200);
    const { invoices, timeline } = await stored(one);
    expect(invoices.at(-1)).toMatchObject({ status: 'open', totalMinor: 999 });
    expect(invoices.at(-1)?.settled).toBeUndefined();
    expect(timeline.at(-1)).toMatchObject({ event: 'payment_reversed' });
    await reader.read();
    expect(reader.subjects().at(-1)).toBe('a payment was corrected, please pay EUR 9.99');
    expect(reader.lastText()).toContain(
      'EUR 2.00 of it was taken from your credit. EUR 2.00 of that had been used or sent back before: your next invoice asks for it. Please pay what is due.',
    );
    expect(reader.contradictions()).toEqual([]);
    await expectSound(one.seller, one.externalId);

    const { revision } = (await stored(one)).subscription;
    expect(good(await reverse(one, 11.99)).payment).toMatchObject(whole);
    expect((await stored(one)).subscription.revision).toBe(revision);
    expect((await reverse(one, 12)).body.details).toEqual({ amount: 'is more than the payment has' });
  });

  test('of two clients takes from each what they have, and what was sent back is missing', async () => {
    const seller = await newSeller();
    const both = await Promise.all([seller.brought('pending'), seller.brought('pending')]);
    const { payment } = await transfer(seller, '', 2_500, { target: { waitingText: 'For two' } });
    const sent = { seller, paymentId: payment.paymentId };
    const states = () => Promise.all(both.map(({ externalId }) => storedSubscription(seller, externalId)));
    const invoices = (await states()).map((state) => ({
      invoiceId: state.invoices[0]?.invoiceId,
      amount: 9.99,
    }));
    good(await call('payments.reallocate', seller.callFor(sent.paymentId, { invoices, reason: 'For two.' })));
    expect(good(await sendBack(sent)).payment).toMatchObject({ status: 'applied', returned: 5.02 });
    expect(good(await reverse(sent)).payment).toMatchObject({
      status: 'disputed',
      applied: [],
      credited: 0,
      returned: 30.02,
      waiting: -5.02,
    });
    expect((await states()).map(({ invoices: [invoice] }) => invoice?.status)).toEqual(['open', 'open']);
    await expectSound(seller, ...both.map(({ externalId }) => externalId));
    const undone = { status: 'unapplied', waiting: 19.98, returned: 5.02 };
    expect(good(await reverse(sent, 0)).payment).toMatchObject(undone);
    await expectSound(seller, ...both.map(({ externalId }) => externalId));
  });
});

describe('a bank statement', () => {
  let stage: statements.StatementStage;
  beforeEach(async () => {
    stage = await statements.statementStage();
  });
  afterEach(() => stage.stop());

  const recall = (amount: string, bankId: string): XmlEntry => ({
    amount,
    indicator: 'DBIT',
    reversal: true,
    endToEndId: 'E2E-9',
    date: new Date(Date.now()).toISOString().slice(0, 10),
    bankId,
  });

  async function imported({ seller }: Sent, entries: readonly XmlEntry[]) {
    const { body } = await statements.sendFile(seller, camt(entries.map((entry) => entryXml(entry))));
    await statements.confirm(seller, body.statement._id);
    await stage.settle();
    const read = (await statements.readStatement(seller, body.statement._id)).body;
    const kinds = read.entries.map(({ result }: { result: string }) => result);
    const reversed = body.entries.map((entry: { paymentId?: string }) => entry.paymentId);
    return { kinds, reversed };
  }

  test('with the whole recall is matched by the dry run, and taken back', async () => {
    const one = await sentBack({ transferIds: ['E2E-9'] });
    const { kinds, reversed } = await imported(one, [recall('11.99', 'R-1')]);
    expect([kinds, reversed]).toEqual([['reversed'], [one.paymentId]]);
    expect(await paymentStore.get(one.seller.applicationId, one.paymentId)).toMatchObject({
      status: 'disputed',
      disputedMinor: 1_199,
      returnedMinor: 200,
    });
    expect(await creditOf(one)).toBe(-200);
    await expectSound(one.seller, one.externalId);
  });

  test('with a recall in parts takes no more than the transfer', async () => {
    const one = await sentBack({ transferIds: ['E2E-9'] });
    const parts = [recall('9.00', 'R-1'), recall('2.99', 'R-2'), recall('1.00', 'R-3')];
    const { kinds, reversed } = await imported(one, parts);
    expect(kinds).toEqual(['reversed', 'reversed', 'reversal']);
    expect(reversed).toEqual([one.paymentId, one.paymentId, undefined]);
    expect(await creditOf(one)).toBe(-200);
    await expectSound(one.seller, one.externalId);
  });

  test('with exactly what the seller sent back leaves the decision to the seller: it can be that transfer', async () => {
    const one = await sentBack({ transferIds: ['E2E-9'] });
    const { kinds, reversed } = await imported(one, [recall('2.00', 'R-1')]);
    expect([kinds, reversed]).toEqual([['reversal'], [undefined]]);
  });
});
