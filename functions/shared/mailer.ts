import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { env } from './env.ts';
import type { MailContent } from './mail-layout.ts';

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
