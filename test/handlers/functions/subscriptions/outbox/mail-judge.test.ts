/** The rules by which the tests judge mails (`test/support/subscriptions/mail-judge.ts`) find what is wrong. */
import { expect, test } from 'vitest';
import { course } from '../../../../support/subscriptions/mail-courses.ts';
import { contradictionsIn, type JudgedMail } from '../../../../support/subscriptions/mail-judge.ts';
import { noonMs, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

test('the rules find what is wrong with mails', async () => {
  const one = await course();
  const [mail] = one.reader.mails;
  if (mail === undefined) throw new Error('No mail');
  const paid = {
    ...mail.found,
    invoices: mail.found.invoices.map((i) => ({ ...i, status: 'paid' as const })),
  };
  const worse = (text: string, more: Partial<JudgedMail> = {}) =>
    contradictionsIn([{ ...mail, ...more, mail: { subject: '“A”: x', text } }]);
  expect(contradictionsIn([mail])).toEqual([]);
  expect(contradictionsIn([mail, mail])).toHaveLength(1);
  expect(worse('There is nothing to do.')).toHaveLength(1);
  expect(worse('Please pay EUR 9.99', { found: paid })).not.toEqual([]);
  expect(worse('Please pay EUR 5.00 now')).toHaveLength(1);
  expect(worse('Please pay EUR 9.99 by 1 March 2027')).toHaveLength(1);
  expect(worse('Please pay EUR 0.00.').join()).toContain('asks for nothing at all');
  expect(worse('Please pay EUR 0.69.').join()).not.toContain('asks for nothing at all');
  expect(worse('It is paid until 1 March 2027')).toHaveLength(2);
  expect(worse('A payment brings it back')).toHaveLength(1);
  const since = { gained: { currency: 'EUR', minor: 123_456 }, creditNotes: ['CRN-1'] };
  expect(worse('There is an invoice', { since })).toHaveLength(2);
  const attachments = [{ filename: 'CRN-1.pdf' }];
  const told = { subject: '“A”: x', text: 'EUR 1,234.56 is your credit', attachments };
  expect(contradictionsIn([{ ...mail, since, mail: told }])).toEqual([]);
  expect(worse('Your current term ends on 1 March 2027')).toHaveLength(1);
  const ended = { ...mail, mail: { subject: '“A”: your subscription has ended', text: '' } };
  expect(contradictionsIn([ended])).toHaveLength(2);
  const { subscription } = mail.found;
  const lapsed = { ...subscription, status: 'expired', endReason: 'unpaid', endedAtMs: noonMs } as const;
  const closed = mail.found.invoices.map((i) => ({ ...i, status: 'void' as const, closedAtMs: noonMs }));
  const found = { subscription: { ...lapsed, trialStartMs: noonMs }, invoices: closed };
  expect(contradictionsIn([{ ...ended, found }])).toHaveLength(1);
  expect(worse('It is paid until its end', { found })).toHaveLength(1);
  const exclusive = mail.found.invoices.map((i) => ({ ...i, totalMinor: 1_189, pricesInclude: 'exclusive' }));
  const net = { ...mail.found, invoices: exclusive as JudgedMail['found']['invoices'] };
  expect(worse('EUR 9.99 for one month', { found: net })).toHaveLength(1);
});
