import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../shared/contract/errors.ts';
import type { Decision, Decisions } from '../statements/import/statement.ts';
import { isSubscriptionId } from '../subscriptions/commands/subscription-queries.ts';

/** A decision as the value of a choice. A division between invoices is made with the API alone, and has none. */
export function choiceOf(decision: Decision | undefined): string {
  if (decision === undefined || 'invoices' in decision || 'asMatched' in decision) return '';
  if ('skip' in decision) return 'skip';
  if ('unapplied' in decision) return 'unapplied';
  const [kind = '', id = ''] = Object.entries(decision)[0] ?? [];
  return `${kind}:${id}`;
}

/** The id that a decision names. */
export const idOf = (choice: string): string => choice.split(':', 2)[1] ?? '';

/**
 * The decisions with those of a form in place of the former ones. The form names each entry of its page: `choice-3`, and
 * `other-3` or `payment-3`, which counts where it is not empty. A person who repeats a decision of another one is not its author.
 *
 * @throws ApiError `invalid_request` for a choice that no form has.
 */
export function withForm(
  former: Decisions,
  fields: Readonly<Record<string, string | undefined>>,
  by: string,
): Decisions {
  const decisions = new Map(Object.entries(former));
  for (const [name, choice] of Object.entries(fields)) {
    const [, n] = /^choice-([1-9]\d{0,4})$/.exec(name) ?? [];
    if (n === undefined) continue;
    const kept = decisions.get(n)?.decision;
    const made = ofOther(fields[`other-${n}`]) ?? ofPayment(fields[`payment-${n}`]) ?? ofChoice(choice);
    const decision = made ?? (kept && asMatched);
    if (decision !== undefined && !isDeepStrictEqual(decision, kept)) decisions.set(n, { decision, by });
  }
  return Object.fromEntries(decisions);
}

/** A decision that is cleared stays one, so that it has an author. */
const asMatched: Decision = { asMatched: true };

function ofOther(id: string | undefined): Decision | undefined {
  if (id === undefined) return undefined;
  return isSubscriptionId(id) ? { subscriptionId: id } : { invoiceId: id };
}

const ofPayment = (paymentId: string | undefined): Decision | undefined =>
  paymentId === undefined ? undefined : { paymentId };

function ofChoice(choice: string | undefined): Decision | undefined {
  if (choice === undefined) return undefined;
  if (choice === 'skip') return { skip: true };
  if (choice === 'unapplied') return { unapplied: true };
  const id = idOf(choice);
  if (id === '') throw new ApiError('invalid_request');
  if (choice.startsWith('invoiceId:')) return { invoiceId: id };
  if (choice.startsWith('subscriptionId:')) return { subscriptionId: id };
  if (choice.startsWith('paymentId:')) return { paymentId: id };
  throw new ApiError('invalid_request');
}
