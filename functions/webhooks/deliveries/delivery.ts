import { isId } from '../../shared/runtime/ids.ts';
import { parseEventId } from '../events/event-id.ts';
import type { SendError } from './send-errors.ts';

export interface Delivery {
  applicationId: string;
  webhookId: string;
  eventId: string;
  type: string;
  createdAtMs: number;
  status: 'pending' | 'succeeded' | 'failed';
  /** Why it has failed and is not attempted again. Present while it is `failed`. */
  reason?: FailureReason;
  /** When the next attempt is due. Present while it is `pending`. */
  nextAttemptAtMs?: number;
  made: number;
  /** The attempts that were made before the present schedule began: 0, or those before the last retry by hand. */
  madeBefore: number;
  /** How often it was retried by hand. */
  retries: number;
  /** The latest attempts, oldest first, at most {@link keptAttempts}. */
  attempts: readonly Attempt[];
  /**
   * The execution that makes the later attempts, by its name. Any other execution leaves the delivery alone. Absent until
   * the first attempt has failed.
   */
  executionName?: string;
}

/**
 * `exhausted`: every attempt of the schedule has failed. `webhook_removed`, `webhook_inactive`: the endpoint was removed,
 * or is not active. `webhook_disabled`: the service disabled the endpoint. `event_expired`: the event is no longer kept.
 */
export const failureReasons = [
  'exhausted',
  'webhook_removed',
  'webhook_inactive',
  'webhook_disabled',
  'event_expired',
] as const;
export type FailureReason = (typeof failureReasons)[number];

export interface Attempt {
  atMs: number;
  durationMs: number;
  /** The HTTP status. Absent when the endpoint did not answer. */
  status?: number;
  /** The error, other than the status. */
  error?: SendError;
  body?: string;
}

/** The attempts that a delivery keeps: two schedules of ten. */
export const keptAttempts = 20;

/** The most deliveries of one run, which are sent concurrently to one endpoint. */
export const batchSize = 25;

const ulidLength = 26;

/** The id of a delivery: the webhook and the event, so that it needs no index. */
export function deliveryId({ webhookId, eventId }: Pick<Delivery, 'webhookId' | 'eventId'>): string {
  return `dlv_${webhookId.slice('whk_'.length)}${eventId.slice('evt_'.length)}`;
}

/** The webhook and the event that an id names; undefined for a text that is no id of a delivery. */
export function parseDeliveryId(id: string): { webhookId: string; eventId: string } | undefined {
  if (!id.startsWith('dlv_')) return undefined;
  const ids = id.slice('dlv_'.length);
  const webhookId = `whk_${ids.slice(0, ulidLength)}`;
  const eventId = `evt_${ids.slice(ulidLength)}`;
  return isId('whk', webhookId) && parseEventId(eventId) ? { webhookId, eventId } : undefined;
}

/** The delivery of an event that was not attempted yet. The first attempt is due at once. */
export function newDelivery(
  ids: Pick<Delivery, 'applicationId' | 'webhookId' | 'eventId' | 'type'>,
  { createdAtMs, nowMs }: { createdAtMs: number; nowMs: number },
): Delivery {
  return {
    ...ids,
    createdAtMs,
    status: 'pending',
    nextAttemptAtMs: nowMs,
    made: 0,
    madeBefore: 0,
    retries: 0,
    attempts: [],
  };
}
