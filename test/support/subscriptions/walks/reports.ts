/** Reports of the gateway of a walk: payments, debits under way, disputes, reinstatements and refunds. */

import { randomUUID } from 'node:crypto';
import { dueMinor } from '../../../../functions/invoices/due.ts';
import type { PaymentEvent } from '../../../../functions/payments/settle/gateway-reports.ts';
import type { Subscription } from '../../../../functions/subscriptions/record/subscription.ts';
import type { Seeded } from '../../parallel/seeded.ts';
import { settlement } from '../../payments/reports.ts';
import type { World } from './world.ts';

/** A report of the gateway, in words for the report of a failure. */
export interface Report {
  readonly name: 'paid' | 'processing' | 'failed' | 'disputed' | 'reinstated' | 'refunded';
  readonly payment: PaymentEvent;
  /** For `refunded`: what was refunded in all, in minor units. */
  readonly refundedMinor?: number;
}

/** Draws a report: of a new payment of an open invoice, or of what becomes of an earlier one. */
export function drawReport(
  random: Seeded,
  world: World,
  { openInvoices, applicationId }: Subscription,
): Report | undefined {
  const earlier = world.reported.length > 0 && random.below(3) > 0 ? random.pick(world.reported) : undefined;
  if (earlier !== undefined) {
    const name = random.pick(['paid', 'failed', 'disputed', 'disputed', 'reinstated', 'refunded'] as const);
    if (name !== 'refunded') return { name, payment: earlier };
    const refundedMinor = random.pick([earlier.amountMinor, Math.ceil(earlier.amountMinor / 3)]);
    return { name, payment: earlier, refundedMinor };
  }
  const [open] = openInvoices;
  if (open === undefined) return undefined;
  const { invoiceId, currency } = open;
  const amountMinor = Math.max(1, dueMinor(open));
  const payment = {
    applicationId,
    invoiceId,
    paymentId: `pi_${world.reported.length + 1}`,
    eventId: '',
    amountMinor,
    currency,
  };
  world.reported.push(payment);
  // Reports overtake each other: what becomes of a payment can be reported before the payment.
  const name = random.pick(['paid', 'paid', 'paid', 'processing', 'refunded', 'disputed'] as const);
  if (name !== 'refunded') return { name, payment };
  return { name, payment, refundedMinor: random.pick([amountMinor, Math.ceil(amountMinor / 3)]) };
}

/** Delivers a report, with an event of its own. @returns what the service did with it. */
export async function deliver({ name, payment, refundedMinor }: Report): Promise<string> {
  const eventId = `evt_${randomUUID()}`;
  const { applicationId, paymentId } = payment;
  const about = { applicationId, paymentId, eventId, atMs: Date.now() };
  switch (name) {
    case 'paid':
      return settlement.recordPayment({ ...payment, eventId });
    case 'processing':
      return settlement.recordProcessing({ ...payment, eventId });
    case 'failed':
      return settlement.recordFailure({ ...payment, eventId });
    case 'disputed':
      return settlement.recordReversal({ ...about, cause: 'dp_1' });
    case 'reinstated':
      return settlement.recordReinstatement({ ...about, cause: 'dp_1' });
    case 'refunded':
      return settlement.recordRefund({ ...about, refundedMinor });
  }
}
