import { createHash } from 'node:crypto';
import { SESClient, SendEmailCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { canonicalEmail } from '../fields/email-address.ts';
import { env } from '../runtime/env.ts';
import type { MailContent } from './layout.ts';

/** One for the life of the process. */
export const client = new SESClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 500, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

/**
 * Hands a mail to SES, text and HTML.
 *
 * @param withinMs gives up after that time; SES may have taken the mail all the same.
 * @throws whatever SES or the SDK says when the mail was not taken.
 */
export async function sendMail(to: string, mail: MailContent, withinMs = 10_000): Promise<void> {
  const part = (Data: string) => ({ Data, Charset: 'UTF-8' });
  await client.send(
    new SendEmailCommand({
      Source: env.mailSender(),
      Destination: { ToAddresses: [to] },
      Message: { Subject: part(mail.subject), Body: { Text: part(mail.text), Html: part(mail.html) } },
    }),
    { abortSignal: AbortSignal.timeout(withinMs) },
  );
}

export interface Attachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

/**
 * Hands a mail with attachments to SES: text, HTML and files in one MIME message, of which SES changes nothing but the
 * Message-ID. The same mail at the same time is the same bytes.
 *
 * @param to in its canonical form, as `canonicalEmail` gives it: anything else could be more than one address.
 * @param when.nowMs for the `Date` header, epoch milliseconds.
 * @param when.withinMs gives up after that time; SES may have taken the mail all the same.
 * @throws TypeError when `to` is no such address; whatever SES or the SDK says when the mail was not taken.
 */
export async function sendMailWithAttachments(
  to: string,
  mail: MailContent,
  attachments: readonly Attachment[],
  when: { nowMs: number; withinMs?: number },
): Promise<void> {
  if (canonicalEmail(to) !== to) throw new TypeError('A mail needs one canonical address to go to');
  const from = senderOf(env.mailSender());
  const abortSignal = AbortSignal.timeout(when.withinMs ?? 10_000);
  const Data = await mimeMessage({ from, to, mail, attachments, nowMs: when.nowMs });
  await client.send(
    new SendRawEmailCommand({ Source: from.address, Destinations: [to], RawMessage: { Data } }),
    { abortSignal },
  );
}

interface Sender {
  name: string;
  address: string;
}

/** `Name <address>` or an address in two parts: in a header the name is encoded (RFC 2047), the address is not. */
function senderOf(value: string): Sender {
  const [, name = '', address = value] = /^(.*)<([^<>]*)>$/.exec(value.trim()) ?? [];
  const quoted = /^"(.*)"$/.exec(name.trim())?.[1]?.replaceAll(/\\(.)/g, '$1');
  return { name: quoted ?? name.trim(), address: address.trim() };
}

async function mimeMessage(of: {
  from: Sender;
  to: string;
  mail: MailContent;
  attachments: readonly Attachment[];
  nowMs: number;
}): Promise<Uint8Array> {
  const { from, to, mail, attachments, nowMs } = of;
  // Loaded by those who send attachments only: the others start without it.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const hash = createHash('sha256').update(JSON.stringify([from, to, mail, nowMs]));
  for (const { filename, content } of attachments) hash.update(filename).update(content);
  // In place of random ones, and as unlikely to stand in a part.
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
    // Nobody is away from a mailbox for a machine (RFC 3834).
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
