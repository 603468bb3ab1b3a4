import { createHash } from 'node:crypto';
import { startExecutionOf } from '../../shared/lambda/executions.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import * as env from '../../shared/runtime/env.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { type Delivery, deliveryId } from './delivery.ts';

/** The input of both state machines, and of their one task. The task returns the input of the next attempt. */
export interface BatchInput {
  applicationId: string;
  webhookId: string;
  /** The events of the deliveries that are not finished, at most `batchSize`. */
  eventIds: readonly string[];
  /** The name of the execution in charge; absent for first attempts. */
  executionName?: string;
  /** When the next attempt is due, ISO 8601 in whole seconds; absent for first attempts. */
  dueAt?: string;
}

type Batch = Pick<BatchInput, 'applicationId' | 'webhookId' | 'eventIds'>;

/**
 * The name of the execution that takes over from the first attempts of a batch. It follows from the batch: a first attempt
 * that is run again hands over to the same execution.
 */
export function executionOf({ webhookId, eventIds }: Batch): string {
  return `${webhookId}-${createHash('sha256').update(eventIds.join()).digest('hex').slice(0, 40)}`;
}

/** The name of an execution that takes over deliveries whose execution was lost. */
export function newExecutionName(webhookId: string, nowMs: number): string {
  return `${webhookId}-${newId('evt', nowMs).slice('evt_'.length)}`;
}

export function executionOfRetry(delivery: Pick<Delivery, 'webhookId' | 'eventId'>, retries: number): string {
  return `${deliveryId(delivery)}-${retries}`;
}

/** Starts the first attempts of a batch. May start them twice: a delivery that is finished is left alone. */
export async function startFirstAttempts(batch: Batch): Promise<void> {
  await startExecutionOf(env.webhookDeliveryMachine(), undefined, batch);
}

/** Starts the execution in charge of the later attempts of a batch, once for each name. */
export async function startLaterAttempts(
  { applicationId, webhookId, eventIds }: Batch,
  { executionName, dueAtMs }: { executionName: string; dueAtMs: number },
): Promise<void> {
  const input: BatchInput = { applicationId, webhookId, eventIds, executionName, dueAt: isoTime(dueAtMs) };
  await startExecutionOf(env.webhookRetryMachine(), executionName, input);
}
