import { createServer } from 'node:http';
import {
  MessageRejected,
  SESClient,
  SendEmailCommand,
  type SendEmailCommandInput,
  SendRawEmailCommand,
} from '@aws-sdk/client-ses';
import MailComposer from 'nodemailer/lib/mail-composer';
import { type Listening, listen, listenEndpoint } from '../../../../../lib/local/listen.ts';
import { mailboxEndpoint } from '../../../../../lib/local/mailbox/endpoint.ts';
import { type Mail, Mailbox } from '../../../../../lib/local/mailbox/mailbox.ts';
import { mailboxRoutes } from '../../../../../lib/local/mailbox/routes.ts';
import { openState, type State } from '../../../../../lib/local/state.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
let state: State;
let mailbox: Mailbox;
let ses: Listening;
let reading: Listening;
let client: SESClient;

const newMailbox = () =>
  new Mailbox({
    state,
    nowMs: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    verifiedDomains: ['vouchsafe.test', 'Example.org'],
    configurationSets: ['set'],
  });

beforeAll(async () => {
  ses = await listenEndpoint((request, response) => mailboxEndpoint(mailbox)(request, response));
  const routes = createServer((request, response) => {
    void mailboxRoutes(mailbox)(request, response, new URL(request.url ?? '/', 'http://local'));
  });
  reading = await listen(routes, 0);
  client = new SESClient({ endpoint: ses.url, maxAttempts: 1 });
});
afterAll(async () => {
  client.destroy();
  await Promise.all([ses.close(), reading.close()]);
});
beforeEach(() => {
  state = openState(':memory:');
  mailbox = newMailbox();
});

const send = (input: Partial<SendEmailCommandInput> = {}) =>
  client.send(
    new SendEmailCommand({
      Source: 'noreply@vouchsafe.test',
      Destination: { ToAddresses: ['ada@example.com'] },
      Message: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'text' } } },
      ...input,
    }),
  );
const sendRaw = (Data: Uint8Array, ConfigurationSetName?: string) =>
  client.send(new SendRawEmailCommand({ RawMessage: { Data }, ConfigurationSetName }));
const get = (path: string, accept = 'application/json') =>
  fetch(`${reading.url}/_local/mailbox${path}`, { headers: { accept } });
const post = (path: string, body: string, type = 'application/json') =>
  fetch(`${reading.url}/_local/mailbox${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
const store = (more: Partial<Mail> = {}) =>
  mailbox.store({
    from: 'Vouchsafe <noreply@example.org>',
    to: ['ada@example.com'],
    subject: 'Your code',
    text: '123456',
    html: '<b>123456</b>',
    attachments: [],
    ...more,
  });

describe('SES', () => {
  test('stores every recipient, both bodies and the time of the clock', async () => {
    const { MessageId } = await send({
      Source: '=?UTF-8?B?w4RuZ3N0?= <noreply@vouchsafe.test>',
      Destination: {
        ToAddresses: ['ada@example.com', 'Grace H. <grace@example.com>'],
        CcAddresses: ['"Lovelace, A." <cc+label@example.com>'],
        BccAddresses: ['bcc@example.com'],
      },
      Message: {
        Subject: { Data: 'Grüße & <Glück> 🎉', Charset: 'UTF-8' },
        Body: { Text: { Data: 'a\r\nb=1&c+d é' }, Html: { Data: '<p>é</p>' } },
      },
    });
    const stored = {
      id: MessageId,
      from: 'Ängst <noreply@vouchsafe.test>',
      to: ['ada@example.com', 'grace@example.com', 'cc+label@example.com', 'bcc@example.com'],
      subject: 'Grüße & <Glück> 🎉',
      text: 'a\r\nb=1&c+d é',
      html: '<p>é</p>',
      sentAt: '2026-01-02T03:04:05.006Z',
      attachments: [],
    };
    expect(mailbox.list()).toEqual([stored]);
    expect(await (await get('')).json()).toEqual({ messages: [stored] });
  });

  test('stores a raw mail with its text, HTML and attachments byte for byte', async () => {
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256));
    const mail = new MailComposer({
      from: 'Vouchsäfe <noreply@vouchsafe.test>',
      to: 'Ada <ada@example.com>',
      subject: 'Invoice € 5',
      text: 'Sum: 5 €',
      html: '<p>Sum: 5 €</p>',
      attachments: [{ filename: 'übersicht.pdf', contentType: 'application/pdf', content }],
    });
    await sendRaw(await mail.compile().build());
    const [stored] = mailbox.list();
    expect(stored).toMatchObject({
      from: 'Vouchsäfe <noreply@vouchsafe.test>',
      to: ['ada@example.com'],
      subject: 'Invoice € 5',
      attachments: [
        { id: 1, filename: 'übersicht.pdf', contentType: 'application/pdf', size: content.length },
      ],
    });
    expect([stored?.text.trim(), stored?.html.trim()]).toEqual(['Sum: 5 €', '<p>Sum: 5 €</p>']);
    expect(mailbox.readAttachment(stored?.id ?? '', 1)?.content.equals(content)).toBe(true);
  });

  test.each([
    ['a domain that only ends alike', { Source: 'noreply@badexample.org' }],
    [
      'another domain, whose display name is verified',
      { Source: '"noreply@vouchsafe.test" <a@elsewhere.test>' },
    ],
  ])('refuses unverified senders with MessageRejected: %s', async (_, input) => {
    const refused = send(input);
    await expect(refused).rejects.toBeInstanceOf(MessageRejected);
    await expect(refused).rejects.toThrow(/not verified.*: \S+@\S+$/);
    expect(mailbox.list()).toEqual([]);
  });

  test.each([
    'no-at-sign',
    'Jürgen@example.com',
    'Lovelace, Ada <ada@example.com>',
    'ada@-example.com',
    'Ada Ö. <ada@example.com>',
  ])('refuses the whole mail for the recipient %j', async (address) => {
    const refused = send({ Destination: { ToAddresses: ['good@example.com', address] } });
    await expect(refused).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    expect(mailbox.list()).toEqual([]);
  });

  test('refuses a form posted by another web site, which cannot be signed', async () => {
    const body = new URLSearchParams({ Action: 'SendEmail', Source: 'noreply@vouchsafe.test' });
    expect((await fetch(ses.url, { method: 'POST', body })).status).toBe(403);
  });
});

describe('pages', () => {
  test('hostile mails are escaped in every value, on both pages', async () => {
    const hostile = `"'><script>alert(1)</script><img src=//evil.test/x onerror=alert(1)>`;
    const attachments = [{ filename: hostile, contentType: hostile, content: Buffer.from('x') }];
    const html = `</iframe>${hostile}`;
    const id = store({ from: hostile, to: [hostile], subject: hostile, text: hostile, html, attachments });
    for (const path of ['', `/${id}`, `?to=${encodeURIComponent(hostile)}`]) {
      const page = await (await get(path, browser)).text();
      expect(page).toContain('&lt;script&gt;alert(1)');
      expect(page).not.toMatch(/<script>alert|<img/);
      expect(page.match(/<\/iframe>/g)?.length ?? 0).toBe(path.endsWith(id) ? 1 : 0);
    }
  });

  test('a mail’s HTML may neither run nor load anything: sandbox without scripts, policy without sources', async () => {
    const response = await get(`/${store()}`, browser);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|'unsafe-eval'|script-src[^;]*'unsafe-inline'/);
    const html = await response.text();
    expect(/<iframe [^>]*sandbox="([^"]*)"/.exec(html)?.[1]).toBe(
      'allow-popups allow-popups-to-escape-sandbox',
    );
    expect(html).toContain(
      'srcdoc="&lt;!doctype html&gt;&lt;meta http-equiv=&quot;Content-Security-Policy&quot;',
    );
  });

  test('attachments are sent byte for byte, to be saved and never displayed', async () => {
    const content = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const filename = 'über "x"\r\nSet-Cookie: a=b.html';
    const id = store({ attachments: [{ filename, contentType: 'text/html\r\nx: y', content }] });
    const { headers, ...response } = await get(`/${id}/attachments/1`, browser).then(async (one) => ({
      headers: one.headers,
      bytes: Buffer.from(await one.arrayBuffer()),
    }));
    expect(response.bytes.equals(content)).toBe(true);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="_ber _x___Set-Cookie: a=b.html"; filename*=UTF-8''%C3%BCber%20%22x%22%0D%0ASet-Cookie%3A%20a%3Db.html`,
    );
  });

  test('failures are requested in JSON of limited size alone, so that no form of another web site does', async () => {
    expect((await post('/fail', '{"error":"timeout","times":9}', 'text/plain')).status).toBe(400);
    expect((await post('/fail', ' '.repeat(20_000))).status).toBe(413);
    expect(mailbox.takeFailure()).toBeUndefined();
  });
});

describe('a suppressed address', () => {
  const suppress = (address: string, reason: string) =>
    post('/suppressed', JSON.stringify({ address, reason }));
  const sendTo = (to: string) => send({ Destination: { ToAddresses: [to] }, ConfigurationSetName: 'set' });
  const received = (to: string) => mailbox.list(to).length;

  test.each(['BOUNCE', 'COMPLAINT'])('after a %s is accepted with an id and gets no mail', async (reason) => {
    const to = 'ann@example.com';
    await sendTo(to);
    expect((await suppress(to.toUpperCase(), reason)).status).toBe(200);
    expect((await sendTo(to)).MessageId).toMatch(/^0100/);
    const raw = `From: a@example.org\r\nTo: ${to}\r\nSubject: Raw\r\n\r\ntext`;
    expect((await sendRaw(Buffer.from(raw), 'set')).MessageId).toMatch(/^0100/);
    expect(received(to)).toBe(1);
  });

  test('is listed, survives a restart, and gets mail again once it is removed', async () => {
    await suppress('ann@example.com', 'BOUNCE');
    mailbox = newMailbox();
    const suppressed = [{ address: 'ann@example.com', reason: 'BOUNCE' }];
    expect(await (await get('/suppressed')).json()).toEqual({ suppressed });
    const remove = async (address: string) =>
      (await fetch(`${reading.url}/_local/mailbox/suppressed/${address}`, { method: 'DELETE' })).status;
    expect([await remove('Ann%40example.com'), await remove('ann%40example.com')]).toEqual([200, 404]);
    await sendTo('ann@example.com');
    expect(received('ann@example.com')).toBe(1);
  });
});
