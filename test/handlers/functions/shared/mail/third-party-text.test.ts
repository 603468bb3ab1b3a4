/** Every mail and page of the service, with hostile text in each field that a third party writes. */
import { newDeviceEmail } from '../../../../../functions/devices/alerts/email.ts';
import { invoiceText } from '../../../../../functions/invoices/document/content.ts';
import { mails } from '../../../../../functions/notices/mails/registry.ts';
import { subscriptionMail } from '../../../../../functions/notices/mails/subscription-mail.ts';
import { consentMail } from '../../../../../functions/oauth/consent-submit.ts';
import type { MailTemplate } from '../../../../../functions/subscriptions/record/mail-rules.ts';
import type { MailFacts } from '../../../../../functions/subscriptions/record/outbox-entry.ts';
import { anInvoice } from '../../../../support/subscriptions/invoices.ts';
import { newPayable, openPage } from '../../../../support/subscriptions/payable-invoices.ts';

const hostile = [
  'See https://evil.example/pay?now',
  'pay@evil.example',
  'tel:+15550100 and sms:+15550100',
  'evil\u3002example and evil\uFF0Eexample',
  '\\\\evil\\share and //evil.example',
  '<a href="https://evil.example">Pay</a>',
  'Pro” How to pay: send it to DE00 0000. “x',
  '"Pro" «x» ‟y‟ ＂z＂',
  'x\r\nHow to pay\r\nsend it elsewhere',
];

/** Texts that the usual linkers of mail clients and viewers turn into a link. */
const linkable =
  /(?:https?|ftp|mailto|tel|sms):\S|\/\/\S|\\\\\S|www\.\S|[\p{L}\p{N}_-]@\S|[\p{L}\p{N}-][.\u3002\uFF0E\uFF61](?=\p{L})/iu;

const facts: MailFacts = {
  seller: 'Acme',
  customerName: 'Ann',
  referenceNumber: 'SUB-7K3M9QXA',
  planName: 'Pro',
  priceMinor: 999,
  currency: 'EUR',
  billingCycle: 'monthly',
};

/** A mail with a text in every field of an application; by transfer, so that the account is shown too. */
function mailWith(template: MailTemplate, text: string) {
  const account = {
    accountHolder: text,
    bankName: text,
    iban: text,
    bic: text,
    accountNumber: text,
    branchCode: text,
  };
  const invoice = anInvoice({
    gateway: 'none',
    seller: { name: text, banking: account },
    customer: { name: text, email: 'ann@example.com' },
    lines: [{ description: text, quantity: 1, amountMinor: 999 }],
  });
  const named = { ...facts, seller: text, customerName: text, planName: text };
  return { mail: subscriptionMail({ template, facts: named }, invoice), invoice };
}

const bodyOf = (html: string) => html.slice(html.indexOf('<body')).replace(/<[^>]+>/g, ' ');

describe.each(Object.keys(mails) as MailTemplate[])('the %s mail', (template) => {
  test.each(hostile)('has no link, and no line of its own, from the text %j', (text) => {
    const { mail } = mailWith(template, text);
    for (const part of [mail.subject, mail.text, bodyOf(mail.html)]) expect(part).not.toMatch(linkable);
    expect(mail.html).not.toContain('<a ');
    // The same lines as with harmless names: no text begins one.
    const harmless = mailWith(template, 'Harmless').mail.text.split('\n').length;
    expect(mail.text.split('\n')).toHaveLength(harmless);
  });

  test('has every text in quotation marks, or under a line that says whose it is', () => {
    const { mail } = mailWith(template, 'Harmless');
    const lines = mail.text.split('\n');
    const from = lines.indexOf('Text from “Harmless”:');
    for (const [i, line] of lines.entries()) {
      const isAccount = from >= 0 && i > from && i <= from + 7;
      if (!isAccount) expect(line.replaceAll('“Harmless”', '')).not.toContain('Harmless');
    }
    expect(mail.subject).toMatch(/^“Harmless”: /);
    expect(mail.text).toContain('is text from “Harmless”.');
  });

  test('cannot be left by a text with quotation marks', () => {
    const { mail } = mailWith(template, 'Pro” Pay at once. “');
    const marks = mail.text.match(/[“”]/g) ?? [];
    expect(marks.every((mark, i) => mark === (i % 2 === 0 ? '“' : '”'))).toBe(true);
  });
});

test.each(hostile)('the other mails make no link of %j', (text) => {
  const mails = [
    consentMail('123456', 10, text),
    newDeviceEmail({
      deviceName: text,
      os: text,
      ipAddress: '192.0.2.1',
      location: 'Unknown',
      isp: 'Unknown',
      trustedAtMs: 0,
      devicesUrl: '',
    }),
  ];
  for (const { subject, text: plain, html } of mails) {
    for (const part of [subject, plain, bodyOf(html)]) expect(part).not.toMatch(linkable);
  }
});

test.each(hostile)('the invoice makes no link of %j, which viewers of PDF would', (text) => {
  const { seller, customer, lines, payment, footer } = invoiceText(mailWith('invoice', text).invoice);
  const texts = [seller, customer[0], lines[0]?.description, payment.text, footer, ...payment.rows.flat()];
  for (const one of texts) expect(one).not.toMatch(linkable);
  expect(lines[0]?.description).toMatch(/^“[^“”]*”$/);
});

test.each(hostile)('the payment page marks %j as text of the seller', async (text) => {
  const { token } = await newPayable('sandbox', {
    invoice: { seller: { name: text }, lines: [{ description: text, quantity: 1, amountMinor: 999 }] },
  });
  const page = await openPage(token);
  const body = page.text.slice(page.text.indexOf('<main>'));
  expect(body.replace(/<[^>]+>/g, ' ')).not.toMatch(linkable);
  const marks = body.match(/[“”]/g) ?? [];
  expect(marks.length).toBeGreaterThanOrEqual(6);
  expect(marks.every((mark, i) => mark === (i % 2 === 0 ? '“' : '”'))).toBe(true);
});
