import { paymentIdOf } from '../ledger/payment-id.ts';
import { OnePayment } from '../ledger/payment-schema.ts';
import { toPaymentResponse } from '../ledger/present-payment.ts';
import { actionWrites } from '../shared/audit/write.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Input, type Output, Reply } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { idempotentRequest, writeIdempotently } from '../shared/table/idempotency.ts';
import { createRoute } from './contracts/payments.ts';
import { incomingPayment } from './reported.ts';
import { receivePayment } from './settle/receive.ts';

/**
 * Records a payment that was made outside a gateway, and applies it.
 *
 * The id at its source decides whether a payment is new. An `Idempotency-Key` is bound to such an id first: a request that
 * is repeated after it died half way goes on with the same payment.
 */
export async function createPayment({
  body,
  headers,
  caller,
  rateLimitPassed,
}: Input<typeof createRoute>): Promise<Output<typeof createRoute> | Reply> {
  const nowMs = clock.nowMs();
  const sourceId = body.paymentId ?? randomToken();
  if (body.paymentId === undefined && headers['idempotency-key'] === undefined)
    throw new ApiError('invalid_request', {
      details: { paymentId: 'is required without an Idempotency-Key' },
    });
  const incoming = incomingPayment(body, caller, { sourceId, nowMs });
  await rateLimitPassed;
  const request = idempotentRequest(caller.applicationId, headers, createRoute, body);
  const { valueAtMs } = incoming;
  const bound = request && (await writeIdempotently(request, [], { sourceId, valueAtMs }, nowMs));
  const id = paymentIdOf(caller.applicationId, incoming.source, bound?.sourceId ?? sourceId);
  const audit = actionWrites(caller, { action: 'payment.recorded', id });
  const { kind, payment } = await receivePayment({ ...incoming, ...bound }, audit);
  const response = { payment: toPaymentResponse(payment) };
  if (kind === 'changed') return response;
  return new Reply(200, { body: JSON.stringify(OnePayment.parse(response)) });
}

export const handler = endpoint(createRoute, createPayment, sellerCaller);
