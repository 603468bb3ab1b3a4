import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { bySystemDate } from '../clock.ts';
import { parseJson } from '../http/body.ts';
import { Records } from '../records.ts';
import type { State } from '../state.ts';

interface Delivery {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface CaughtDelivery extends Delivery {
  /** Counts all deliveries, from 1. */
  n: number;
  /** The name in the path: whose catcher it is. */
  name: string;
  /** ISO 8601, by the local clock. */
  receivedAt: string;
  eventId: string;
  /** Of the event; empty and 0 when the body is no event. */
  type: string;
  sequence: number;
  /** `unknown` while the catcher has no secret of that name. */
  signature: 'verified' | 'wrong' | 'unknown';
  problem?: string;
  status: number;
}

/** How the catcher answers. By default 204 at once. */
export interface Behaviour {
  status: number;
  delayMs: number;
  headers: Readonly<Record<string, string>>;
}

const maxBehaviours = 1_000;
const secretName = (receiver: string) => `webhook.secret.${receiver}`;

const usual: Behaviour = { status: 204, delayMs: 0, headers: {} };

const Event = z.object({ type: z.string(), sequence: z.number() });

/**
 * The receiver of webhooks of the local stack: verifies, stores and shows every delivery, and fails or is slow when it is
 * told to. Each name is a receiver of its own.
 */
export class WebhookCatcher {
  readonly deliveries: Records<Omit<CaughtDelivery, 'n'>>;
  readonly #nowMs: () => number;
  readonly #state: State;
  readonly #behaviours = new Map<string, Behaviour & { left: number }>();

  constructor(state: State, nowMs: () => number) {
    this.#state = state;
    this.#nowMs = nowMs;
    this.deliveries = new Records(state.database, 'delivery');
  }

  /** Sets the secret with which the deliveries of a name are verified: `whsec_` and Base64. @throws Error when it is none. */
  setSecret(name: string, secret: string): void {
    new Webhook(secret);
    this.#state.set(secretName(name), secret);
  }

  /** Answers the next `times` deliveries of a name so; all that follow when it is undefined. */
  behave(name: string, behaviour: Behaviour, times = Number.POSITIVE_INFINITY): void {
    this.#behaviours.delete(name);
    const [oldest] = this.#behaviours.keys();
    if (oldest !== undefined && this.#behaviours.size >= maxBehaviours) this.#behaviours.delete(oldest);
    if (times > 0) this.#behaviours.set(name, { ...behaviour, left: times });
  }

  /** Stores a delivery. @returns how to answer it. */
  take(name: string, { headers, body }: Delivery): Behaviour {
    const behaviour = this.#nextBehaviour(name);
    const { type = '', sequence = 0 } = Event.safeParse(parseJson(body)).data ?? {};
    const caught = {
      name,
      receivedAt: new Date(this.#nowMs()).toISOString(),
      eventId: headers['webhook-id'] ?? '',
      type,
      sequence,
      ...this.#verified(name, { headers, body }),
      status: behaviour.status,
      headers,
      body,
    };
    this.deliveries.add(caught, [name]);
    return behaviour;
  }

  list(name = '', limit?: number): CaughtDelivery[] {
    return this.deliveries.list(name, limit).map(({ n, record }) => ({ n, ...record }));
  }

  #nextBehaviour(name: string): Behaviour {
    const ordered = this.#behaviours.get(name);
    if (ordered === undefined) return usual;
    ordered.left -= 1;
    if (ordered.left <= 0) this.#behaviours.delete(name);
    return ordered;
  }

  #verified(name: string, { headers, body }: Delivery): Pick<CaughtDelivery, 'signature' | 'problem'> {
    const secret = this.#state.get(secretName(name));
    if (typeof secret !== 'string') return { signature: 'unknown' };
    try {
      bySystemDate(() => new Webhook(secret).verify(body, { ...headers }));
      return { signature: 'verified' };
    } catch (error) {
      return { signature: 'wrong', problem: error instanceof Error ? error.message : String(error) };
    }
  }
}

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
