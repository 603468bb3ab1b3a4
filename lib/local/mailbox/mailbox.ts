import { randomUUID } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FailureKind } from './ses-error.ts';
import { SuppressionList } from './suppression-list.ts';

/** A mail as accepted. Recipients are bare addresses, copies included; `from` includes the display name. */
export interface Mail {
  from: string;
  to: string[];
  subject: string;
  /** Empty when the mail has no such part. */
  text: string;
  html: string;
  attachments: { filename: string; contentType: string; content: Uint8Array }[];
}

/** A mail as stored. */
export interface StoredMail extends Omit<Mail, 'attachments'> {
  /** The MessageId that the sender received. */
  id: string;
  /** ISO 8601, by the local clock. */
  sentAt: string;
  attachments: StoredAttachment[];
}

export interface StoredAttachment {
  /** Counts from 1 within its mail. */
  id: number;
  filename: string;
  contentType: string;
  /** Bytes. */
  size: number;
}

/** The number of mails that are stored; older ones are deleted. */
const maxStoredMails = 1_000;

const schema = `
  CREATE TABLE IF NOT EXISTS mailbox_mail (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, mail TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS mailbox_recipient (address TEXT NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (address, seq)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS mailbox_recipient_by_seq ON mailbox_recipient (seq);
  CREATE TABLE IF NOT EXISTS mailbox_attachment (seq INTEGER NOT NULL, n INTEGER NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (seq, n)) STRICT;`;

/** Every mail of the local stack, on disk, and the failures set for the next sends. */
export class Mailbox {
  /** Domains that may send. */
  readonly verifiedDomains: readonly string[];
  /** The configuration sets that a send may name. All of them suppress bounces and complaints. */
  readonly configurationSets: readonly string[];
  readonly suppressed: SuppressionList;
  readonly #database: DatabaseSync;
  readonly #nowMs: () => number;
  readonly #statements: ReturnType<typeof prepare>;
  #failure: { error: FailureKind; times: number } | undefined;

  /**
   * @param options.database an open database, in which the mailbox creates its own tables.
   * @param options.nowMs the local clock, epoch milliseconds.
   * @param options.verifiedDomains those that may send.
   * @param options.configurationSets names; none by default.
   */
  constructor(options: {
    database: DatabaseSync;
    nowMs: () => number;
    verifiedDomains: string[];
    configurationSets?: string[];
  }) {
    this.configurationSets = options.configurationSets ?? [];
    this.verifiedDomains = options.verifiedDomains;
    this.#database = options.database;
    this.#nowMs = options.nowMs;
    this.#database.exec(schema);
    this.#statements = prepare(this.#database);
    this.suppressed = new SuppressionList(this.#database);
  }

  /**
   * Accepts a mail as SES does, and stores it for the recipients to whom it is delivered.
   *
   * @param configurationSet the set that the send names. Without one, nothing is suppressed.
   * @returns the id of the mail, also when it is delivered to nobody.
   */
  accept(mail: Mail, configurationSet: string | undefined): string {
    const to = mail.to.filter((address) => configurationSet === undefined || !this.suppressed.has(address));
    return to.length === 0 ? newMailId(this.#nowMs()) : this.store({ ...mail, to });
  }

  /** Stores a mail and returns its id. Once this returns, the mail survives a kill -9. */
  store(mail: Mail): string {
    const sentAtMs = this.#nowMs();
    const id = newMailId(sentAtMs);
    const attachments = mail.attachments.map(({ filename, contentType, content }, index) => ({
      id: index + 1,
      filename,
      contentType,
      size: content.byteLength,
    }));
    const stored: StoredMail = { ...mail, id, sentAt: new Date(sentAtMs).toISOString(), attachments };
    const recipients = new Set(mail.to.map((address) => address.toLowerCase()));
    this.#atomically(() => {
      const seq = this.#statements.addMail.run(id, JSON.stringify(stored)).lastInsertRowid;
      for (const address of recipients) this.#statements.addRecipient.run(address, seq);
      for (const [index, { content }] of mail.attachments.entries()) {
        this.#statements.addAttachment.run(seq, index + 1, content);
      }
      const lastDeleted = Number(seq) - maxStoredMails;
      for (const statement of this.#statements.deleteOld) statement.run(lastDeleted);
    });
    return id;
  }

  /**
   * The mails, newest first.
   *
   * @param filter.to only mails to this recipient, whatever the case.
   * @param filter.limit how many to return at most; all by default.
   */
  list(filter: { to?: string; limit?: number } = {}): StoredMail[] {
    const { to, limit = maxStoredMails } = filter;
    const rows =
      to === undefined
        ? this.#statements.all.all(limit)
        : this.#statements.byRecipient.all(to.trim().toLowerCase(), limit);
    return rows.map((row): StoredMail => JSON.parse(String(row.mail)));
  }

  /** One mail; undefined when it does not exist or no longer exists. */
  read(id: string): StoredMail | undefined {
    const row = this.#statements.one.get(id);
    return row && JSON.parse(String(row.mail));
  }

  /** One attachment with its bytes, by the id of the mail and of the attachment. */
  readAttachment(mailId: string, attachmentId: number): (StoredAttachment & { content: Buffer }) | undefined {
    const described = this.read(mailId)?.attachments.find(({ id }) => id === attachmentId);
    const content = this.#statements.attachment.get(mailId, attachmentId)?.content;
    if (described === undefined || !(content instanceof Uint8Array)) return undefined;
    return { ...described, content: Buffer.from(content) };
  }

  /** Makes the next `times` sends fail. Replaces what was set before; 0 clears it. */
  failNext(failure: { error: FailureKind; times: number }): void {
    this.#failure = { ...failure };
  }

  /** The failure of the current send, which is counted; undefined when none is set. */
  takeFailure(): FailureKind | undefined {
    if (this.#failure === undefined || this.#failure.times <= 0) return undefined;
    this.#failure.times -= 1;
    return this.#failure.error;
  }

  #atomically(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

/** Formatted like an id of SES: hexadecimal milliseconds, then a UUID. */
const newMailId = (nowMs: number) => `0100${nowMs.toString(16).padStart(12, '0')}-${randomUUID()}-000000`;

function prepare(database: DatabaseSync) {
  const statement = (sql: string): StatementSync => database.prepare(sql);
  return {
    addMail: statement('INSERT INTO mailbox_mail (id, mail) VALUES (?, ?)'),
    addRecipient: statement('INSERT INTO mailbox_recipient (address, seq) VALUES (?, ?)'),
    addAttachment: statement('INSERT INTO mailbox_attachment (seq, n, content) VALUES (?, ?, ?)'),
    deleteOld: [
      statement('DELETE FROM mailbox_mail WHERE seq <= ?'),
      statement('DELETE FROM mailbox_recipient WHERE seq <= ?'),
      statement('DELETE FROM mailbox_attachment WHERE seq <= ?'),
    ],
    all: statement('SELECT mail FROM mailbox_mail ORDER BY seq DESC LIMIT ?'),
    byRecipient: statement(`SELECT mail FROM mailbox_recipient JOIN mailbox_mail USING (seq)
      WHERE address = ? ORDER BY seq DESC LIMIT ?`),
    one: statement('SELECT mail FROM mailbox_mail WHERE id = ?'),
    attachment: statement(`SELECT content FROM mailbox_attachment JOIN mailbox_mail USING (seq)
      WHERE id = ? AND n = ?`),
  };
}
