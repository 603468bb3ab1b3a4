import { createHash } from 'node:crypto';
import { SESClient, SendEmailCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { canonicalEmail } from '../fields/email-address.ts';
import { secondMs } from '../runtime/duration.ts';
import { env } from '../runtime/env.ts';
import type { MailContent } from './layout.ts';

/** The client of the process. */
export const ses = new SESClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 500, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

const defaultTimeoutMs = 10 * secondMs;

/**
 * Sends a mail with SES, as text and HTML.
 *
 * @param timeoutMs for the whole call. After a timeout, SES may still have accepted the mail.
 * @throws the error of SES or the SDK when the mail was not accepted.
 */
export async function sendMail(to: string, mail: MailContent, timeoutMs = defaultTimeoutMs): Promise<void> {
  const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
  await ses.send(
    new SendEmailCommand({
      Source: env.mailSender(),
      Destination: { ToAddresses: [to] },
      Message: { Subject: utf8(mail.subject), Body: { Text: utf8(mail.text), Html: utf8(mail.html) } },
    }),
    { abortSignal: AbortSignal.timeout(timeoutMs) },
  );
}

/** A file attached to a mail. */
export interface Attachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

/**
 * Sends a mail with attachments with SES: text, HTML and files in one MIME message, of which SES changes only
 * the Message-ID. The same mail at the same time yields the same bytes.
 *
 * @param to in canonical form, as returned by `canonicalEmail`: any other text could contain several
 * addresses.
 * @param options.nowMs for the `Date` header, epoch milliseconds.
 * @param options.timeoutMs for the whole call. After a timeout, SES may still have accepted the mail.
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
  const abortSignal = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs);
  const Data = await mimeMessage({ from, to, mail, attachments, nowMs: options.nowMs });
  await ses.send(
    new SendRawEmailCommand({ Source: from.address, Destinations: [to], RawMessage: { Data } }),
    { abortSignal },
  );
}

interface Sender {
  name: string;
  address: string;
}

/**
 * Splits `Name <address>`, or an address alone. In a header the name is encoded (RFC 2047), the address is
 * not.
 */
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
