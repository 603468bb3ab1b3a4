import type { PostalAddress } from '../../shared/fields/postal-address.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { NewId } from '../../shared/runtime/ids.ts';
import type { Actor } from '../record/timeline-entry.ts';
import type { Event, EventName } from './event.ts';

export interface CommonContext {
  readonly by: Actor;
  /** The time at which the event is processed. */
  readonly nowMs: number;
  /** When the event takes effect: a step that runs late counts from when it was due. */
  readonly atMs: number;
  /** The recipient of mails, and the customer on invoices. */
  readonly client: {
    readonly email: string;
    readonly name?: string | undefined;
    readonly address?: PostalAddress | undefined;
    readonly vatId?: string | undefined;
    /** The credit by currency, in minor units. An invoice that is issued uses it. */
    readonly credit?: Readonly<Record<string, number>> | undefined;
  };
  /** `held`: another event follows at once, and the mails of both are one. */
  readonly mails: 'sent' | 'held';
  readonly newInvoiceId: () => string;
  readonly newCreditNoteId: () => string;
}

/** Input to a transition, in addition to the subscription: the event with what it is about, and its context. */
export type TransitionContext<E extends EventName = EventName> = CommonContext & Event<E>;

export interface TransitionDeps {
  clock: Clock;
  newId: NewId;
}

/** Who causes an event for whom. It takes effect now, and its mails are sent, unless stated otherwise. */
export type Circumstances = Pick<CommonContext, 'by' | 'client'> &
  Partial<Pick<CommonContext, 'atMs' | 'mails'>>;

/** Builds the context of one event. The clock is read once, so that everything an event does has the same time. */
export function transitionContext<E extends EventName>(
  event: Event<E>,
  circumstances: Circumstances,
  { clock, newId }: TransitionDeps,
): TransitionContext<E> {
  const nowMs = clock.nowMs();
  return {
    ...event,
    atMs: nowMs,
    mails: 'sent',
    ...circumstances,
    nowMs,
    newInvoiceId: () => newId('inv', nowMs),
    newCreditNoteId: () => newId('crn', nowMs),
  };
}
