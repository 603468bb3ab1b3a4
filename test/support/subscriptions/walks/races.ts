/** Commands that race each other on one subscription. */
import { randomUUID } from 'node:crypto';
import { ApiError } from '../../../../functions/shared/contract/errors.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { settlement } from '../../../../functions/subscriptions/settlement/settlement.ts';
import { call } from '../../call.ts';
import { goodPayment, recordPayment } from '../../samples/finance.ts';
import type { Tenant } from '../../tenants.ts';
import { reportOf } from '../payments.ts';
import { act, asSeller, good, newClient, newPlan, newSeller, subscribe } from '../requests.ts';
import { daysLater, noonMs, step } from '../steps.ts';
import { expectSound, stateOf } from '../stored-state.ts';
import { faultsOf, readBooks } from './books.ts';
import { isBuilt } from './commands.ts';
import { inOwnTable } from './world.ts';

/** A subscription in its first month, whose renewal is open, and a payment that waits. */
interface Scene {
  seller: Tenant;
  externalId: string;
  id: string;
  referenceNumber: string;
  invoiceId: string;
  /** A payment that fits nothing. */
  waitingId: string;
  /** The gateway's id of the payment of the first month. */
  gatewayPaymentId: string;
  otherPlanId: string;
}

/** The status of an answer; of a report of the gateway, 200, or the status of its error. */
type Sent = Promise<number>;

const command =
  (name: 'activate' | 'cancel' | 'pause' | 'resume', body?: object) =>
  async ({ seller, id }: Scene): Sent =>
    (await act(seller, name, id, body)).status;

const about =
  (route: string, what: 'id' | 'waitingId', body: (scene: Scene) => object) =>
  async (scene: Scene): Sent =>
    (await call(route, { headers: asSeller(scene.seller), params: { id: scene[what] }, body: body(scene) }))
      .status;

/** Each command, as it is sent many times. */
const racers: Readonly<Record<string, (scene: Scene, i: number) => Sent>> = {
  activate: command('activate'),
  payment: async ({ seller, referenceNumber }) =>
    (await recordPayment(seller, goodPayment({ reference: referenceNumber, paymentId: 'the-one' }))).status,
  'partial payment': async ({ seller, invoiceId }, i) =>
    (
      await recordPayment(seller, {
        invoiceId,
        amount: 1.5,
        currency: 'EUR',
        paymentId: `part-${i}`,
      })
    ).status,
  cancel: command('cancel'),
  'cancel at period end': command('cancel', { atPeriodEnd: true }),
  pause: command('pause'),
  resume: command('resume'),
  change: about('subscriptions.change', 'id', ({ otherPlanId }) => ({ planId: otherPlanId })),
  patch: about('subscriptions.update', 'id', () => ({
    endDate: new Date(noonMs + 60 * dayMs).toISOString(),
    reason: 'For the trouble.',
  })),
  apply: about('finance.payment-apply', 'waitingId', ({ id }) => ({ subscriptionId: id })),
  return: about('finance.payment-return', 'waitingId', () => ({})),
  'refund report': async ({ seller: { applicationId }, gatewayPaymentId }) =>
    reported(() =>
      settlement.recordReversal({
        applicationId,
        paymentId: gatewayPaymentId,
        eventId: `evt_${randomUUID()}`,
        cause: 'refund',
        atMs: Date.now(),
      }),
    ),
};

/** A gateway delivers a report again that met too many other writes. */
async function reported(report: () => Promise<unknown>): Sent {
  try {
    await report();
    return 200;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

/** Every pair of commands, each with itself included. */
const names = Object.keys(racers).filter((name) => !['change', 'patch'].includes(name) || isBuilt(name));
export const pairs: readonly (readonly [string, string])[] = names.flatMap((a, i) =>
  names.slice(i).map((b) => [a, b] as const),
);

const count = 10;

/**
 * Sends ten of each of two commands at the same time.
 *
 * @returns how often each status was answered.
 * @throws Error that says what is wrong with the books afterwards.
 */
export function race(a: string, b: string): Promise<Record<string, number>> {
  return inOwnTable(async () => {
    const scene = await newScene();
    const sending = Array.from({ length: count }, (_, i) =>
      [a, b].map(async (name) => `${name} ${await racers[name]?.(scene, i)}`),
    );
    const answers: Record<string, number> = {};
    for (const answer of await Promise.all(sending.flat())) answers[answer] = (answers[answer] ?? 0) + 1;
    await expectSound(scene.seller, scene.externalId);
    const faults = faultsOf(await readBooks());
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return answers;
  });
}

async function newScene(): Promise<Scene> {
  const seller = await newSeller('sandbox');
  const externalId = await newClient(seller);
  const [planId, otherPlanId] = await Promise.all([newPlan(seller), newPlan(seller, { price: 19.99 })]);
  const { subscription } = good(await subscribe(seller, { body: { externalId, planId } }));
  const { _id: id, referenceNumber } = subscription;
  const report = await reportOf(seller, externalId);
  await settlement.recordPayment(report);
  // The renewal invoice is issued seven days before the end of the month.
  daysLater(25);
  await step(await stateOf(seller, externalId));
  const { payment } = good(await recordPayment(seller, goodPayment()));
  const { openInvoices } = await stateOf(seller, externalId);
  return {
    seller,
    externalId,
    id,
    referenceNumber,
    otherPlanId,
    invoiceId: openInvoices[0]?.invoiceId ?? '',
    waitingId: payment._id,
    gatewayPaymentId: report.paymentId,
  };
}
