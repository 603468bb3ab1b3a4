/** Rules that the mails of a subscription have to keep, read as a subscriber reads them. */
import { dueMinor } from '../../../functions/invoices/due.ts';
import { dayMs, hourMs } from '../../../functions/shared/runtime/clock.ts';
import type { ReadMail } from '../mail/mailbox.ts';
import type { StoredSubscription } from '../subscriptions/stored-state.ts';

/** A mail, with the subscription that it is about, as both were when the mail arrived. */
export interface JudgedMail {
  mail: Pick<ReadMail, 'subject' | 'text'> & Partial<Pick<ReadMail, 'attachments'>>;
  atMs: number;
  /** Whether it may have arrived together with mails of other moments: after requests at the same time, or delivered late. */
  isTogether?: boolean;
  found: Pick<StoredSubscription, 'subscription' | 'invoices'>;
  /** The changes since the mails before it. Mails that were read together share it. */
  since?: SinceBefore;
}

export interface SinceBefore {
  /** The amount that became credit of the client, in minor units. */
  gained?: { currency: string; minor: number };
  /** The credit of the client now, by currency, and the part that was taken without a new invoice that used it. */
  balance?: Readonly<Record<string, number>>;
  taken?: { currency: string; minor: number };
  /** The numbers of the credit notes that were issued. */
  creditNotes: readonly string[];
  /** The new invoices that credit paid, with the amount of it in minor units. */
  paidFromCredit?: readonly { number: string; currency: string; minor: number }[];
}

const date = '\\d{1,2} [A-Z][a-z]+ \\d{4}';
const asksForPayment = /\bplease pay\b|\bpay [A-Z]{3} [\d,.]+/i;
const saysEnded = /: (?:your subscription has ended|your subscription is cancelled|your trial has ended)/;

/** The dates that follow some words, as the start of their day. */
function datesAfter(words: string, text: string): number[] {
  const found = text.matchAll(new RegExp(`\\b(?:${words}) (?:on )?(${date})`, 'g'));
  return [...found].map(([, day = '']) => Date.parse(`${day} UTC`));
}

/** `EUR 1,299.00` as minor units of a currency with two decimals. */
const minorOf = (amount: string) => Number(amount.replaceAll(/[,.]/g, ''));

type JudgedInvoice = JudgedMail['found']['invoices'][number];

/** Whether an invoice is open, or was when the mail was sent: of requests at the same time, a later one can have closed it. */
const isOpenFor =
  ({ atMs, isTogether }: JudgedMail) =>
  ({ status, paidAtMs = 0, closedAtMs = paidAtMs }: JudgedInvoice) =>
    status === 'open' || (isTogether === true && closedAtMs >= atMs - hourMs);

const isOver = ({ found }: JudgedMail) => ['cancelled', 'expired'].includes(found.subscription.status);

/** Of requests at the same time, one ended the subscription, and another one revived it before the mails of both were read. */
const isRevivedMeanwhile = ({ atMs, isTogether, found: { subscription, invoices } }: JudgedMail) =>
  isTogether === true &&
  subscription.status === 'active' &&
  invoices.some(({ paidAtMs = 0 }) => paidAtMs >= atMs - hourMs);

const amountOf = (currency: string, minor: number) =>
  `${currency} ${(minor / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;

/** Until when a late payment brings an expired subscription back, as the API promises it: 14 days after the end by default. */
function revivesUntil({ atMs, found: { subscription, invoices } }: JudgedMail): number | undefined {
  const { status, endReason = '', endedAtMs = 0, policy, termEndMs = 0 } = subscription;
  if (status !== 'expired' || !['unpaid', 'trial_over'].includes(endReason)) return undefined;
  const untilMs = endedAtMs + (policy.payments?.reviveDays ?? 14) * dayMs;
  // A dispute that was won since has paid its invoice.
  const closed = invoices.filter((one) => one.closedAtMs === endedAtMs && one.status !== 'paid');
  const isOfTermToCome = closed.some(({ reversed, isGranted }) => !reversed && !isGranted);
  const lastMs = isOfTermToCome ? untilMs : Math.min(untilMs, termEndMs);
  // A mail about an end that is long past, after late timers, has nothing to promise.
  return lastMs > Math.max(endedAtMs, atMs) ? lastMs : undefined;
}

const rules: Readonly<Record<string, (one: JudgedMail, text: string) => boolean>> = {
  'asks for a payment while no invoice is open': (one, text) =>
    asksForPayment.test(text) && !one.found.invoices.some(isOpenFor(one)),
  'has an invoice attached that nobody has to pay': ({ mail, found, isTogether }) =>
    isTogether !== true &&
    found.invoices.some(
      ({ number, status }) =>
        status !== 'open' &&
        status !== 'paid' &&
        mail.attachments?.some(({ filename }) => filename === `${number}.pdf`),
    ),
  'does not name the old and the new price of a plan': ({ mail }, text) =>
    /: your plan (?:has changed|changes)/.test(mail.subject) &&
    !/ from “[^”]*” \([A-Z]{3} [\d,.]+ for [a-z ]+\) to “[^”]*” \([A-Z]{3} [\d,.]+ for [a-z ]+\)/.test(text),
  'asks for a payment by a date that has passed': ({ atMs }, text) =>
    asksForPayment.test(text) && datesAfter('by', text).some((dayAt) => dayAt + dayMs <= atMs),
  'asks for an amount that is not owed': ({ found, isTogether }, text) => {
    if (isTogether === true) return false;
    const open = found.invoices.filter(({ status }) => status === 'open').map(dueMinor);
    const owed = [...open, open.reduce((sum, one) => sum + one, 0)];
    const asked = [...text.matchAll(/\b(?:please pay|pay) [A-Z]{3} ([\d,.]*\d)/gi)].map(([, amount = '']) =>
      minorOf(amount),
    );
    return asked.some((amount) => !owed.includes(amount));
  },
  'says that there is nothing to do while an invoice is open': ({ found }, text) =>
    /nothing (?:more )?to do|no action is needed/i.test(text) &&
    found.invoices.some(({ status }) => status === 'open'),
  'asks for nothing at all': (_, text) => /\bpay [A-Z]{3} 0(?:\.0+)?(?!\.?\d)/i.test(text),
  'announces for the future what has passed': ({ atMs }, text) =>
    datesAfter('(?:trial|term|subscription|it)[^.:]{0,60} ends', text).some((dayAt) => dayAt + dayMs <= atMs),
  'says that a subscription has ended that runs': (one) =>
    saysEnded.test(one.mail.subject) && !isOver(one) && !isRevivedMeanwhile(one),
  'says that something has ended that never began': ({ found: { subscription }, mail }) =>
    /has ended/.test(mail.subject) &&
    subscription.termStartMs === undefined &&
    subscription.trialStartMs === undefined,
  'says paid until another date than the end of the term': ({ found: { subscription } }, text) =>
    datesAfter('paid until|pays until', text).some(
      (dayAt) => dayAt !== Math.floor((subscription.termEndMs ?? 0) / dayMs) * dayMs,
    ),
  'says paid until a date that has passed': ({ atMs }, text) =>
    datesAfter('paid until|pays until', text).some((dayAt) => dayAt + dayMs <= atMs),
  'says paid until a date of a subscription that has ended': (one, text) =>
    isOver(one) && /\b(?:paid|pays) until\b/.test(text),
  'does not say until when a late payment brings the subscription back': (one, text) => {
    const untilMs = revivesUntil(one);
    if (untilMs === undefined || !saysEnded.test(one.mail.subject)) return false;
    return !datesAfter('arrives(?: in full)? by', text).includes(Math.floor(untilMs / dayMs) * dayMs);
  },
  'says that a late payment brings back what it does not': (one, text) =>
    revivesUntil(one) === undefined &&
    !isRevivedMeanwhile(one) &&
    /makes your subscription active again/.test(text),
  'names a price without its tax': ({ found: { invoices } }, text) => {
    // An amount that arrived or went back can be any.
    const sentences = text
      .split(/[.:] /)
      .filter((sentence) => !/ arrived| received|credit|refund/.test(sentence));
    return invoices.some(({ pricesInclude, plan, totalMinor, currency, ...invoice }) => {
      const bareMinor = plan.priceMinor * (plan.quantity ?? 1);
      const {
        paidMinor = 0,
        refundedMinor = 0,
        fromCreditMinor = 0,
        creditNotedMinor,
      } = invoice.settled ?? {};
      const receivedMinor = paidMinor - refundedMinor + fromCreditMinor;
      // A part that came from credit, or was paid, can be as high as the bare price by chance.
      const parts = [paidMinor, fromCreditMinor, receivedMinor, creditNotedMinor];
      const isKnown = [totalMinor, totalMinor - receivedMinor, ...parts].includes(bareMinor);
      const isNamed = sentences.some((sentence) => sentence.includes(amountOf(currency, bareMinor)));
      return pricesInclude === 'exclusive' && !isKnown && isNamed;
    });
  },
  'names a date before 2000 or a value that is none': (_, text) =>
    /NaN|Invalid Date|undefined|\b19\d\d\b/.test(text),
};

/**
 * The problems of the mails of one subscription, in the order in which they arrived; empty when nothing is. The rules
 * read the texts, and share no code with the templates.
 */
export function contradictionsIn(mails: readonly JudgedMail[]): string[] {
  const own = mails.flatMap((one) => {
    const text = `${one.mail.subject}\n${one.mail.text}`.replace(/\s+/g, ' ');
    return Object.entries(rules).flatMap(([rule, isBroken]) =>
      isBroken(one, text) ? `“${one.mail.subject}” ${rule}` : [],
    );
  });
  const together = mails.flatMap((one, i) => {
    const before = mails[i - 1];
    if (before === undefined) return [];
    const isSameMoment =
      before.atMs === one.atMs && one.isTogether !== true && !areOfTwoInvoices(before, one)
        ? [`“${one.mail.subject}” is a second mail of a moment, after “${before.mail.subject}”`]
        : [];
    const isAfterTheEnd =
      saysEnded.test(before.mail.subject) &&
      asksForPayment.test(one.mail.text) &&
      ['cancelled', 'expired'].includes(one.found.subscription.status)
        ? [`“${one.mail.subject}” asks for a payment after the end`]
        : [];
    return [...isSameMoment, ...isAfterTheEnd];
  });
  return [...own, ...together, ...silencesIn(mails)];
}

/** Whether each of two mails brings an invoice of its own to pay, or a receipt of one refers to the mail of the other. */
function areOfTwoInvoices(...both: readonly [JudgedMail, JudgedMail]): boolean {
  const [first = [], second = []] = both.map(({ mail: { attachments = [] }, found: { invoices } }) =>
    invoices
      .filter(
        ({ number, status }) =>
          status === 'open' && attachments.some((one) => one.filename === `${number}.pdf`),
      )
      .map(({ number }) => number),
  );
  const refers = /its mail says how/.test(both[1].mail.text.replace(/\s+/g, ' '));
  return (
    first.length > 0 && (refers || second.length > 0) && !first.some((number) => second.includes(number))
  );
}

/** Mails about a cancellation that do not state the credit of the client, and refunds that hide what was taken of it. */
function unsaidBalances(batch: readonly JudgedMail[]): string[] {
  return batch.flatMap(
    ({
      mail: { subject, text },
      found: { subscription },
      since: { balance = {}, taken } = { creditNotes: [] },
    }) => {
      const { currency } = subscription.plan;
      const said = text.replace(/\s+/g, ' ');
      const balanceMinor = balance[currency] ?? 0;
      const isCancelled = /: your subscription (?:is cancelled|ends on)/.test(subject);
      const isRefund = /was refunded$/.test(subject) && taken?.currency === currency;
      return [
        ...(isCancelled && balanceMinor > 0 && !said.includes(amountOf(currency, balanceMinor))
          ? [`“${subject}” does not state the credit`]
          : []),
        ...(isRefund && !said.includes(`${amountOf(currency, taken.minor)} of it was taken from your credit`)
          ? [`“${subject}” hides what was taken from the credit`]
          : []),
      ];
    },
  );
}

/**
 * The sums that mails report as new credit, each in a sentence of its own: what a payment had too much, and what an end left of
 * an invoice, of one subscription or of two.
 */
function creditsToldBy(batch: readonly JudgedMail[], currency: string): number[] {
  const sentences = batch
    .flatMap(({ mail }) => mail.text.replace(/\s+/g, ' ').split(/\. (?!It is (?:kept as )?your credit)/))
    .filter((sentence) => /credit/.test(sentence));
  const amounts = [
    ...sentences
      .join(' ')
      .matchAll(new RegExp(`\\b${currency} ([\\d,]+\\.\\d\\d)( of it was taken from your credit)?`, 'g')),
  ];
  return amounts.reduce(
    (sums, [, amount = '', isTaken]) =>
      sums.flatMap((sum) => [sum, sum + (isTaken === undefined ? 1 : -1) * minorOf(amount)]),
    [0],
  );
}

/** Changes that no mail of those read together reports. */
export function silencesIn(mails: readonly JudgedMail[]): string[] {
  const batches = [...Map.groupBy(mails, ({ since }) => since)];
  return batches.flatMap(([since, batch]) => {
    if (since === undefined) return [];
    const { gained, creditNotes, paidFromCredit = [] } = since;
    const subjects = batch.map(({ mail }) => `“${mail.subject}”`).join(' and ');
    const isCreditTold = gained === undefined || creditsToldBy(batch, gained.currency).includes(gained.minor);
    const attached = batch.flatMap(({ mail }) => mail.attachments ?? []).map(({ filename }) => filename);
    const missing = creditNotes.filter((number) => !attached.includes(`${number}.pdf`));
    const said = batch.map(({ mail }) => mail.text.replace(/\s+/g, ' ')).join(' ');
    const unsaid = paidFromCredit.filter(
      ({ number, currency, minor }) =>
        !attached.includes(`${number}.pdf`) && !said.includes(amountOf(currency, minor)),
    );
    return [
      // Of several mails, a later one may have changed the credit.
      ...(batch.length === 1 ? unsaidBalances(batch) : []),
      ...(isCreditTold ? [] : [`${subjects} hides what became credit`]),
      ...missing.map((number) => `${subjects} comes without credit note ${number}`),
      ...unsaid.map(({ number }) => `${subjects} hides that credit paid invoice ${number}`),
    ];
  });
}
