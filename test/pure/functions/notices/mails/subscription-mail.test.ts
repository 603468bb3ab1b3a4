import { describe, expect, test } from 'vitest';
import type { Invoice } from '../../../../../functions/invoices/invoice.ts';
import type { MailOf } from '../../../../../functions/notices/mails/mail.ts';
import { mails } from '../../../../../functions/notices/mails/registry.ts';
import { subscriptionMail } from '../../../../../functions/notices/mails/subscription-mail.ts';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import type { MailContent } from '../../../../../functions/shared/mail/layout.ts';
import type { MailFacts, MailTemplate } from '../../../../../functions/subscriptions/record/outbox-entry.ts';
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

function expectInBoth(mail: MailContent, words: string): void {
  expect(mail.text.replace(/\s+/g, ' ')).toContain(words);
  expect(visible(mail)).toContain(words);
}

const remind = (index: number) =>
  mailOf('dunning_reminder', {
    more: { openMinor: 129_900, reminder: { index, of: 4, ...reminder } },
    invoice: anInvoice(),
  });

describe('the subject names the application and the action', () => {
  test.each<[string, MailContent]>([
    ['please pay EUR 1,299.00 by 28 November 2026', mailOf('invoice', { invoice: anInvoice() })],
    [
      'your trial ends on 28 November 2026, pay EUR 1,299.00 to go on',
      mailOf('trial_reminder', { invoice: anInvoice() }),
    ],
    ['your trial has ended, subscribe to go on', mailOf('trial_ended')],
    [
      'payment received, paid until 28 November 2026',
      mailOf('activated', { invoice: anInvoice({ status: 'paid' }) }),
    ],
    ['please pay EUR 1,299.00 by 28 November 2026 to renew', mailOf('renewal', { invoice: anInvoice() })],
    ['your payment of EUR 1,299.00 is due', remind(1)],
    ['reminder, your payment of EUR 1,299.00 is overdue', remind(2)],
    ['please pay EUR 1,299.00 now, your access is at risk', remind(3)],
    ['last reminder, pay EUR 1,299.00 or your subscription ends on 19 December 2026', remind(4)],
    ['your subscription has ended unpaid', mailOf('expired', { more: { reason: 'unpaid' } })],
    ['your subscription has ended', mailOf('expired', { more: { reason: 'not_renewed' } })],
    ['your subscription is cancelled', mailOf('cancelled', { more: { reason: 'cancelled' } })],
    ['your payment was taken back, please pay EUR 1,299.00', mailOf('payment_reversed', { invoice: online })],
    ['a payment was booked elsewhere, please pay EUR 1,299.00', mailOf('payment_moved', { invoice: online })],
  ])('%s', (subject, mail) => {
    expect(mail.subject).toBe(`“Acme Notes”: ${subject}`);
  });

  test('in full, however long the names are', () => {
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
});

describe('the payment section', () => {
  const byTransfer: MailTemplate[] = [
    'invoice',
    'trial_reminder',
    'renewal',
    'dunning_reminder',
    'payment_reversed',
    'payment_moved',
  ];

  test.each(byTransfer)(
    'by transfer: the %s mail has the account, and the reference on a line of its own',
    (template) => {
      const mail = mailOf(template, { invoice: anInvoice() });
      for (const words of [
        'Please pay EUR 1,299.00 to the account below',
        'Account holder',
        'Acme Notes Oy',
        'FI21 1234 5600 0007 85',
        'EXAMFIHH',
        '20-00-00',
      ]) {
        expectInBoth(mail, words);
      }
      expect(mail.text.split('\n')).toContain('SUB-7K3M9QXA');
      expect(mail.html).toContain('>SUB-7K3M9QXA</span>');
      expect(mail.html).not.toContain('href');
    },
  );

  test.each(byTransfer)(
    'of the %s mail has a button and no account when the invoice is paid online',
    (template) => {
      const mail = mailOf(template, { invoice: online, payUrl });
      expect(mail.text).toContain(`Pay EUR 1,299.00:\n${payUrl}\n`);
      expect(mail.html).toContain('href="https://api.example/checkout/AbC-_1?x=1&amp;y=2"');
      expect(mail.text).not.toMatch(/IBAN|account below/);
    },
  );

  test.each([undefined, '', 'javascript:alert(1)'])(
    'names the application instead of a button when the payment URL is %j',
    (url) => {
      const mail = mailOf('renewal', { invoice: online, payUrl: url });
      expectInBoth(mail, 'Please pay where you use “Acme Notes”.');
      expect(mail.html).not.toContain('href');
    },
  );

  test('refers to the seller when there is no bank account', () => {
    const mail = mailOf('invoice', { invoice: anInvoice({ seller: { name: 'Acme' } }) });
    expectInBoth(
      mail,
      'Please pay EUR 1,299.00, as agreed with “Acme Notes”, and name this payment reference:',
    );
  });

  test('names the total of several invoices, and the amount that the button pays', () => {
    const more = { openMinor: 259_800 };
    expectInBoth(
      mailOf('payment_reversed', { more, invoice: anInvoice() }),
      'Please pay EUR 2,598.00 to the account below',
    );
    const mail = mailOf('payment_reversed', { more, invoice: online, payUrl });
    expect(mail.text).toContain(`Pay EUR 1,299.00:\n${payUrl}`);
    expectInBoth(mail, 'In all, EUR 2,598.00 is open');
  });

  test('is missing when the invoice is paid or void', () => {
    for (const status of ['paid', 'void', 'uncollectible'] as const) {
      const mail = mailOf('renewal', { invoice: anInvoice({ status }), payUrl });
      expect(mail.text).not.toMatch(/account below|checkout/);
    }
  });
});

describe('reminders', () => {
  test.each([
    [
      1,
      'Your term of “Pro” of “Acme Notes” ended on 28 November 2026, and the payment for the next one has not arrived yet.',
    ],
    [2, 'As we wrote before, EUR 1,299.00 for “Pro” of “Acme Notes” is not paid.'],
    [3, 'In spite of our reminders, EUR 1,299.00 for “Pro” of “Acme Notes” is not paid.'],
    [
      4,
      'This is the last reminder: your subscription ends on 19 December 2026 unless the payment arrives before.',
    ],
  ])('number %d of 4 is more urgent than the one before: %s', (index, words) => {
    expectInBoth(remind(index), words);
  });

  test.each([1, 2, 3, 4])('number %d says when full access and the subscription end', (index) => {
    expectInBoth(remind(index), 'until 5 December 2026, 06:45 UTC; restricted after that');
    expectInBoth(remind(index), 'ends on 19 December 2026, 06:45 UTC');
  });

  test('say so when access stays full to the end', () => {
    const more = { reminder: { index: 1, of: 2, graceEndsMs: reminder.endsMs, endsMs: reminder.endsMs } };
    expectInBoth(mailOf('dunning_reminder', { more }), 'until the end');
  });

  test('call a single reminder the last one', () => {
    const more = { reminder: { index: 1, of: 1, ...reminder } };
    expect(mailOf('dunning_reminder', { more }).subject).toContain('last reminder');
  });

  test('do not say that a term ended after a reversal', () => {
    const more = { reminder: { index: 1, of: 4, ...reminder } };
    const mail = mailOf('dunning_reminder', { more, invoice: anInvoice({ reversed: true }) });
    expectInBoth(
      mail,
      'Your payment for “Pro” of “Acme Notes” was taken back, and no other has arrived yet.',
    );
    expect(mail.text).not.toContain('Your term of');
  });
});

describe('the consequence of doing nothing', () => {
  test.each<[MailTemplate, string]>([
    [
      'invoice',
      'Without a payment the subscription never starts, the invoice becomes void, and you owe nothing.',
    ],
    [
      'trial_reminder',
      'The subscription ends with the trial. Nothing is charged, and the invoice becomes void.',
    ],
    ['renewal', 'reminders follow, and without a payment it ends.'],
    ['payment_reversed', 'Reminders follow, and without a payment your subscription ends.'],
    ['payment_moved', 'Reminders follow, and without a payment your subscription ends.'],
  ])('is in the %s mail', (template, words) => {
    expectInBoth(mailOf(template, { invoice: anInvoice() }), words);
  });

  test('names the end of the trial to the minute', () => {
    expectInBoth(mailOf('trial_reminder', { invoice: anInvoice() }), 'ends on 28 November 2026, 06:45 UTC.');
  });
});

describe('a mail about an end', () => {
  const endedAtMs = at(10, 28);
  const when = '28 November 2026, 06:45 UTC';
  test.each<[MailTemplate, MailFacts['reason'], string]>([
    ['trial_ended', 'trial_over', `Your free trial of “Pro” ended on ${when}. No payment arrived before`],
    ['expired', 'trial_over', `Your free trial of “Pro” ended on ${when}.`],
    ['expired', 'unpaid', `No payment arrived for “Pro”, so your subscription ended on ${when}.`],
    ['expired', 'not_renewed', `was set not to renew, and ended with its paid term on ${when}.`],
    ['cancelled', 'cancelled', `Your subscription to “Pro” was cancelled and ended on ${when}.`],
    ['cancelled', 'period_over', `As requested, your subscription to “Pro” ended with its term on ${when}.`],
  ])('%s, %s, says why and when', (template, reason, words) => {
    const mail = mailOf(template, { more: { endedAtMs, ...defined({ reason }) } });
    expectInBoth(mail, words);
    expectInBoth(mail, 'You can subscribe again at any time where you use “Acme Notes”.');
  });
});

test('the confirmation of a payment says until when the subscription is paid', () => {
  const mail = mailOf('activated', { invoice: anInvoice({ status: 'paid', paidAtMs: at(10, 24) }) });
  expectInBoth(
    mail,
    'Your subscription to “Pro” of “Acme Notes” is paid until 28 November 2026, 06:45 UTC. There is nothing to do.',
  );
  expectInBoth(mail, '24 November 2026');
});

describe('the mail about an extended trial', () => {
  const { termStartMs: _, termEndMs: __, ...onTrial } = facts;
  const entry = { template: 'trial_extended', facts: onTrial } as const;
  const timer = { step: 'trial_reminder', dueAtMs: at(10, 25) } as const;
  const until = '28 November 2026, 06:45 UTC';

  test('says until when it goes on, when the reminder comes and how to cancel', () => {
    const mail = subscriptionMail(entry, undefined, {
      subscription: sampleOf('trialing', { ...onATrial, timer }),
    });
    expect(mail.subject).toBe(`“Acme Notes”: your free trial goes on until ${until}`);
    expectInBoth(
      mail,
      `“Acme Notes” has extended your free trial of “Pro”: it goes on until ${until}. Nothing is due before then. You get a reminder on 25 November 2026. You can cancel at any time where you use “Acme Notes”.`,
    );
    expect(mail.text).not.toContain('How to pay');
  });

  test('says how to pay an open invoice, and names no reminder after the last one', () => {
    const ended = { step: 'trial_end', dueAtMs: at(10, 28) } as const;
    const subscription = sampleOf('trialing', { ...onATrial, timer: ended });
    const mail = subscriptionMail(entry, anInvoice(), { subscription });
    expectInBoth(
      mail,
      'Nothing is due before then. If you pay the open invoice by then, the paid term follows',
    );
    expectInBoth(mail, 'Please pay EUR 1,299.00 to the account below');
    expect(mail.text).not.toContain('reminder');
  });

  test('asks for no payment when the subscription is cancelled since', () => {
    const subscription = sampleOf('trialing', { ...onATrial, timer, cancelAtPeriodEnd: true });
    const mail = subscriptionMail(entry, anInvoice(), { subscription });
    expectInBoth(
      mail,
      'Nothing is due before then. Your subscription is cancelled, and ends with the trial.',
    );
    expect(mail.text).not.toMatch(/How to pay|reminder/);
  });

  test('is a sentence in a later mail of the same moment', () => {
    const news = [{ template: 'trial_extended', endsMs: at(10, 28), currency: 'EUR' } as const];
    expectInBoth(
      mailOf('cancellation_scheduled', { more: { news } }),
      `Your free trial was extended until ${until}.`,
    );
  });
});

describe('the footer', () => {
  test('names the application and the reference number, and an attached invoice', () => {
    const mail = mailOf('renewal', { invoice: anInvoice() });
    expectInBoth(mail, 'This mail is about subscription SUB-7K3M9QXA of “Acme Notes”.');
    expectInBoth(mail, 'Invoice INV-7K3M9QXA-2 is attached as PDF.');
    expect(mailOf('cancelled').text).not.toContain('attached');
  });
});

describe('amounts', () => {
  test.each([
    ['JPY', 1_200, 'JPY 1,200'],
    ['KWD', 12_345, 'KWD 12.345'],
    ['USD', 999, 'USD 9.99'],
  ])('in %s have the decimals and the code of the currency', (currency, totalMinor, shown) => {
    const more = { currency, priceMinor: totalMinor };
    const mail = mailOf('invoice', { more, invoice: anInvoice({ currency, totalMinor }) });
    expect(mail.subject).toContain(`pay ${shown} by`);
    expectInBoth(mail, `“Pro”, ${shown} for one month`);
  });
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
    expectInBoth(mailOf('renewal', { more: { customerName } }), `Hello “${customerName}”,`);
  });

  test('are left out when they are missing', () => {
    const { customerName: _, ...nameless } = facts;
    const mail = subscriptionMail({ template: 'cancelled', facts: nameless }, undefined);
    expect(mail.text.split('\n')).toContain('Hello,');
    expect(`${mail.subject}${mail.html}${mail.text}`).not.toMatch(/undefined|NaN|Invalid Date/);
  });
});

describe('the link to the billing page', () => {
  const billingUrl = 'https://api.example/v1/billing/sub_1.0.AbC-_d';

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

  test('is a button in the mail that the subscriber asked for, and without a page the mail says so', () => {
    const mail = subscriptionMail({ template: 'billing_link', facts }, undefined, { billingUrl });
    expect(mail.subject).toBe('“Acme Notes”: the link to your subscription');
    expect(mail.text).toContain(`Open the page:\n${billingUrl}`);
    const closed = mailOf('billing_link');
    expectInBoth(closed, 'The page of your subscription was closed.');
    expect(closed.html).not.toContain('href');
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
  const merged: MailOf<'time_granted'> = { content };
  // @ts-expect-error: it is sent beside the later mail.
  const separate: MailOf<'expired'> = { content, sentence: () => 'It ended.' };
  expect([merged.content, separate.content]).toEqual([content, content]);
});

test('the footer says what is text of the seller, and names an account only where the mail has one', () => {
  const footer = 'What is in quotation marks is text from';
  const withAccount = mailOf('invoice', { invoice: anInvoice() });
  const without = mailOf('invoice', { invoice: anInvoice({ seller: { name: 'Acme' } }) });
  for (const mail of [withAccount, without]) expectInBoth(mail, footer);
  expectInBoth(withAccount, 'Text from');
  for (const words of ['Text from', 'account to pay']) expect(visible(without)).not.toContain(words);
});
