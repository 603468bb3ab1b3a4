import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import {
  MessageRejected,
  SESClient,
  type SESClientConfig,
  SendEmailCommand,
  type SendEmailCommandInput,
  SendRawEmailCommand,
} from '@aws-sdk/client-ses';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailboxEndpoint } from '../../../../../lib/local/mailbox/endpoint.ts';
import { Mailbox } from '../../../../../lib/local/mailbox/mailbox.ts';

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
let mailbox: Mailbox;
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    mailboxEndpoint(mailbox)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  mailbox = new Mailbox({
    database: new DatabaseSync(':memory:'),
    nowMs: () => nowMs,
    verifiedSenders: ['noreply@vouchsafe.test', 'Example.org'],
  });
});

function endpoint(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function client(options: SESClientConfig = {}): SESClient {
  return new SESClient({
    endpoint: endpoint(),
    region: 'eu-west-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
    ...options,
  });
}

function send(input: Partial<SendEmailCommandInput> = {}, options: SESClientConfig = {}) {
  return client(options).send(
    new SendEmailCommand({
      Source: 'noreply@vouchsafe.test',
      Destination: { ToAddresses: ['ada@example.com'] },
      Message: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'text' } } },
      ...input,
    }),
  );
}

function sendRaw(lines: string[], more: { Source?: string; Destinations?: string[] } = {}) {
  return client().send(
    new SendRawEmailCommand({ RawMessage: { Data: Buffer.from(lines.join('\r\n')) }, ...more }),
  );
}

describe('SendEmail', () => {
  test('stores every recipient, the reply address, both bodies and the time of the clock', async () => {
    const { MessageId, $metadata } = await send({
      Source: '=?UTF-8?B?w4RuZ3N0?= <noreply@vouchsafe.test>',
      Destination: {
        ToAddresses: ['ada@example.com', 'Grace H. <grace@example.com>'],
        CcAddresses: ['"Lovelace, A." <cc+label@example.com>'],
        BccAddresses: ['bcc1@example.com', 'bcc2@example.com'],
      },
      ReplyToAddresses: ['help@example.net'],
      Message: {
        Subject: { Data: 'Grüße & <Glück> 🎉', Charset: 'UTF-8' },
        Body: { Text: { Data: 'a\r\nb=1&c+d é' }, Html: { Data: '<p>é</p>' } },
      },
    });
    expect(mailbox.list()).toEqual([
      {
        id: MessageId,
        from: 'Ängst <noreply@vouchsafe.test>',
        to: ['ada@example.com', 'grace@example.com'],
        cc: ['cc+label@example.com'],
        bcc: ['bcc1@example.com', 'bcc2@example.com'],
        replyTo: ['help@example.net'],
        subject: 'Grüße & <Glück> 🎉',
        text: 'a\r\nb=1&c+d é',
        html: '<p>é</p>',
        sentAt: '2026-01-02T03:04:05.006Z',
        attachments: [],
      },
    ]);
    expect($metadata.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['another address of an address’ domain', { Source: 'other@vouchsafe.test' }],
    ['a domain that only ends alike', { Source: 'noreply@badexample.org' }],
    ['an address that differs in case', { Source: 'NoReply@vouchsafe.test' }],
    ['a return path', { ReturnPath: 'bounce@elsewhere.test' }],
  ])('refuses unverified senders with MessageRejected: %s', async (_, input) => {
    const refusal = await send(input).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MessageRejected);
    const failed = 'ReturnPath' in input ? input.ReturnPath : input.Source;
    expect(refusal).toMatchObject({
      message: `Email address is not verified. The following identities failed the check in region EU-WEST-1: ${failed}`,
      $metadata: { httpStatusCode: 400, attempts: 1 },
    });
    expect(mailbox.list()).toEqual([]);
  });

  test.each([
    ['no-at-sign', "Missing final '@domain'"],
    ['@example.com', 'Missing local name'],
    ['Jürgen@example.com', 'Local address contains illegal character'],
    ['Lovelace, Ada <ada@example.com>', 'Illegal address'],
    ['ada@-example.com', 'Domain contains illegal character'],
    ['Ada Ö. <ada@example.com>', 'Display name has to be encoded as RFC 2047 says'],
  ])('refuses the whole mail for the recipient %j', async (address, message) => {
    const refused = send({ Destination: { ToAddresses: ['good@example.com', address] } });
    await expect(refused).rejects.toMatchObject({ name: 'InvalidParameterValue', message });
    expect(mailbox.list()).toEqual([]);
  });
});

describe('SendRawEmail', () => {
  test('stores text, HTML and every attachment byte for byte', async () => {
    const pdf = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256));
    const csv = Buffer.from('näme;größe\r\n\u0000\r\n', 'latin1');
    const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll(/(.{76})/g, '$1\r\n');
    await sendRaw([
      'From: =?UTF-8?Q?Vouchs=C3=A4fe?= <noreply@vouchsafe.test>',
      'To: Ada <ada@example.com>, Team: t1@example.com, t2@example.com;',
      'Cc: cc@example.com',
      'Bcc: bcc@example.com',
      'Reply-To: help@example.net',
      'Subject: =?UTF-8?B?SW52b2ljZSDigqwgNQ==?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=outer',
      '',
      '--outer',
      'Content-Type: multipart/alternative; boundary=inner',
      '',
      '--inner',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Sum: 5 =E2=82=AC',
      '--inner',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('<p>Sum: 5 €</p>').toString('base64'),
      '--inner--',
      '--outer',
      'Content-Type: application/pdf; name="INV-1.pdf"',
      'Content-Disposition: attachment; filename="INV-1.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      base64(pdf),
      '--outer',
      'Content-Type: text/csv; charset=iso-8859-1',
      "Content-Disposition: attachment; filename*=UTF-8''%C3%BCbersicht.csv",
      'Content-Transfer-Encoding: base64',
      '',
      base64(csv),
      '--outer',
      'Content-Type: message/rfc822',
      '',
      'From: old@example.com',
      '',
      'forwarded',
      '--outer--',
      '',
    ]);
    const [mail] = mailbox.list();
    expect(mail).toMatchObject({
      from: 'Vouchsäfe <noreply@vouchsafe.test>',
      to: ['ada@example.com', 't1@example.com', 't2@example.com'],
      cc: ['cc@example.com'],
      bcc: ['bcc@example.com'],
      replyTo: ['help@example.net'],
      subject: 'Invoice € 5',
      attachments: [
        { id: 1, filename: 'INV-1.pdf', contentType: 'application/pdf', size: pdf.byteLength },
        { id: 2, filename: 'übersicht.csv', contentType: 'text/csv', size: csv.byteLength },
        { id: 3, filename: 'attachment-3', contentType: 'message/rfc822' },
      ],
    });
    expect(mail?.text.trim()).toBe('Sum: 5 €');
    expect(mail?.html.trim()).toBe('<p>Sum: 5 €</p>');
    const content = (n: number) => mailbox.readAttachment(mail?.id ?? '', n)?.content;
    expect(content(1)?.equals(pdf)).toBe(true);
    expect(content(2)?.equals(csv)).toBe(true);
    expect(content(3)?.toString()).toContain('forwarded');
    expect(content(4)).toBeUndefined();
  });
});

describe('a request that sends no mail', () => {
  test('can be a form posted by another web site, which cannot be signed', async () => {
    const response = await fetch(endpoint(), {
      method: 'POST',
      body: new URLSearchParams({
        Action: 'SendEmail',
        Source: 'noreply@vouchsafe.test',
        'Destination.ToAddresses.member.1': 'ada@example.com',
        'Message.Subject.Data': 'x',
        'Message.Body.Text.Data': 'x',
      }),
    });
    expect(response.status).toBe(403);
    expect(mailbox.list()).toEqual([]);
  });
});
