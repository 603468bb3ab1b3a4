import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { bySystemDate } from '../clock.ts';
import { parseJson } from '../http/body.ts';

/** A delivery as it arrived. Header names are in lower case. */
export interface Delivery {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A delivery as stored. */
export interface CaughtDelivery {
  /** Counts all deliveries, from 1. */
  n: number;
  /** The name in the path: whose catcher it is. */
  name: string;
  /** ISO 8601, by the local clock. */
  receivedAt: string;
  /** The header `webhook-id`, which is the id of the event. */
  eventId: string;
  /** Of the event; empty and 0 when the body is no event. */
  type: string;
  sequence: number;
  /** `unknown` while the catcher has no secret of that name. */
  signature: 'verified' | 'wrong' | 'unknown';
  /** Why the signature is wrong. */
  problem?: string;
  /** The status that the catcher answers. */
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body as it was signed. */
  body: string;
}

/** How the catcher answers. By default 204 at once. */
export interface Behaviour {
  status: number;
  delayMs: number;
  headers: Readonly<Record<string, string>>;
}

/** The number of deliveries that are stored; older ones are deleted. */
const maxStoredDeliveries = 1_000;
const maxBehaviours = 1_000;

const usual: Behaviour = { status: 204, delayMs: 0, headers: {} };

const schema = `
  CREATE TABLE IF NOT EXISTS webhook_delivery (n INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
    delivery TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS webhook_delivery_by_name ON webhook_delivery (name, n);
  CREATE TABLE IF NOT EXISTS webhook_secret (name TEXT PRIMARY KEY, secret TEXT NOT NULL) STRICT;`;

const Event = z.object({ type: z.string(), sequence: z.number() });

/**
 * The receiver of webhooks of the local stack: verifies, stores and shows every delivery, and fails or is slow when it is
 * told to. Each name is a receiver of its own.
 */
export class WebhookCatcher {
  readonly #nowMs: () => number;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #behaviours = new Map<string, Behaviour & { left: number }>();

  constructor({ database, nowMs }: { database: DatabaseSync; nowMs: () => number }) {
    this.#nowMs = nowMs;
    database.exec(schema);
    this.#statements = prepare(database);
  }

  /** Sets the secret with which the deliveries of a name are verified: `whsec_` and Base64. @throws Error when it is none. */
  setSecret(name: string, secret: string): void {
    new Webhook(secret);
    this.#statements.setSecret.run(name, secret);
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
    const event = Event.safeParse(parseJson(body));
    const caught: Omit<CaughtDelivery, 'n' | 'name'> = {
      receivedAt: new Date(this.#nowMs()).toISOString(),
      eventId: headers['webhook-id'] ?? '',
      type: event.data?.type ?? '',
      sequence: event.data?.sequence ?? 0,
      ...this.#verified(name, { headers, body }),
      status: behaviour.status,
      headers,
      body,
    };
    const { lastInsertRowid } = this.#statements.insert.run(name, JSON.stringify(caught));
    this.#statements.trim.run(Number(lastInsertRowid) - maxStoredDeliveries);
    return behaviour;
  }

  /** The deliveries of a name, or of all, newest first. */
  list({ name, limit = maxStoredDeliveries }: { name?: string; limit?: number } = {}): CaughtDelivery[] {
    const rows =
      name === undefined ? this.#statements.all.all(limit) : this.#statements.ofName.all(name, limit);
    return rows.map(fromRow);
  }

  /** One delivery; undefined when there is none of that number and name. */
  read(name: string, n: number): CaughtDelivery | undefined {
    const row = this.#statements.one.get(n, name);
    return row && fromRow(row);
  }

  #nextBehaviour(name: string): Behaviour {
    const ordered = this.#behaviours.get(name);
    if (ordered === undefined) return usual;
    ordered.left -= 1;
    if (ordered.left <= 0) this.#behaviours.delete(name);
    return ordered;
  }

  #verified(name: string, { headers, body }: Delivery): Pick<CaughtDelivery, 'signature' | 'problem'> {
    const secret = this.#statements.secret.get(name)?.secret;
    if (typeof secret !== 'string') return { signature: 'unknown' };
    try {
      bySystemDate(() => new Webhook(secret).verify(body, { ...headers }));
      return { signature: 'verified' };
    } catch (error) {
      return { signature: 'wrong', problem: error instanceof Error ? error.message : String(error) };
    }
  }
}

function prepare(
  database: DatabaseSync,
): Record<'insert' | 'trim' | 'all' | 'ofName' | 'one' | 'secret' | 'setSecret', StatementSync> {
  return {
    insert: database.prepare('INSERT INTO webhook_delivery (name, delivery) VALUES (?, ?)'),
    trim: database.prepare('DELETE FROM webhook_delivery WHERE n <= ?'),
    all: database.prepare('SELECT * FROM webhook_delivery ORDER BY n DESC LIMIT ?'),
    ofName: database.prepare('SELECT * FROM webhook_delivery WHERE name = ? ORDER BY n DESC LIMIT ?'),
    one: database.prepare('SELECT * FROM webhook_delivery WHERE n = ? AND name = ?'),
    secret: database.prepare('SELECT secret FROM webhook_secret WHERE name = ?'),
    setSecret: database.prepare('INSERT OR REPLACE INTO webhook_secret (name, secret) VALUES (?, ?)'),
  };
}

function fromRow(row: Record<string, unknown>): CaughtDelivery {
  const { n, name, delivery } = row as { n: number; name: string; delivery: string };
  return { n, name, ...JSON.parse(delivery) };
}
