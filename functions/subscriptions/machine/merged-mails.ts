/**
 * Merged mails. A change holds its mails back while the next step is already due. The change after which no step is due sends
 * them as one: the last of them, with the news of the ones before.
 */
import { defined } from '../../shared/contract/defined.ts';
import { mailRules } from '../record/mail-rules.ts';
import type { HeldMail, Mail, OutboxEntry } from '../record/outbox-entry.ts';
import { hasEnded, type Subscription, type SubscriptionFields } from '../record/subscription.ts';
import { statedCredit } from './books.ts';
import type { Draft, DraftEntry } from './draft.ts';

/**
 * A subscription after its due steps, on which a command follows at once. The mails of the steps are in the outbox: a mail
 * of the command can still replace them.
 */
export function withWrittenMails(subscription: Subscription, outbox: readonly OutboxEntry[]): Subscription {
  const written = outbox.flatMap((entry): HeldMail[] => {
    if (entry.kind !== 'mail') return [];
    const { entryId: id, template, to, facts, invoiceN, creditNoteNs } = entry;
    return [{ id, mail: { template, to, facts, ...defined({ invoiceN, creditNoteNs }) }, isWritten: true }];
  });
  if (written.length === 0) return subscription;
  return { ...subscription, heldMails: [...written, ...subscription.heldMails] };
}

/** Merges the mails of a change with those that were held back, or holds them back. Called with the timer set. */
export function mergeMails(draft: Draft): void {
  const { next, nowMs, client, entries, creditNotes, mails } = draft;
  const own = entries.flatMap(heldMail);
  const ns = creditNotes.map(({ n }) => n);
  const latest = own.at(-1);
  if (latest !== undefined) attachCreditNotes(latest, ns);
  const { heldMails: held } = next;
  next.heldMails = [];
  const fresh = [...held.filter(({ isWritten }) => !isWritten), ...own];
  const last = fresh.at(-1);
  if (last === undefined) return;
  const written = held.filter(({ isWritten }) => isWritten);
  const replaced = written.filter((one) => isReplaced(one, fresh, next));
  const requests = written.filter((one) => !replaced.includes(one) && canReport(one, fresh));
  draft.recalled.push(...[...replaced, ...requests].map(({ id }) => id));
  const news = replaced.filter((one) => ruleOf(one).followed === 'merged');
  const ends = hasEnded(next.status) ? replaced.filter((one) => ruleOf(one).followed === 'separate') : [];
  const outdated = replaced.filter((one) => !(news.includes(one) || ends.includes(one)));
  attachCreditNotes(last, notesOf(outdated));
  // The mail about the end, or the request for a payment, reports what came after it. An entry has its own id.
  const all = [
    ...news.map(({ id, mail }) => ({ id, mail })),
    ...fresh,
    ...[...ends.map((one) => withCredit(one, draft)), ...requests].map(({ id, mail }) => ({
      id: `${id}#${next.revision}`,
      mail,
    })),
  ];
  const others = entries.filter(({ content }) => content.kind !== 'mail');
  const isHeld = mails === 'held' || (next.timer !== undefined && next.timer.dueAtMs <= nowMs);
  if (isHeld) next.heldMails = all;
  const sent = isHeld ? [] : merged(all).map(({ id, mail }) => mailEntry(id, mail, client.email));
  entries.splice(0, entries.length, ...others, ...sent);
}

const ruleOf = ({ mail: { template } }: HeldMail) => mailRules[template];

/** Whether mails of a change replace a mail of the step before. They must say, too, what is to be paid, and how. */
function isReplaced(
  one: HeldMail,
  fresh: readonly HeldMail[],
  { openInvoices, status }: SubscriptionFields,
): boolean {
  const { invoiceN, facts } = one.mail;
  const { recalled } = ruleOf(one);
  if (recalled === 'always') return true;
  if (recalled === 'after_end') return hasEnded(status);
  if (recalled === 'in_pause' && status === 'paused') return true;
  // Each asks for all that is open.
  if (facts.openMinor !== undefined && fresh.some(({ mail }) => mail.facts.openMinor !== undefined))
    return true;
  return (
    fresh.some(({ mail }) => mail.invoiceN === invoiceN) || !openInvoices.some(({ n }) => n === invoiceN)
  );
}

/** Whether a mail that asks for a payment can report the news of a change: it says what came of money, and undoes no request. */
const canReport = (one: HeldMail, fresh: readonly HeldMail[]): boolean =>
  ruleOf(one).followed === 'replaced' && fresh.every((other) => ruleOf(other).about === 'credit');

function heldMail({ id, content }: DraftEntry): HeldMail[] {
  if (content.kind !== 'mail') return [];
  const { kind: _, ...mail } = content;
  return [{ id, mail }];
}

const mailEntry = (id: string, mail: Mail, to: string): DraftEntry => ({
  id,
  content: { kind: 'mail', ...mail, to },
});

const notesOf = (mails: readonly HeldMail[]) => mails.flatMap(({ mail }) => mail.creditNoteNs ?? []);

function attachCreditNotes(held: HeldMail, ns: readonly number[]): void {
  if (ns.length > 0) held.mail = { ...held.mail, creditNoteNs: [...ns, ...(held.mail.creditNoteNs ?? [])] };
}

/** The mail about a change of plan also brings the invoice of the next term, which is issued with the change. */
function withRenewal(all: readonly HeldMail[]): readonly HeldMail[] {
  const last = all.at(-1);
  const change = all.findLast((one) => ruleOf(one).about === 'plan');
  if (last === undefined || change === undefined || change.mail.invoiceN !== undefined) return all;
  if (ruleOf(last).about !== 'next_term') return all;
  const {
    invoiceN,
    facts: { termEndMs },
  } = last.mail;
  const mail = {
    ...change.mail,
    ...defined({ invoiceN }),
    facts: { ...change.mail.facts, ...defined({ termEndMs }) },
  };
  const telling = { id: change.id, mail };
  attachCreditNotes(telling, notesOf([last]));
  return [...all.slice(0, -1).filter((one) => one !== change), telling];
}

/** A mail about an end states the credit of the client as it is after what came then. */
function withCredit({ id, mail }: HeldMail, draft: Draft): HeldMail {
  const { balanceMinor: _, ...facts } = mail.facts;
  const balanceMinor = statedCredit(draft, facts);
  return { id, mail: { ...mail, facts: { ...facts, ...defined({ balanceMinor }) } } };
}

function merged(unmerged: readonly HeldMail[]): HeldMail[] {
  const all = withRenewal(unmerged);
  const last = all.at(-1);
  if (last === undefined) return [];
  const earlier = all.slice(0, -1);
  const kept = earlier.filter((one) => ruleOf(one).followed === 'separate');
  const mergedMails = earlier.filter((one) => ruleOf(one).followed === 'merged');
  const news = mergedMails.map(({ mail: { template, facts } }) => {
    const { termEndMs, trialEndMs = 0, currency } = facts;
    const { paymentMinor, cause, isStated, creditMinor, balanceMinor } = facts;
    const money = defined({ paymentMinor, cause, isStated, creditMinor, balanceMinor });
    return { template, endsMs: termEndMs ?? trialEndMs, currency, ...money };
  });
  const invoiceN = last.mail.invoiceN ?? paidInvoiceOf(last, mergedMails);
  const facts = { ...last.mail.facts, ...defined({ news: news.length > 0 ? news : undefined }) };
  const telling = { id: last.id, mail: { ...last.mail, ...defined({ invoiceN }), facts } };
  attachCreditNotes(telling, notesOf(earlier.filter((one) => !kept.includes(one))));
  return [...kept, telling];
}

/** The paid invoice of merged mails. The mail about a change of plan has an invoice of its own, or none. */
function paidInvoiceOf(last: HeldMail, mergedMails: readonly HeldMail[]): number | undefined {
  if (ruleOf(last).about === 'plan') return undefined;
  const isOfTerm = (one: HeldMail) => ruleOf(one).about === 'first_term' || ruleOf(one).about === 'next_term';
  return mergedMails.findLast(isOfTerm)?.mail.invoiceN;
}
