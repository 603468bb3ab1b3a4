/** The rules of mails about others of their moment. */
interface MailRule {
  /**
   * Its fate when another mail follows.
   *
   * - `merged`: the later mail has its news in a sentence.
   * - `replaced`: the later mail says what holds now.
   * - `separate`: it is sent beside the later mail.
   */
  readonly followed: 'merged' | 'replaced' | 'separate';
  /**
   * When a mail of the next change takes it back, once it is written and before it is sent.
   *
   * - `with_invoice`: that mail is about its invoice, or its invoice is closed, or both say what is open.
   * - `in_pause`: so, and in a pause. Its invoice is due when the pause is over, and attached to the mail about that.
   * - `after_end`: the subscription has ended: the news of mails is money alone then.
   * - `always`: a payment can undo an end, and a payment that was placed elsewhere says what is due.
   */
  readonly recalled: 'with_invoice' | 'in_pause' | 'after_end' | 'always';
  /** `credit`: what came of money. It undoes no request. The mail about a `plan` brings the invoice of the `next_term`. */
  readonly about: 'first_term' | 'next_term' | 'credit' | 'plan' | 'other';
}

const request = { followed: 'replaced', recalled: 'with_invoice', about: 'other' } as const;
const news = { followed: 'merged', recalled: 'with_invoice', about: 'other' } as const;
const creditNews = { ...news, about: 'credit' } as const;
const planNews = { ...news, about: 'plan' } as const;
const end = { followed: 'separate', recalled: 'always', about: 'other' } as const;

/** The mails. `functions/notices/mails` has their contents. */
export const mailRules = {
  invoice: request,
  trial_reminder: request,
  payment_reminder: request,
  dunning_reminder: request,
  renewal: { ...request, recalled: 'in_pause', about: 'next_term' },
  activated: { ...news, about: 'first_term' },
  paid_from_credit: { ...news, about: 'next_term' },
  payment_reversed: news,
  payment_moved: { ...news, recalled: 'always' },
  payment_reinstated: news,
  partial_payment: news,
  debt_paid: news,
  payment_credited: creditNews,
  payment_refunded: creditNews,
  invoice_credited: creditNews,
  cancellation_scheduled: news,
  cancellation_undone: news,
  renewal_off: news,
  renewal_on: news,
  trial_extended: news,
  time_granted: news,
  paused: news,
  resumed: news,
  plan_change_scheduled: planNews,
  plan_change_undone: planNews,
  // It may carry an invoice that the later mail does not.
  plan_changed: { ...planNews, followed: 'separate', recalled: 'after_end' },
  trial_ended: end,
  expired: end,
  cancelled: end,
  billing_link: { followed: 'separate', recalled: 'after_end', about: 'other' },
} as const satisfies Readonly<Record<string, MailRule>>;

export type MailTemplate = keyof typeof mailRules;
