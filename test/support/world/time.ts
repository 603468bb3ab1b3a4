import * as pdf from '../../../functions/invoices/document/pdf.ts';
import { handler as deliverOutbox } from '../../../functions/notices/deliver.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import { queryItems } from '../../../functions/shared/table/query.ts';
import type { Subscription } from '../../../functions/subscriptions/record/subscription.ts';
import { handler as runStep } from '../../../functions/subscriptions/run-step.ts';
import { timerInput } from '../../../functions/subscriptions/timers/schedule.ts';
import type { TimerInput } from '../../../functions/subscriptions/timers/timer-input.ts';
import { streamEvent } from '../table/stream.ts';

/** Noon of an arbitrary day; its month has 31 days, the next one 30. */
export const noonMs = Date.parse('2027-03-10T12:00:00.000Z');

/** Stops the clock of each test of the file at `startMs` until the test moves it. */
export function onTestClock(startMs = noonMs): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export const daysLater = (days: number): void => {
  vi.setSystemTime(Date.now() + days * dayMs);
};

/** The input with which the current execution of the subscription's timer invokes the task. */
export function inputFor(subscription: Subscription, more: Partial<TimerInput> = {}): TimerInput {
  const input = timerInput(subscription);
  if (input === undefined) throw new Error('The subscription has no timer');
  return { ...input, ...more };
}

/**
 * Takes the step as the current execution of the subscription's timer does when its wait is over, and delivers the outbox
 * as the stream does then.
 */
export async function step(subscription: Subscription, more: Partial<TimerInput> = {}): Promise<void> {
  await runStep(inputFor(subscription, more));
  await deliverOutboxOf(subscription);
}

/**
 * Hands what waits in the outbox over, as the stream of the table does.
 *
 * @throws Error when the stream has to hand an entry over again.
 */
export async function deliverOutboxOf({
  subscriptionId,
}: Pick<Subscription, 'subscriptionId'>): Promise<void> {
  const { pk, sk } = keys.outbox(subscriptionId, '');
  const entries = await queryItems(pk, sk, Number.POSITIVE_INFINITY);
  const waiting = entries.filter(({ doneAtMs, droppedAtMs }) => (doneAtMs ?? droppedAtMs) === undefined);
  if (waiting.length === 0) return;
  const { batchItemFailures } = await deliverOutbox(streamEvent(waiting));
  if (batchItemFailures.length > 0) throw new Error('The stream hands an entry over again');
}

/**
 * Leaves out the rendering of PDFs in each test of the file: it takes longer than all else of a mail. For files that
 * look at no PDF; the names of attachments stay. test/system/functions/invoices/document/pdf.test.ts reads the PDFs of
 * invoices, and test/handlers/functions/invoices/credit-notes.test.ts that of a credit note.
 */
export function leaveOutPdfs(): void {
  const rendering = ['invoicePdf', 'creditNotePdf'] as const;
  let left: { mockRestore(): void }[] = [];
  beforeEach(() => {
    left = rendering.map((name) => vi.spyOn(pdf, name).mockResolvedValue(new Uint8Array(1)));
  });
  afterEach(() => {
    for (const spy of left) spy.mockRestore();
  });
}
