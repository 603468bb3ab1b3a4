import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import type { BareEvent } from './bare-handler.ts';
import { handler as bareWithSecret } from './bare-secret.ts';

const client = new SESClient({});

/** A baseline whose first call requests the deployment key and sends a mail. */
export async function handler(event: BareEvent): Promise<{ statusCode: number; body: string }> {
  const text = { Data: 'bare' };
  await client.send(
    new SendEmailCommand({
      Source: process.env.MAIL_SENDER,
      Destination: { ToAddresses: ['bare@example.com'] },
      Message: { Subject: text, Body: { Text: text } },
    }),
  );
  return bareWithSecret(event);
}
