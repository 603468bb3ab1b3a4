import type { Client } from '../../clients/client.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { movesCredit } from '../../ledger/entry.ts';
import { transactWrite, type Write } from '../../shared/table/table.ts';
import type { Change } from '../machine/decide.ts';
import type { Subscription } from '../record/subscription.ts';
import { addCancellationNotes } from './cancellation-notes.ts';
import { changesWrites, type MoreWrites } from './change-writes-store.ts';
import { type ClientSubscriptionsChange, clientSubscriptionsWrite } from './client-subscriptions-store.ts';
import { writeNumbered } from './number-series-store.ts';
import { releasedPayments, releasedPaymentWrites } from './released-payments-store.ts';
import { getWithClient } from './subscription-queries.ts';
import { invoicesToUpdate } from './updated-invoices-store.ts';

export type { Write };

/** A subscription and its client, read together. */
export interface SubscriptionWithClient {
  client: Client;
  subscription: Subscription;
  /** Those of its invoices that were read with it. A write reads others that it updates. */
  invoices: readonly Invoice[];
}

/**
 * Subscriptions in the table. Every write is one transaction, conditioned on the items that the decision was
 * based on.
 */
export const subscriptionStore = {
  getWithClient,

  /**
   * Writes changes and their events in one transaction. The changes are those of one application.
   *
   * @param read invoices of the subscriptions. It is conditioned on those that a change updates.
   * @param clientChange of {@link withCredits}, when a change moves credit.
   * @param more what else is written. Called once the numbers of new invoices are known.
   * @returns false after a concurrent write: nothing is written then.
   */
  async write(
    changes: readonly Change[],
    read: readonly Invoice[],
    clientChange?: ClientSubscriptionsChange,
    more: () => MoreWrites = () => ({ writes: [], events: [] }),
  ): Promise<boolean> {
    const movesCredits = changes.some(({ books }) => books.some(movesCredit));
    if (movesCredits && clientChange?.entries === undefined)
      throw new Error('The credit of a client is not written');
    const [invoices, payments] = await Promise.all([
      invoicesToUpdate(changes, read),
      releasedPayments(changes),
    ]);
    if (payments === undefined) return false;
    for (const change of changes) addCancellationNotes(change, invoices);
    const released = releasedPaymentWrites(changes, payments);
    const isWritten = await writeNumbered(changes, async (numberWrites) => {
      const { writes, events, source } = more();
      const all = [
        ...changesWrites(changes, invoices, [...events, ...released.events], source),
        ...released.writes,
        ...(clientChange === undefined ? [] : [clientSubscriptionsWrite(clientChange)]),
        ...writes,
        ...numberWrites,
      ];
      return (await transactWrite(all)) || undefined;
    });
    return isWritten === true;
  },
};
