/** Mails of one moment: what a change does with the mails of the steps before it. */
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { appliedChange, decide } from '../../../../../functions/subscriptions/machine/decide.ts';
import { withWrittenMails } from '../../../../../functions/subscriptions/machine/merged-mails.ts';
import {
  type OutboxEntry,
  outboxRetentionMs,
} from '../../../../../functions/subscriptions/record/outbox-entry.ts';
import {
  credited,
  grantedInvoice,
  inTerm,
  onTrial,
  sampleContext,
  sampleNowMs,
  sampleOf,
  samplesIn,
} from '../../../../support/subscriptions/state-samples.ts';
import { paying, taking } from './courses/given.ts';

test('a mail stands for those of the step before, when they are written and not sent', () => {
  const subscription = sampleOf('active', inTerm);
  const overdue = samplesIn('past_due')[0] ?? subscription;
  const step = appliedChange(decide(overdue, sampleContext('dunning_reminder', { by: 'timer' })));
  if (step === undefined) throw new Error('The step is due');
  const withMails = withWrittenMails(step.next, step.outbox);
  expect(withMails.heldMails).toMatchObject([
    { isWritten: true, mail: { template: 'dunning_reminder', invoiceN: 1 } },
  ]);
  const recalledBy = (event: 'cancel' | 'partial_payment' | 'payment_unapplied') => {
    const context = sampleContext(event, paying(10, { parts: [[1, 5]], creditMinor: 5 }));
    return appliedChange(decide(withMails, context))?.recalled;
  };
  const [reminder] = step.outbox;
  expect([recalledBy('cancel'), recalledBy('partial_payment')]).toEqual([
    [reminder?.entryId],
    [reminder?.entryId],
  ]);
  expect(recalledBy('payment_unapplied')).toEqual([]);
  // It asks for nothing: the reminder tells it.
  const creditedNow = sampleContext('payment_credited', paying(5, { creditMinor: 5 }));
  expect(appliedChange(decide(withMails, creditedNow))).toMatchObject({
    recalled: [reminder?.entryId],
    outbox: [
      {
        entryId: `${reminder?.entryId}#${withMails.revision + 1}`,
        template: 'dunning_reminder',
        invoiceN: 1,
        facts: { news: [{ template: 'payment_credited' }] },
      },
    ],
  });
  const ofAnother = sampleContext('invoice_credited', {
    credited: { invoice: { ...credited.invoice, n: 9, status: 'paid' }, amountMinor: 5 },
  });
  expect(appliedChange(decide(withMails, ofAnother))).toMatchObject({
    recalled: [reminder?.entryId],
    outbox: [
      {
        template: 'dunning_reminder',
        invoiceN: 1,
        creditNoteNs: [1],
        facts: { news: [{ template: 'invoice_credited' }] },
      },
    ],
  });
  const creditedBefore = appliedChange(
    decide(withMails, sampleContext('payment_credited', { ...paying(5, { creditMinor: 5 }), mails: 'held' })),
  );
  const paid = sampleContext('partial_payment', paying(5, { parts: [[1, 5]] }));
  expect(
    appliedChange(decide(withWrittenMails(creditedBefore?.next ?? overdue, step.outbox), paid)),
  ).toMatchObject({
    recalled: [reminder?.entryId],
    outbox: [{ template: 'partial_payment' }],
  });
  expect(withWrittenMails(subscription, [])).toBe(subscription);
  const close = { ...step.outbox[0], kind: 'close_checkout', invoiceN: 1 } as OutboxEntry;
  expect(withWrittenMails(subscription, [close])).toBe(subscription);
  const heldMails = withMails.heldMails.map(({ mail }) => ({ id: 'x', mail }));
  expect(withWrittenMails({ ...step.next, heldMails }, step.outbox).heldMails).toHaveLength(2);
});

test('a mail about an end that is not sent is sent again with what came after it, but for a new beginning', () => {
  const trial = sampleOf('trialing', { ...onTrial, timer: { step: 'trial_end', dueAtMs: sampleNowMs } });
  const end = appliedChange(decide(trial, sampleContext('trial_end', { by: 'timer' })));
  const ended = withWrittenMails(end?.next ?? trial, end?.outbox ?? []);
  const after = (event: 'payment_credited' | 'payment_revived') =>
    appliedChange(
      decide(ended, sampleContext(event, { ...paying(5, { creditMinor: 5 }), isRevivable: true })),
    );
  expect(after('payment_credited')).toMatchObject({
    recalled: ['trial_ended#5'],
    outbox: [
      { entryId: 'trial_ended#5#6', facts: { news: [{ template: 'payment_credited' }], balanceMinor: 5 } },
    ],
  });
  expect(after('payment_revived')).toMatchObject({
    recalled: ['trial_ended#5'],
    outbox: [{ template: 'activated' }],
  });
});

test('a mail about an invoice that is closed is not sent, whatever else is open', () => {
  const open = { ...grantedInvoice, n: 9, dueAtMs: sampleNowMs + dayMs };
  const active = sampleOf('active', { ...inTerm, openInvoices: [open] });
  const step = appliedChange(decide(active, sampleContext('renewal_invoice', { by: 'timer' })));
  const renewing = withWrittenMails(step?.next ?? active, step?.outbox ?? []);
  expect(appliedChange(decide(renewing, sampleContext('schedule_plan_change')))?.recalled).toEqual([
    'renewal#2',
  ]);
  expect(outboxRetentionMs).toBe(90 * dayMs);
});

test('a mail that tells of a refund says what it took from the credit, and what of that had been spent', () => {
  const overdue = samplesIn('past_due')[0] ?? sampleOf('active', inTerm);
  const refund = { ...taking('refund', 5, { creditMinor: 5 }), refunded: [], mails: 'held' } as const;
  const refunded = appliedChange(decide(overdue, sampleContext('payment_refunded', refund)));
  const paid = sampleContext('partial_payment', paying(3, { parts: [[1, 3]] }));
  expect(appliedChange(decide(refunded?.next ?? overdue, paid))?.outbox).toMatchObject([
    {
      template: 'partial_payment',
      facts: { news: [{ template: 'payment_refunded', creditMinor: -5, balanceMinor: -5 }] },
    },
  ]);
});

test('a mail that stands for one of the step before tells its news, and brings its invoice', () => {
  const active = sampleOf('active', { ...inTerm, termEndMs: sampleNowMs + dayMs });
  const client = { ...sampleContext('renewal_invoice').client, credit: { EUR: 2_000 } };
  const step = appliedChange(decide(active, sampleContext('renewal_invoice', { by: 'timer', client })));
  const renewed = withWrittenMails(step?.next ?? active, step?.outbox ?? []);
  expect(appliedChange(decide(renewed, sampleContext('pause')))).toMatchObject({
    recalled: ['paid_from_credit#2'],
    outbox: [
      {
        template: 'paused',
        invoiceN: 2,
        facts: { news: [{ template: 'paid_from_credit', paymentMinor: 999 }] },
      },
    ],
  });
  // The price of a change of plan has an invoice of its own.
  const changed = appliedChange(decide(renewed, sampleContext('schedule_plan_change')));
  expect(changed?.outbox).toMatchObject([
    { template: 'plan_change_scheduled', facts: { news: [{ template: 'paid_from_credit' }] } },
  ]);
  expect(changed?.outbox[0]?.invoiceN).toBeUndefined();
});
