import { clientStore } from '../clients/store.ts';
import { transfer } from '../ledger/entry.ts';
import { statedMinor } from '../ledger/stated-amount.ts';
import { actionWrites } from '../shared/audit/write.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, found, type Input, type Output, Reply } from '../shared/lambda/endpoint.ts';
import { toDecimal } from '../shared/money/money.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { subscriptionQueries } from '../subscriptions/commands/subscription-queries.ts';
import { OnePayOut, payOutRoute } from './contracts/decisions.ts';
import { type PayOut, payOutStore } from './pay-out-store.ts';
import { getCurrent, writeEvent } from './settle/event.ts';

/** Records that the seller sent credit back. It moves no money: the seller does that at their bank. */
export async function payOutCredit({
  params: { externalId },
  body: { payOutId, amount, currency, reason },
  caller,
  rateLimitPassed,
}: Input<typeof payOutRoute>): Promise<Output<typeof payOutRoute> | Reply> {
  const amountMinor = statedMinor(amount, currency);
  await rateLimitPassed;
  const { applicationId } = caller;
  const audit = actionWrites(caller, { action: 'client.credit_paid_out', id: externalId, reason });
  const wanted = { applicationId, payOutId, externalId, amountMinor, currency, reason };
  const recorded = async () => {
    const earlier = await payOutStore.get(applicationId, payOutId);
    return earlier && new Reply(200, { body: JSON.stringify(OnePayOut.parse(repeated(earlier, wanted))) });
  };
  return retryOnConflict(async () => {
    const [earlier, [latest]] = await Promise.all([
      recorded(),
      subscriptionQueries.getLatest(applicationId, externalId),
    ]);
    if (earlier !== undefined) return earlier;
    const current = latest && (await getCurrent(latest));
    const client = found(current?.client ?? (await clientStore.get(applicationId, externalId)));
    const creditMinor = client.credit?.[currency] ?? 0;
    // Credit comes from a subscription: a client without one has none.
    if (current === undefined || amountMinor > creditMinor) {
      // The same request can have taken the credit since the pay-out was looked for.
      const repeat = await recorded();
      if (repeat !== undefined) return repeat;
      const credit = toDecimal(Math.max(0, creditMinor), currency);
      throw new ApiError('conflict', { details: { amount: 'is more than the credit', credit, currency } });
    }
    const payOut: PayOut = Object.assign({}, wanted, {
      subscriptionId: current.subscription.subscriptionId,
      creditLeftMinor: creditMinor - amountMinor,
      recordedAtMs: clock.nowMs(),
    });
    const move = { from: { account: 'bank' }, to: { account: 'credit' }, amountMinor } as const;
    const booked = [transfer('pay_out', { currency }, move)];
    const event = { event: 'credit_paid_out', paidOut: { amountMinor, currency }, booked, reason } as const;
    const more = () => ({ writes: [payOutStore.write(payOut), ...audit], events: [] });
    const outcome = await writeEvent(current, event, { by: 'application' }, more);
    return outcome.kind === 'changed' ? toResponse(payOut) : undefined;
  });
}

type Wanted = Pick<PayOut, 'externalId' | 'amountMinor' | 'currency'>;

function repeated(
  earlier: PayOut,
  { externalId, amountMinor, currency }: Wanted,
): Output<typeof payOutRoute> {
  const isSame =
    earlier.externalId === externalId && earlier.amountMinor === amountMinor && earlier.currency === currency;
  if (!isSame) throw new ApiError('conflict', { details: { payOutId: 'is that of another pay-out' } });
  return toResponse(earlier);
}

function toResponse(payOut: PayOut): Output<typeof payOutRoute> {
  const { payOutId, externalId, subscriptionId, amountMinor, currency, reason } = payOut;
  return {
    payOut: {
      payOutId,
      externalId,
      subscriptionId,
      amount: toDecimal(amountMinor, currency),
      currency,
      reason,
      creditLeft: toDecimal(payOut.creditLeftMinor, currency),
      recordedAt: isoTime(payOut.recordedAtMs),
    },
  };
}

export const handler = endpoint(payOutRoute, payOutCredit, sellerCaller);
