import { createHash } from 'node:crypto';
import { SESClient, SendEmailCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { canonicalEmail } from '../fields/email-address.ts';
import { secondMs } from '../runtime/clock.ts';
import * as env from '../runtime/env.ts';
import type { MailContent } from './layout.ts';

/**
 * The client of the process. One attempt: the SDK must not send a mail again whose answer was lost. A connection is not
 * kept, because a function that was frozen finds it closed by SES, and could not tell whether SES got the mail.
 */
export const ses = new SESClient({
  maxAttempts: 1,
  requestHandler: {
    connectionTimeout: 2_000,
    // Waiting for one of the default 50 sockets counts as connecting, and the local stack serves all from one process.
    httpAgent: { keepAlive: false, maxSockets: 500 },
    httpsAgent: { keepAlive: false, maxSockets: 500 },
  },
});

const defaultTimeoutMs = 10 * secondMs;

/** No answer says whether SES accepted the mail: it may arrive. Every other error of a send proves that it was not sent. */
export class MailPossiblySent extends Error {
  constructor(cause: unknown) {
    super('SES may have accepted the mail', { cause });
    this.name = 'MailPossiblySent';
  }
}

/**
 * Sends a mail with SES, as text and HTML, in one request. It names a configuration set under which SES accepts a mail to
 * an address that bounced or complained, and does not send it.
 * https://docs.aws.amazon.com/ses/latest/dg/sending-email-suppression-list.html
 *
 * @param timeoutMs for the whole call, the body of the answer included.
 * @throws MailPossiblySent when SES may have accepted the mail.
 * @throws the error of SES or the SDK when the mail was not accepted.
 */
export async function sendMail(to: string, mail: MailContent, timeoutMs = defaultTimeoutMs): Promise<void> {
  const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
  const command = new SendEmailCommand({
    Source: env.mailSender(),
    Destination: { ToAddresses: [to] },
    Message: { Subject: utf8(mail.subject), Body: { Text: utf8(mail.text), Html: utf8(mail.html) } },
    ConfigurationSetName: env.mailConfigurationSet(),
  });
  await sendOnce((options) => ses.send(command, options), timeoutMs);
}

/** @throws as {@link sendMail} */
async function sendOnce(
  send: (options: { abortSignal: AbortSignal }) => Promise<unknown>,
  timeoutMs: number,
): Promise<void> {
  const abortSignal = AbortSignal.timeout(timeoutMs);
  try {
    // The SDK stops watching the signal once the head of the answer has arrived.
    await Promise.race([send({ abortSignal }), aborted(abortSignal)]);
  } catch (error) {
    throw provesNothingSent(error) ? error : new MailPossiblySent(error);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

/** System calls that fail before anything is sent. */
const connectCalls = new Set(['connect', 'getaddrinfo']);

/**
 * Whether an error of a send proves that SES did not accept the mail: SES refused it with a 4xx, the connection was not
 * established, or there were no credentials to sign with. A 408 says that SES gave up waiting, and proves nothing.
 * https://docs.aws.amazon.com/ses/latest/APIReference/CommonErrors.html
 */
function provesNothingSent(error: unknown): boolean {
  const { name, code, $metadata } = Object(error);
  const status = Number($metadata?.httpStatusCode ?? 0);
  if (status >= 400 && status < 500) return status !== 408;
  if (name === 'CredentialsProviderError' || code === 'ECONNREFUSED') return true;
  // One error for each address of the host.
  const failures: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return failures.length > 0 && failures.every((failure) => connectCalls.has(Object(failure).syscall));
}

export interface Attachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

/**
 * Sends a mail with attachments with SES: text, HTML and files in one MIME message, of which SES changes only the
 * Message-ID. The same mail at the same time yields the same bytes.
 *
 * @param to in canonical form, as returned by `canonicalEmail`: any other text could contain several addresses.
 * @param options.nowMs for the `Date` header, epoch milliseconds.
 * @param options.timeoutMs for the whole call, the body of the answer included.
 * @throws MailPossiblySent when SES may have accepted the mail.
 * @throws TypeError when `to` is not canonical; the error of SES or the SDK when the mail was not accepted.
 */
export async function sendMailWithAttachments(
  to: string,
  mail: MailContent,
  attachments: readonly Attachment[],
  options: { nowMs: number; timeoutMs?: number },
): Promise<void> {
  if (canonicalEmail(to) !== to) throw new TypeError('The recipient must be one canonical address');
  const from = parseSender(env.mailSender());
  const Data = await mimeMessage({ from, to, mail, attachments, nowMs: options.nowMs });
  const command = new SendRawEmailCommand({
    Source: from.address,
    Destinations: [to],
    RawMessage: { Data },
    ConfigurationSetName: env.mailConfigurationSet(),
  });
  await sendOnce((abort) => ses.send(command, abort), options.timeoutMs ?? defaultTimeoutMs);
}

interface Sender {
  name: string;
  address: string;
}

/** Splits `Name <address>`, or an address alone. In a header the name is encoded (RFC 2047), the address is not. */
function parseSender(value: string): Sender {
  const [, name = '', address = value] = /^(.*)<([^<>]*)>$/.exec(value.trim()) ?? [];
  const quoted = /^"(.*)"$/.exec(name.trim())?.[1]?.replaceAll(/\\(.)/g, '$1');
  return { name: quoted ?? name.trim(), address: address.trim() };
}

async function mimeMessage(message: {
  from: Sender;
  to: string;
  mail: MailContent;
  attachments: readonly Attachment[];
  nowMs: number;
}): Promise<Uint8Array> {
  const { from, to, mail, attachments, nowMs } = message;
  // Loaded on first use, so that functions without attachments start without it.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const hash = createHash('sha256').update(JSON.stringify([from, to, mail, nowMs]));
  for (const { filename, content } of attachments) hash.update(filename).update(content);
  // Replaces the random Message-ID and boundary. It is as unlikely to occur in a part.
  const id = hash.digest('hex').slice(0, 32);
  const composer = new MailComposer({
    from,
    to: { name: '', address: to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: new Date(nowMs),
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    baseBoundary: id,
    newline: 'windows',
    // Suppresses automatic replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
    attachments: attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      content: Buffer.from(content),
      contentTransferEncoding: 'base64',
    })),
  });
  return composer.compile().build();
}
