import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Why an address is suppressed. */
export const suppressionReasons = ['BOUNCE', 'COMPLAINT'] as const;
type SuppressionReason = (typeof suppressionReasons)[number];

interface SuppressedAddress {
  address: string;
  reason: SuppressionReason;
}

const schema = `
  CREATE TABLE IF NOT EXISTS mailbox_suppressed (address TEXT PRIMARY KEY, reason TEXT NOT NULL) STRICT;`;

/**
 * The addresses that bounced or complained. SES accepts a mail to one of them and does not send it.
 *
 * Source: https://docs.aws.amazon.com/ses/latest/dg/sending-email-suppression-list.html
 */
export class SuppressionList {
  readonly #statements: Record<'add' | 'remove' | 'one' | 'all', StatementSync>;

  /** @param database an open database, in which the list creates its table. */
  constructor(database: DatabaseSync) {
    database.exec(schema);
    this.#statements = {
      add: database.prepare('INSERT OR REPLACE INTO mailbox_suppressed (address, reason) VALUES (?, ?)'),
      remove: database.prepare('DELETE FROM mailbox_suppressed WHERE address = ?'),
      one: database.prepare('SELECT 1 FROM mailbox_suppressed WHERE address = ?'),
      all: database.prepare('SELECT address, reason FROM mailbox_suppressed ORDER BY address'),
    };
  }

  has(address: string): boolean {
    return this.#statements.one.get(canonical(address)) !== undefined;
  }

  /** Adds an address, as SES does after a bounce or a complaint. */
  add({ address, reason }: SuppressedAddress): void {
    this.#statements.add.run(canonical(address), reason);
  }

  /** @returns whether the address was on the list. */
  remove(address: string): boolean {
    return Number(this.#statements.remove.run(canonical(address)).changes) > 0;
  }

  /** The list by address. */
  all(): SuppressedAddress[] {
    return this.#statements.all
      .all()
      .map(({ address, reason }) => ({ address: String(address), reason: reason as SuppressionReason }));
  }
}

const canonical = (address: string): string => address.trim().toLowerCase();
