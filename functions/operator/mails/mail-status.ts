import * as z from 'zod/mini';
import { described } from '../../shared/fields/described.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { OutboxEntry } from '../../subscriptions/record/outbox-entry.ts';

export const mailStatuses = {
  due: z.object({
    status: z.literal('due').check(described('It is sent within minutes, or tried again.')),
  }),
  held: z.object({
    status: z.literal('held').check(described('It waits for the next day.')),
    heldUntil: z.iso.datetime().check(described('When it is tried again.')),
    heldBy: z
      .enum(['recipient', 'application'])
      .check(
        described(
          'Whose quota of the day is used up: that of mails to its recipient, or that of all mails of the application.',
        ),
      ),
  }),
  sent: z.object({ status: z.literal('sent'), sentAt: z.iso.datetime() }),
  dropped: z.object({
    status: z.literal('dropped').check(described('It was not needed any more, or a later mail replaces it.')),
    droppedAt: z.iso.datetime(),
  }),
  givenUp: z.object({
    status: z.literal('given_up').check(described('It is not tried again.')),
    givenUpAt: z.iso.datetime(),
    failure: z
      .string()
      .check(described('The name of the last error; `GivenUpByOperator` when an operator did it.')),
  }),
};
export type MailStatus = z.output<(typeof mailStatuses)[keyof typeof mailStatuses]>;

/** The status of an entry of the outbox, with its fields. A held mail is `due` from `heldUntilMs` on, also before the timer finds it. */
export function mailStatus(entry: OutboxEntry, nowMs: number): MailStatus {
  if (entry.doneAtMs !== undefined) return { status: 'sent', sentAt: isoTime(entry.doneAtMs) };
  if (entry.droppedAtMs !== undefined) return { status: 'dropped', droppedAt: isoTime(entry.droppedAtMs) };
  if (entry.givenUpAtMs !== undefined)
    return { status: 'given_up', givenUpAt: isoTime(entry.givenUpAtMs), failure: entry.failure };
  if (entry.heldUntilMs !== undefined && entry.heldUntilMs > nowMs)
    return { status: 'held', heldUntil: isoTime(entry.heldUntilMs), heldBy: entry.heldBy };
  return { status: 'due' };
}
