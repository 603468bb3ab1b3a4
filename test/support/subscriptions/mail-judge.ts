/** Rules that the mails of a subscription have to keep, read as a subscriber reads them. */
import { dayMs } from '../../../functions/shared/runtime/duration.ts';
import type { ReadMail } from '../mail/mailbox.ts';
import type { StoredSubscription } from './stored-state.ts';

/** A mail, with the subscription that it is about, as both were when the mail arrived. */
export interface JudgedMail {
  mail: Pick<ReadMail, 'subject' | 'text'>;
  atMs: number;
  /** Whether it may have arrived together with mails of other moments: after requests at the same time, or delivered late. */
  isTogether?: boolean;
  found: Pick<StoredSubscription, 'subscription' | 'invoices'>;
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

const rules: Readonly<Record<string, (one: JudgedMail, text: string) => boolean>> = {
  'asks for a payment while no invoice is open': ({ found }, text) =>
    asksForPayment.test(text) && !found.invoices.some(({ status }) => status === 'open'),
  'asks for a payment by a date that has passed': ({ atMs }, text) =>
    asksForPayment.test(text) && datesAfter('by', text).some((dayAt) => dayAt + dayMs <= atMs),
  'asks for an amount that is not owed': ({ found }, text) => {
    const open = found.invoices
      .filter(({ status }) => status === 'open')
      .map(({ totalMinor, receivedMinor = 0 }) => totalMinor - receivedMinor);
    const owed = [...open, open.reduce((sum, one) => sum + one, 0)];
    const asked = [...text.matchAll(/\b(?:please pay|pay) [A-Z]{3} ([\d,.]*\d)/gi)].map(([, amount = '']) =>
      minorOf(amount),
    );
    return asked.some((amount) => !owed.includes(amount));
  },
  'says that there is nothing to do while an invoice is open': ({ found }, text) =>
    /nothing (?:more )?to do|no action is needed/i.test(text) &&
    found.invoices.some(({ status }) => status === 'open'),
  'asks for nothing at all': (_, text) => /\bpay [A-Z]{3} 0(?:\.0+)?(?![.\d])/i.test(text),
  'announces for the future what has passed': ({ atMs }, text) =>
    datesAfter('(?:trial|term|subscription|it)[^.:]{0,60} ends', text).some((dayAt) => dayAt + dayMs <= atMs),
  'says that a subscription has ended that runs': ({ found, mail }) =>
    saysEnded.test(mail.subject) && !['cancelled', 'expired'].includes(found.subscription.status),
  'says that something has ended that never began': ({ found: { subscription }, mail }) =>
    /has ended/.test(mail.subject) &&
    subscription.termStartMs === undefined &&
    subscription.trialStartMs === undefined,
  'says paid until another date than the end of the term': ({ found: { subscription } }, text) =>
    datesAfter('paid until', text).some(
      (dayAt) => dayAt !== Math.floor((subscription.termEndMs ?? 0) / dayMs) * dayMs,
    ),
  'names a date before 2000 or a value that is none': (_, text) =>
    /NaN|Invalid Date|undefined|\b19\d\d\b/.test(text),
};

/**
 * What is wrong with the mails of one subscription, in the order in which they arrived; empty when nothing is. The rules
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
      before.atMs === one.atMs && one.isTogether !== true
        ? [`“${one.mail.subject}” is a second mail of a moment`]
        : [];
    const isAfterTheEnd =
      saysEnded.test(before.mail.subject) &&
      asksForPayment.test(one.mail.text) &&
      ['cancelled', 'expired'].includes(one.found.subscription.status)
        ? [`“${one.mail.subject}” asks for a payment after the end`]
        : [];
    return [...isSameMoment, ...isAfterTheEnd];
  });
  return [...own, ...together];
}
