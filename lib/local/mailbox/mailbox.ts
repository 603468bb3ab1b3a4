import { randomUUID } from 'node:crypto';
import { ServiceError } from '../aws-json.ts';
import { Records } from '../records.ts';
import type { State } from '../state.ts';

/** A mail as accepted. Recipients are bare addresses, copies included; `from` includes the display name. */
export interface Mail {
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  attachments: { filename: string; contentType: string; content: Uint8Array }[];
}

export interface StoredMail extends Omit<Mail, 'attachments'> {
  id: string;
  sentAt: string;
  attachments: StoredAttachment[];
}

export interface StoredAttachment {
  /** Counts from 1 within its mail. */
  id: number;
  filename: string;
  contentType: string;
  size: number;
}

export const suppressionReasons = ['BOUNCE', 'COMPLAINT'] as const;

type Suppressed = Readonly<Record<string, (typeof suppressionReasons)[number]>>;

/** Failures that can be set for the next sends. `timeout` gives no response at all. */
export const failureKinds = ['Throttling', 'MessageRejected', 'ServiceUnavailable', 'timeout'] as const;

type FailureKind = (typeof failureKinds)[number];

/** The SDK retries a throttled send by its code, and a 503 by its status. */
export const failures: Readonly<Record<Exclude<FailureKind, 'timeout'>, ServiceError>> = {
  Throttling: new ServiceError('Throttling', 'Maximum sending rate exceeded.'),
  MessageRejected: new ServiceError('MessageRejected', 'Told to reject this message.'),
  ServiceUnavailable: new ServiceError('ServiceUnavailable', 'Service is currently unavailable.', 503),
};

const suppressedName = 'mailbox.suppressed';

/** Every mail of the local stack, on disk, and the failures set for the next sends. */
export class Mailbox {
  readonly verifiedDomains: readonly string[];
  /** The configuration sets that a send may name. All of them suppress bounces and complaints. */
  readonly configurationSets: readonly string[];
  readonly mails: Records<StoredMail>;
  readonly #attachments: Records<string>;
  readonly #state: State;
  readonly #nowMs: () => number;
  #failure: { error: FailureKind; times: number } | undefined;

  constructor(options: {
    state: State;
    nowMs: () => number;
    verifiedDomains: string[];
    configurationSets?: string[];
  }) {
    this.configurationSets = options.configurationSets ?? [];
    this.verifiedDomains = options.verifiedDomains;
    this.#nowMs = options.nowMs;
    this.#state = options.state;
    this.mails = new Records(options.state.database, 'mail');
    this.#attachments = new Records(options.state.database, 'attachment');
  }

  /**
   * Accepts a mail as SES does, and stores it for the recipients to whom it is delivered.
   *
   * @returns the id of the mail, also when it is delivered to nobody.
   */
  accept(mail: Mail, configurationSet: string | undefined): string {
    const suppressed = configurationSet === undefined ? {} : this.suppressed;
    const to = mail.to.filter((address) => !Object.hasOwn(suppressed, canonical(address)));
    return to.length === 0 ? newMailId(this.#nowMs()) : this.store({ ...mail, to });
  }

  store(mail: Mail): string {
    const sentAtMs = this.#nowMs();
    const id = newMailId(sentAtMs);
    const attachments = mail.attachments.map(({ filename, contentType, content }, index) => {
      this.#attachments.add(Buffer.from(content).toString('base64'), [`${id}/${index + 1}`]);
      return { id: index + 1, filename, contentType, size: content.byteLength };
    });
    const sentAt = new Date(sentAtMs).toISOString();
    const recipients = mail.to.map((address) => address.toLowerCase());
    this.mails.add({ ...mail, id, sentAt, attachments }, [id, ...recipients]);
    return id;
  }

  /** The mails, newest first. @param to only mails to this recipient, whatever the case. */
  list(to = '', limit?: number): StoredMail[] {
    return this.mails.list(canonical(to), limit).map(({ record }) => record);
  }

  read(id: string): StoredMail | undefined {
    return this.mails.list(id, 1).find(({ record }) => record.id === id)?.record;
  }

  /** One attachment with its bytes, by the id of the mail and of the attachment. */
  readAttachment(mailId: string, id: number): (StoredAttachment & { content: Buffer }) | undefined {
    const described = this.read(mailId)?.attachments.find((one) => one.id === id);
    const [stored] = this.#attachments.list(`${mailId}/${id}`, 1);
    return described && stored && { ...described, content: Buffer.from(stored.record, 'base64') };
  }

  /**
   * The addresses that bounced or complained. SES accepts a mail to one of them and does not send it.
   *
   * Source: https://docs.aws.amazon.com/ses/latest/dg/sending-email-suppression-list.html
   */
  get suppressed(): Suppressed {
    return this.#state.get(suppressedName) ?? {};
  }

  suppress(address: string, reason: Suppressed[string]): void {
    this.#state.set(suppressedName, { ...this.suppressed, [canonical(address)]: reason });
  }

  /** @returns whether the address was suppressed. */
  sendAgain(address: string): boolean {
    const { [canonical(address)]: reason, ...others } = this.suppressed;
    this.#state.set(suppressedName, others);
    return reason !== undefined;
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
}

/** Formatted like an id of SES: hexadecimal milliseconds, then a UUID. */
const newMailId = (nowMs: number) => `0100${nowMs.toString(16).padStart(12, '0')}-${randomUUID()}-000000`;

const canonical = (address: string): string => address.trim().toLowerCase();
