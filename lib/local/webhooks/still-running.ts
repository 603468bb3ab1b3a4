import * as z from 'zod/mini';

/** Deliveries to a webhook that does not answer. No move of the clock waits for them. */
export interface StillRunning {
  webhookId: string;
  deliveries: number;
}

/** The task input of the state machines of deliveries, as `functions/webhooks` writes it. */
const Batch = z.object({ webhookId: z.string(), eventIds: z.array(z.string()) });

/** The webhook that an execution delivers to; undefined when it makes no deliveries. */
export const webhookOf = (input: unknown): string | undefined => Batch.safeParse(input).data?.webhookId;

/**
 * The deliveries of executions, by webhook. Two executions can have the same one: the sweep takes one that hangs for lost.
 */
export function deliveriesOf(inputs: readonly unknown[]): StillRunning[] {
  const batches = inputs.flatMap((input) => Batch.safeParse(input).data ?? []);
  return [...Map.groupBy(batches, ({ webhookId }) => webhookId)].map(([webhookId, own]) => ({
    webhookId,
    deliveries: new Set(own.flatMap(({ eventIds }) => eventIds)).size,
  }));
}
