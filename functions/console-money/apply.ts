import { filled } from '../console/pages/path.ts';
import { type Answer, redirectTo, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import type { Payment } from '../ledger/payment.ts';
import { applyUnapplied } from '../payments/settle/unapplied.ts';
import { actionWrite } from '../shared/audit/write.ts';
import type { Input } from '../shared/contract/route.ts';
import { formatAmount } from '../shared/money/format.ts';
import { route } from './contracts/apply.ts';

/** Applies an unapplied payment to an invoice, together with the record of the action. */
export async function applyWaiting({ params, body }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const { applicationId } = params;
  const { payment: id, candidate = '', invoiceId = candidate, reason } = body;
  const audit = [actionWrite(visit.operator, { action: 'payment.applied', id, applicationId, reason })];
  const move = { applicationId, paymentId: id, by: 'application', audit } as const;
  const applied = await applyUnapplied(move, { invoiceId });
  return redirectTo(filled(route.path, params), `The payment ${id} was applied: ${usesOf(applied.payment)}.`);
}

/** An invoice that was paid or closed meanwhile leaves the money as credit, so that the notice says where it is. */
function usesOf({ allocations, creditedMinor, currency }: Payment): string {
  const invoices = allocations.map((one) => `${formatAmount(one.amountMinor, currency)} to ${one.number}`);
  const credit = `${formatAmount(creditedMinor, currency)} to the credit of the client`;
  return [...invoices, ...(creditedMinor > 0 ? [credit] : [])].join(', ');
}

export const handler = consoleEndpoint(route, 'finance', applyWaiting);
