/** The reports of a gateway on payments: each as its webhook records it. */
import { recordClaim } from '../../../functions/payments/settle/claims.ts';
import {
  recordFailure,
  recordPayment,
  recordProcessing,
} from '../../../functions/payments/settle/gateway-reports.ts';

interface Report {
  applicationId: string;
  paymentId: string;
  eventId: string;
  atMs: number;
}

export const settlement = {
  recordPayment,
  recordProcessing,
  recordFailure,
  /** A dispute of a payment, of all of it by default. */
  recordReversal: ({ cause, amountMinor, ...report }: Report & { cause: string; amountMinor?: number }) =>
    recordClaim(claimOf(report, { claim: 'dispute', id: cause, amountMinor, atMs: report.atMs })),
  recordReinstatement: ({ cause, ...report }: Report & { cause: string }) =>
    recordClaim(claimOf(report, { claim: 'dispute_won', id: cause, atMs: report.atMs })),
  /** `refundedMinor` is what was refunded in all; the whole payment when it is undefined. */
  recordRefund: ({ refundedMinor, ...report }: Report & { refundedMinor: number | undefined }) =>
    recordClaim(claimOf(report, { claim: 'refund', totalMinor: refundedMinor, atMs: report.atMs })),
};

type ClaimEvent = Parameters<typeof recordClaim>[0];

const claimOf = (
  { applicationId, paymentId, eventId }: Omit<Report, 'atMs'>,
  claim: ClaimEvent['claim'],
): ClaimEvent => ({ applicationId, paymentId, eventId, claim });
