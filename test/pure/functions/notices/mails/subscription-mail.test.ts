import type { Invoice } from '../../../../../functions/invoices/invoice.ts';
import type { Mails } from '../../../../../functions/notices/mails/mail.ts';
import { mails } from '../../../../../functions/notices/mails/registry.ts';
import { subscriptionMail } from '../../../../../functions/notices/mails/subscription-mail.ts';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import type { MailContent } from '../../../../../functions/shared/mail/layout.ts';
import type { MailTemplate } from '../../../../../functions/subscriptions/record/mail-rules.ts';
import type { MailFacts } from '../../../../../functions/subscriptions/record/outbox-entry.ts';
import type { SubscriptionFields } from '../../../../../functions/subscriptions/record/subscription.ts';
import { anInvoice } from '../../../../support/subscriptions/invoices.ts';
import { onTrial as onATrial, sampleOf } from '../../../../support/subscriptions/state-samples.ts';

const at = (month: number, day: number) => Date.UTC(2026, month, day, 6, 45);
const facts: MailFacts = {
  seller: 'Acme Notes',
  customerName: 'Matti Meikäläinen',
  referenceNumber: 'SUB-7K3M9QXA',
  planName: 'Pro',
  priceMinor: 129_900,
  currency: 'EUR',
  billingCycle: 'monthly',
  trialEndMs: at(10, 28),
  termStartMs: at(9, 28),
  termEndMs: at(10, 28),
};
const reminder = { graceEndsMs: at(11, 5), endsMs: at(11, 19) };
const payUrl = 'https://api.example/checkout/AbC-_1?x=1&y=2';
const online = anInvoice({ gateway: 'stripe' });

const templates = Object.keys(mails) as MailTemplate[];

function mailOf(
  template: MailTemplate,
  options: { more?: Partial<MailFacts>; invoice?: Invoice; payUrl?: string | undefined } = {},
): MailContent {
  return subscriptionMail({ template, facts: { ...facts, ...options.more } }, options.invoice, {
    payUrl: options.payUrl,
  });
}

/** The visible text of the HTML, as one line. */
function visible({ html }: MailContent): string {
  return html
    .replace(/<head>.*<\/head>|<div style="display:none.*?<\/div>|<[^>]+>/gs, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,:;])/g, '$1');
}

const remind = (index: number, more: Partial<MailFacts['reminder']> = {}, invoice = anInvoice()) =>
  mailOf('dunning_reminder', {
    more: { openMinor: 129_900, reminder: { of: 4, ...reminder, ...more, index } },
    invoice,
  });

function inCurrency(currency: string, totalMinor: number): MailContent {
  const more = { currency, priceMinor: totalMinor };
  return mailOf('invoice', { more, invoice: anInvoice({ currency, totalMinor }) });
}

const ofEnd = (template: MailTemplate, reason: MailFacts['reason'], more: Partial<MailFacts> = {}) =>
  mailOf(template, { more: { endedAtMs: at(10, 28), ...defined({ reason }), ...more } });

/** A trial goes on, and its next step is three days before its end, or at its end. */
function extended(
  step: 'trial_reminder' | 'trial_end',
  more: Partial<SubscriptionFields> = {},
  invoice?: Invoice,
): MailContent {
  const { termStartMs: _, termEndMs: __, ...onTrial } = facts;
  const timer = { step, dueAtMs: at(10, step === 'trial_end' ? 28 : 25) };
  const subscription = sampleOf('trialing', { ...onATrial, timer, ...more });
  return subscriptionMail({ template: 'trial_extended', facts: onTrial }, invoice, { subscription });
}

const billingUrl = 'https://api.example/v1/billing/sub_1.0.AbC-_d';
const news = { endsMs: at(10, 28), currency: 'EUR' };
const spent = { paymentMinor: 1_000, creditMinor: -810, balanceMinor: -500 };
const former = { formerPlanName: 'Basic', formerPriceMinor: 999, formerBillingCycle: 'weekly' } as const;
/** The invoice of the next term, a part of which credit paid. */
const nextTerm = anInvoice({
  settled: { fromCreditMinor: 1_000 },
  dueAtMs: at(10, 28),
  periodStartMs: at(10, 28),
  periodEndMs: at(11, 28),
});

/** By the situation: each mail as a subscriber reads it. */
const situations: Readonly<Record<string, MailContent>> = {
  'an invoice': mailOf('invoice', { invoice: anInvoice() }),
  'an invoice that is paid online': mailOf('invoice', { invoice: online, payUrl }),
  'an invoice without a bank account': mailOf('invoice', {
    invoice: anInvoice({ seller: { name: 'Acme' } }),
  }),
  'an invoice in a currency without decimals': inCurrency('JPY', 1_200),
  'an invoice in a currency with three decimals': inCurrency('KWD', 12_345),
  'a trial ends soon': mailOf('trial_reminder', { invoice: anInvoice() }),
  'a trial ends soon, online': mailOf('trial_reminder', { invoice: online, payUrl }),
  'a trial has ended': ofEnd('trial_ended', 'trial_over'),
  'a payment': mailOf('activated', { invoice: anInvoice({ status: 'paid', paidAtMs: at(10, 24) }) }),
  'a renewal': mailOf('renewal', { invoice: anInvoice() }),
  'a renewal online': mailOf('renewal', { invoice: online, payUrl }),
  'a renewal online, without a link': mailOf('renewal', { invoice: online, payUrl: '' }),
  'a renewal online, with a link that is none': mailOf('renewal', {
    invoice: online,
    payUrl: 'javascript:1',
  }),
  'a renewal that was paid since': mailOf('renewal', { invoice: anInvoice({ status: 'paid' }), payUrl }),
  'a renewal that is void since': mailOf('renewal', { invoice: anInvoice({ status: 'void' }), payUrl }),
  'a renewal that was written off': mailOf('renewal', { invoice: anInvoice({ status: 'uncollectible' }) }),
  'a renewal, after a debt was paid': mailOf('renewal', {
    more: { news: [{ template: 'debt_paid', ...news, paymentMinor: 1_500, creditMinor: 501 }] },
  }),
  'a renewal, after a refund of spent credit': mailOf('renewal', {
    more: { news: [{ template: 'payment_refunded', ...news, ...spent }] },
  }),
  'the first of four reminders': remind(1),
  'the second reminder': remind(2),
  'the third reminder': remind(3),
  'the last reminder': remind(4),
  'a reminder that is paid online': mailOf('dunning_reminder', { invoice: online, payUrl }),
  'the only reminder': remind(1, { of: 1 }),
  'a reminder, with full access to the end': remind(1, { of: 2, graceEndsMs: reminder.endsMs }),
  'a reminder after a reversal': remind(1, {}, anInvoice({ reversed: true })),
  'a payment was taken back': mailOf('payment_reversed', { invoice: anInvoice() }),
  'a payment was taken back, online': mailOf('payment_reversed', { invoice: online, payUrl }),
  'a payment of one of two invoices was taken back': mailOf('payment_reversed', {
    more: { openMinor: 259_800 },
    invoice: anInvoice(),
  }),
  'a payment of one of two invoices was taken back, online': mailOf('payment_reversed', {
    more: { openMinor: 259_800 },
    invoice: online,
    payUrl,
  }),
  'a payment was booked elsewhere': mailOf('payment_moved', { invoice: anInvoice() }),
  'a payment was booked elsewhere, online': mailOf('payment_moved', { invoice: online, payUrl }),
  'an end after a trial': ofEnd('expired', 'trial_over'),
  'an unpaid end': ofEnd('expired', 'unpaid'),
  'a term that does not renew': ofEnd('expired', 'not_renewed'),
  'a term that does not renew, and is owed': ofEnd('expired', 'not_renewed', { owedMinor: 1_000 }),
  'a cancellation': ofEnd('cancelled', 'cancelled', { unusedUntilMs: at(10, 30), balanceMinor: 800 }),
  'a cancellation of what is owed': ofEnd('cancelled', 'cancelled', {
    owedMinor: 1_000,
    isNextTermInvoiced: true,
  }),
  'a cancellation after credit was taken back': ofEnd('cancelled', 'cancelled', { balanceMinor: -500 }),
  'the end of a term that was cancelled': ofEnd('cancelled', 'period_over'),
  'another subscription replaced one that is owed': ofEnd('cancelled', 'replaced', { owedMinor: 1_000 }),
  'a cancellation at the end of the term': mailOf('cancellation_scheduled', { more: { balanceMinor: 800 } }),
  'a cancellation, after a trial was extended': mailOf('cancellation_scheduled', {
    more: { news: [{ template: 'trial_extended', ...news }] },
  }),
  'a trial was extended': extended('trial_reminder'),
  'a trial was extended, with an open invoice': extended('trial_end', {}, anInvoice()),
  'a trial was extended, and is cancelled': extended(
    'trial_reminder',
    { cancelAtPeriodEnd: true },
    anInvoice(),
  ),
  'a change of plan': mailOf('plan_changed', { more: former }),
  'a change of plan without proration': mailOf('plan_changed', {
    more: { ...former, priceFromMs: at(10, 28) },
  }),
  'a change of plan, with the invoice of the next term': mailOf('plan_changed', {
    more: { ...former, creditMinor: 1_000 },
    invoice: nextTerm,
  }),
  'a planned change whose invoice credit pays': mailOf('plan_change_scheduled', {
    more: former,
    invoice: { ...nextTerm, status: 'paid' },
  }),
  'a planned change': mailOf('plan_change_scheduled', { more: former }),
  'a planned change that is undone': mailOf('plan_change_undone', { more: former }),
  'a pause': mailOf('paused', { more: { changesAtMs: at(10, 2), resumesAtMs: at(10, 9) } }),
  'a pause without an end': mailOf('paused', { more: { changesAtMs: at(10, 2) } }),
  'the end of a pause': mailOf('resumed'),
  'a refund of spent credit': mailOf('payment_refunded', { more: spent }),
  'a refund whose rest is credit': mailOf('payment_refunded', {
    more: { paymentMinor: 167, creditMinor: 333 },
  }),
  'a credit note': mailOf('invoice_credited', { more: { paymentMinor: 500, creditMinor: 333 } }),
  'the link to the billing page': subscriptionMail({ template: 'billing_link', facts }, undefined, {
    billingUrl,
  }),
  'the billing page was closed': mailOf('billing_link'),
};

const read = ({ text }: MailContent) => text.replace(/\s+/g, ' ').trim();

test('each mail says who asks for what, why, until when, and what happens otherwise', async () => {
  const lines = Object.entries(situations).flatMap(([name, mail]) => [name, mail.subject, read(mail), '']);
  await expect(lines.join('\n')).toMatchFileSnapshot('subscription-mail.txt');
});

test.each(Object.entries(situations))('the HTML says the same as the text: %s', (_, mail) => {
  const [body = ''] = mail.text.split('\n---\n');
  const plain = (text: string) =>
    text
      .replaceAll(/:|https\S+/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
  for (const line of body.split('\n')) expect(plain(visible(mail))).toContain(plain(line));
});

test('a button leads to the payment, and no other mail has a link', () => {
  const linked = Object.entries(situations).filter(([, { html }]) => html.includes('href'));
  for (const [name, { html }] of linked)
    expect(html, name).toContain(name.includes('billing') ? billingUrl : payUrl.replace('&', '&amp;'));
  expect(linked.map(([name]) => name)).toEqual([
    'an invoice that is paid online',
    'a trial ends soon, online',
    'a renewal online',
    'a reminder that is paid online',
    'a payment was taken back, online',
    'a payment of one of two invoices was taken back, online',
    'a payment was booked elsewhere, online',
    'the link to the billing page',
  ]);
});

test('the reference of a transfer is on a line of its own', () => {
  const mail = mailOf('renewal', { invoice: anInvoice() });
  expect(mail.text.split('\n')).toContain('SUB-7K3M9QXA');
  expect(mail.html).toContain('>SUB-7K3M9QXA</span>');
});

test('the subject is shown in full, however long the names are', () => {
  const { subject } = mailOf('dunning_reminder', {
    more: {
      seller: 'x'.repeat(100),
      planName: 'y'.repeat(100),
      openMinor: 100_000_000_000,
      reminder: { index: 4, of: 4, ...reminder },
    },
  });
  expect(subject).toMatch(/^“x{39}…”: last reminder, .*19 December 2026$/);
});

describe('untrusted names', () => {
  const hostile = {
    seller: 'A<b>c</b> "x"\r\nBcc: evil@example.com',
    customerName: 'Visit https://evil.example now\u202e\u0000',
    planName: '<img src=x onerror=alert(1)>',
  };
  test.each(templates)('are text in the %s mail: no markup, no header, no link', (template) => {
    const mail = mailOf(template, { more: hostile, invoice: anInvoice({ lines: [] }) });
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.html).not.toMatch(/<b>|<img/);
    expect(`${mail.html}${mail.text}`).not.toMatch(/evil\.example|https:\/\/evil|href/);
    for (const gone of ['\u202e', '\u0000']) expect(`${mail.html}${mail.text}`).not.toContain(gone);
  });

  test.each(['Ηλέκτρα', 'Łukasz Żółć', '王小明'])('keep all letters: %s', (customerName) => {
    const mail = mailOf('renewal', { more: { customerName } });
    for (const text of [mail.text, visible(mail)]) expect(text).toContain(`Hello “${customerName}”,`);
  });

  test('are left out when they are missing', () => {
    const { customerName: _, ...nameless } = facts;
    const mail = subscriptionMail({ template: 'cancelled', facts: nameless }, undefined);
    expect(mail.text.split('\n')).toContain('Hello,');
    expect(`${mail.subject}${mail.html}${mail.text}`).not.toMatch(/undefined|NaN|Invalid Date/);
  });
});

describe('the link to the billing page', () => {
  test.each(templates)('is in the footer of the %s mail, in both parts', (template) => {
    const mail = subscriptionMail({ template, facts }, anInvoice(), { billingUrl });
    const [, footer = ''] = mail.text.split('\n---\n');
    expect(footer).toContain(`Manage your subscription (${billingUrl})`);
    expect(mail.html).toContain(`<a href="${billingUrl}"`);
    expect(mail.html).toContain('>Manage your subscription</a>');
  });

  test.each([undefined, 'javascript:alert(1)', 'no url'])('is left out when it is %s', (url) => {
    const mail = subscriptionMail({ template: 'activated', facts }, anInvoice(), { billingUrl: url });
    expect(`${mail.text}${mail.html}`).not.toMatch(/Manage your subscription|billing\//);
  });
});

test('every mail leaves out missing facts', () => {
  const { seller, referenceNumber, planName, priceMinor, currency, billingCycle } = facts;
  const least = { seller, referenceNumber, planName, priceMinor, currency, billingCycle };
  for (const template of [
    'trial_reminder',
    'activated',
    'renewal',
    'dunning_reminder',
    'expired',
    'payment_reversed',
    'payment_moved',
  ] as const) {
    const mail = subscriptionMail({ template, facts: least }, undefined);
    expect(`${mail.subject}${mail.html}${mail.text}`, template).not.toMatch(/undefined|NaN|Invalid Date/);
  }
});

test('the compiler refuses a merged mail without its sentence, and a sentence that no later mail has', () => {
  const { content } = mails.time_granted;
  // @ts-expect-error: a later mail has its news.
  const merged: Mails['time_granted'] = { content };
  // @ts-expect-error: it is sent beside the later mail.
  const separate: Mails['expired'] = { content, sentence: () => 'It ended.' };
  expect([merged.content, separate.content]).toEqual([content, content]);
});

const dueAtIssue = { fromCreditMinor: 0 };
test.each([
  ['open', 'Invoice INV-7K3M9QXA-2 is attached as PDF.', dueAtIssue],
  [
    'paid',
    'Invoice INV-7K3M9QXA-2, which is paid, is attached as PDF.',
    { fromCreditMinor: nextTerm.totalMinor },
  ],
  // Its document asks for what is paid.
  ['paid', undefined, dueAtIssue],
  ['void', undefined, dueAtIssue],
  // Its document states that credit paid it.
  ['open', undefined, { fromCreditMinor: nextTerm.totalMinor }],
] as const)('an invoice that is %s is attached as what it is: %s', (status, words, settledAtIssue) => {
  const invoice = { ...nextTerm, status, settledAtIssue };
  const { text } = subscriptionMail({ template: 'plan_changed', facts }, invoice);
  expect(/Invoice INV-7K3M9QXA-2.* PDF\./.exec(text)?.[0]).toBe(words);
});

test('a mail about a payment that was taken back brings no document that says "paid"', () => {
  const first = { ...nextTerm, n: 1, gateway: 'stripe', dueAtMs: at(11, 20) } as const;
  const mail = (invoice: typeof nextTerm) =>
    subscriptionMail({ template: 'payment_reversed', facts }, invoice).text;
  expect(mail(first)).toContain('Invoice INV-7K3M9QXA-2 is attached as PDF.');
  expect(mail({ ...first, paidAtMs: at(10, 24), reversed: true })).not.toContain('is attached');
});
