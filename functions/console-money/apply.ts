import { filled } from '../console/pages/path.ts';
import { type Answer, done, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { applyUnapplied } from '../payments/settle/unapplied.ts';
import { actWrite } from '../shared/accounts/audit.ts';
import type { Input } from '../shared/contract/route.ts';
import { route } from './contracts/apply.ts';

/** Applies a payment that waits to an invoice, together with the record of the act. */
export async function applyWaiting({ params, body }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const { applicationId } = params;
  const { payment: id = '', candidate = '', invoiceId = '', reason } = body;
  const audit = [actWrite(visit.operator, { act: 'payment.applied', id, applicationId, reason })];
  const move = { applicationId, paymentId: id, by: 'application', audit } as const;
  await applyUnapplied(move, { invoiceId: invoiceId.trim() || candidate });
  return done(filled(route.path, params), `The payment ${id} was applied.`);
}

export const handler = consoleEndpoint(route, 'finance', applyWaiting);
