import { randomUUID } from 'node:crypto';
import type { PaymentEvent } from '../../../functions/payments/settle/gateway-reports.ts';
import { settlement } from './reports.ts';

/** A dispute, as a gateway reports it. Each event has an id of its own. */
export const dispute = { cause: 'dp_1', atMs: Date.parse('2026-11-20T12:00:00.000Z') };

/** The id of a further event of a gateway. */
export const newEventId = () => `evt_${randomUUID()}`;

/** The gateway reports that a payment is disputed. */
export const lose = (report: PaymentEvent) =>
  settlement.recordReversal({ ...report, ...dispute, eventId: newEventId() });

/** The gateway reports that the dispute was won. */
export const win = (report: PaymentEvent) =>
  settlement.recordReinstatement({ ...report, ...dispute, atMs: dispute.atMs + 1, eventId: newEventId() });

/** The gateway reports what was refunded in all, in minor units: by default, the whole payment. */
export const refund = (report: PaymentEvent, refundedMinor?: number) =>
  settlement.recordRefund({ ...report, eventId: newEventId(), refundedMinor, atMs: Date.now() });
