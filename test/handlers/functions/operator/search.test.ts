import { randomUUID } from 'node:crypto';
import { operatorScopeNames } from '../../../../functions/shared/contract/operator-scopes.ts';
import { newId } from '../../../../functions/shared/runtime/ids.ts';
import {
  bearer,
  call,
  good,
  newOperatorKey,
  newSeller,
  newUser,
  type Tenant,
} from '../../../support/call.ts';
import { goodPayment, recordPayment } from '../../../support/samples/finance.ts';
import { newParties, submittedId } from '../../../support/samples/links.ts';
import { samples } from '../../../support/samples/requests.ts';
import { newWebhook } from '../../../support/samples/webhooks.ts';
import { writtenEvents } from '../../../support/subscriptions/events.ts';
import * as records from '../../../support/subscriptions/records.ts';

const ask = async (query: Record<string, string>, scopes: readonly string[] = ['admin']) =>
  call('operator.search', { headers: bearer(await newOperatorKey({ scopes })), query });

const hitsOf = async (query: Record<string, string>, scopes?: readonly string[]) =>
  good(await ask(query, scopes)).hits as Record<string, unknown>[];

/** A text, the hit that it finds, the scope that covers it. `named`: it is found within its application only. */
interface Findable {
  text: string;
  hit: Record<string, unknown>;
  scope: string;
  named?: true;
}

/** A seller with series of their own, whose numbers no other test gives. */
const sellerWithSeries = () => {
  const [prefix] = randomUUID().toUpperCase().split('-');
  const invoices = { numbering: 'seller', invoicePrefix: `${prefix}-`, creditNotePrefix: `${prefix}-C-` };
  return newSeller('none', { invoices });
};

/** An invoice in the series of a seller, with a credit note. */
async function credited(seller: Tenant) {
  const externalId = await seller.newClient();
  const { _id: subscriptionId } = good(await seller.subscribe({ body: { externalId } })).subscription;
  const { subscription } = good(await seller.details(subscriptionId));
  const [{ _id: invoiceId, number }] = subscription.invoices;
  const body = { amount: 2.5, reason: 'A mistake.' };
  const { creditNote } = good(await call('subscriptions.credit-invoice', seller.callFor(invoiceId, body)));
  const { _id: creditNoteId, number: title } = creditNote;
  const owner = { applicationId: seller.applicationId, externalId, subscriptionId };
  const summary = expect.any(String);
  return {
    invoice: { kind: 'invoice', id: invoiceId, ...owner, title: number as string, summary },
    creditNote: { kind: 'credit_note', id: creditNoteId, ...owner, title: title as string, summary },
  };
}

/** A record of each kind, by every text that names it. */
async function population() {
  const seller = await sellerWithSeries();
  const { applicationId } = seller;
  const [externalId, planId, user, parties] = await Promise.all([
    seller.newClient(),
    seller.newPlan(),
    newUser({ name: 'Anna' }),
    newParties(),
  ]);
  const subscription = records.subscriptionRecord({ applicationId, externalId, creditNoteCount: 1 });
  const invoice = records.invoiceRecord(subscription, 1, { status: 'paid' });
  const creditNote = records.creditNoteRecord(invoice, 1, { totalMinor: 250 });
  await records.putSubscription(subscription, { invoices: [invoice], creditNotes: [creditNote] });
  const sent = goodPayment();
  const { payment } = good(await recordPayment(seller, sent));
  const { webhook } = await newWebhook(seller);
  const linkId = await submittedId(parties, { title: 'My page' });
  const statementCall = (await samples['statements.create']?.()) ?? {};
  const { statement } = good(
    await call('statements.create', Object.assign({}, statementCall, { headers: seller.headers })),
  );
  const [event] = await writtenEvents(applicationId);
  const eventId = `${event?.groupId}0`;
  const admin = bearer(await newOperatorKey());
  const keyBody = { name: 'Rita Reviewer', scopes: ['review'] };
  const { keyId } = good(await call('operator.operator-key-create', { headers: admin, body: keyBody }));
  const { subscriptionId, referenceNumber } = subscription;
  const owner = { applicationId, externalId };
  const client = `client ${externalId}`;
  const inSeries = await credited(seller);
  const hits = {
    client: {
      kind: 'client',
      id: externalId,
      applicationId,
      title: 'Ann',
      summary: `${externalId}@example.com`,
    },
    user: {
      kind: 'user',
      id: user.userId,
      title: 'Anna',
      summary: `${user.email}, active, verified`,
    },
    subscription: {
      kind: 'subscription',
      id: subscriptionId,
      ...owner,
      title: referenceNumber,
      summary: `active, Pro, ${client}`,
    },
    invoice: {
      kind: 'invoice',
      id: invoice.invoiceId,
      ...owner,
      subscriptionId,
      title: invoice.number,
      summary: `paid, EUR\u00A09.99, ${client}`,
    },
    creditNote: {
      kind: 'credit_note',
      id: creditNote.creditNoteId,
      ...owner,
      subscriptionId,
      title: creditNote.number,
      summary: `EUR\u00A02.50, corrects ${invoice.number}, ${client}`,
    },
    payment: {
      kind: 'payment',
      applicationId,
      id: payment._id,
      title: 'EUR\u00A09.99',
      summary: expect.stringMatching(/^unapplied, application \d{4}-/),
    },
  };
  const findable: Findable[] = [
    {
      text: applicationId,
      hit: {
        kind: 'application',
        id: applicationId,
        applicationId,
        title: 'Example App',
        summary: expect.any(String),
      },
      scope: 'support',
    },
    { text: user.userId, hit: hits.user, scope: 'support' },
    { text: user.email.toUpperCase(), hit: hits.user, scope: 'support' },
    { text: subscriptionId, hit: hits.subscription, scope: 'finance' },
    { text: referenceNumber, hit: hits.subscription, scope: 'finance' },
    {
      text: ` ${referenceNumber.toLowerCase().replace('-', ' ')} `,
      hit: hits.subscription,
      scope: 'finance',
    },
    { text: invoice.invoiceId, hit: hits.invoice, scope: 'finance' },
    { text: invoice.number.toLowerCase(), hit: hits.invoice, scope: 'finance' },
    { text: creditNote.creditNoteId, hit: hits.creditNote, scope: 'finance' },
    { text: creditNote.number, hit: hits.creditNote, scope: 'finance' },
    { text: inSeries.invoice.title, hit: inSeries.invoice, scope: 'finance' },
    { text: ` ${inSeries.creditNote.title.toLowerCase()} `, hit: inSeries.creditNote, scope: 'finance' },
    { text: externalId, hit: hits.client, scope: 'finance', named: true },
    { text: `${externalId}@Example.com`, hit: hits.client, scope: 'finance' },
    { text: payment._id, hit: hits.payment, scope: 'finance', named: true },
    { text: sent.paymentId, hit: hits.payment, scope: 'finance', named: true },
    {
      text: statement._id,
      hit: {
        kind: 'bank_statement',
        applicationId,
        id: statement._id,
        title: expect.stringMatching(/^camt\.053 /),
        summary: statement.status,
      },
      scope: 'finance',
      named: true,
    },
    {
      text: planId,
      hit: {
        kind: 'plan',
        id: planId,
        applicationId,
        title: 'Pro',
        summary: 'EUR\u00A09.99, monthly, for sale',
      },
      scope: 'admin',
      named: true,
    },
    {
      text: webhook._id,
      hit: {
        kind: 'webhook',
        applicationId,
        id: webhook._id,
        title: 'https://app.example/webhooks',
        summary: 'active, for api_key',
      },
      scope: 'support',
      named: true,
    },
    {
      text: eventId,
      hit: { kind: 'event', id: eventId, applicationId, title: event?.type, summary: expect.any(String) },
      scope: 'support',
    },
    {
      text: linkId,
      hit: {
        kind: 'link',
        applicationId: parties.applicationId,
        userId: parties.userId,
        id: linkId,
        title: 'My page',
        summary: expect.stringMatching(/^pending, https:/),
      },
      scope: 'review',
    },
    {
      text: keyId,
      hit: { kind: 'operator_key', id: keyId, title: 'Rita Reviewer', summary: 'review' },
      scope: 'admin',
    },
  ];
  return { seller, subscription, invoice, findable };
}

let all: Awaited<ReturnType<typeof population>>;
beforeAll(async () => {
  all = await population();
});

/** The query for a record, within its application where it is found there only. */
const queryFor = ({ text, hit, named }: Findable) =>
  named ? { q: text, applicationId: String(hit.applicationId) } : { q: text };

describe('a search', () => {
  test('finds each kind of record by every text that names it, and nothing else', async () => {
    for (const one of all.findable)
      expect([one.text, await hitsOf(queryFor(one))]).toEqual([one.text, [one.hit]]);
  });

  test('finds a record for the scopes that cover it, and for others finds nothing', async () => {
    for (const one of all.findable) {
      for (const scope of operatorScopeNames) {
        const isCovered = scope === 'admin' || scope === one.scope;
        expect([one.text, scope, await hitsOf(queryFor(one), [scope])]).toEqual([
          one.text,
          scope,
          isCovered ? [one.hit] : [],
        ]);
      }
    }
  });

  test('within another application finds none of its records', async () => {
    const { applicationId } = await newSeller();
    for (const { text, hit } of all.findable) {
      const isOfNone = hit.applicationId === undefined;
      expect([text, await hitsOf({ q: text, applicationId })]).toEqual([text, isOfNone ? [hit] : []]);
    }
  });

  test('finds nothing for a part of a text, for a wildcard, and for a record that does not exist', async () => {
    const { applicationId } = all.seller;
    for (const { text } of all.findable) {
      const short = text.trim();
      for (const q of [short.slice(0, -1), short.slice(1), `${short}0`, `${short.slice(0, 8)}*`, `${short}%`])
        expect([q, await hitsOf({ q, applicationId })]).toEqual([q, []]);
    }
    const nowMs = Date.now();
    const ids = (['app', 'sub', 'inv', 'crn', 'pay', 'pln', 'lnk', 'whk', 'bst', 'key', 'acc'] as const).map(
      (prefix) => newId(prefix, nowMs),
    );
    const { referenceNumber } = records.subscriptionRecord();
    const others = [`${newId('evt', nowMs)}0`, referenceNumber, `INV-${referenceNumber.slice(4)}-1`];
    const strange = ['*', '%', '?', '#', 'INV--1', 'INV-', 'SUB-', 'a@b', '@', "' OR 1=1 --", '../..', '😀'];
    const numbers = [0, 2, 999_999, '01', '1e0'].map((n) => `${all.invoice.number.slice(0, -1)}${n}`);
    for (const q of [...ids, ...others, ...strange, ...numbers])
      expect([q, await hitsOf({ q, applicationId })]).toEqual([q, []]);
  });

  test('refuses blanks, control characters, longer texts and what is no id of an application', async () => {
    const applicationId = 'app_*';
    const refused: [Record<string, string>, string][] = [
      [{}, 'q'],
      ...['', ' ', 'a\nb', 'a\u0000', 'a\u202Eb', 'x'.repeat(255), 'x'.repeat(10_000)].map(
        (q): [Record<string, string>, string] => [{ q }, 'q'],
      ),
      [{ q: 'a', applicationId }, 'applicationId'],
    ];
    for (const [query, field] of refused) {
      const { status, body } = await ask(query);
      expect([query, status, body]).toEqual([
        query,
        400,
        { error: 'invalid_request', message: expect.any(String), details: { [field]: expect.any(String) } },
      ]);
    }
    expect(await hitsOf({ q: '字'.repeat(254), applicationId: all.seller.applicationId })).toEqual([]);
    expect(await hitsOf({ q: '字'.repeat(128), applicationId: all.seller.applicationId })).toEqual([]);
  });
});
