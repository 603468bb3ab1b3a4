import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { SESClient, SendEmailCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listen, listenEndpoint } from '../../../../../lib/local/listen.ts';
import { mailboxEndpoint } from '../../../../../lib/local/mailbox/endpoint.ts';
import { Mailbox } from '../../../../../lib/local/mailbox/mailbox.ts';
import { mailboxRoutes } from '../../../../../lib/local/mailbox/routes.ts';

const database = new DatabaseSync(':memory:');
const newMailbox = () =>
  new Mailbox({
    database,
    nowMs: () => Date.UTC(2026, 0, 2),
    verifiedSenders: ['example.org'],
    configurationSets: ['set'],
  });
let mailbox = newMailbox();
let client: SESClient;
let url = '';
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const ses = await listenEndpoint((request, response) => mailboxEndpoint(mailbox)(request, response));
  const routes = createServer((request, response) => {
    void mailboxRoutes(mailbox)(request, response, new URL(request.url ?? '/', 'http://local'));
  });
  const read = await listen(routes, 0);
  url = `${read.url}/_local/mailbox/suppressed`;
  client = new SESClient({
    endpoint: ses.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  closing.push(ses.close, read.close);
});
afterAll(async () => {
  client.destroy();
  await Promise.all(closing.map((close) => close()));
});
beforeEach(() => {
  for (const { address } of mailbox.suppressed.all()) mailbox.suppressed.remove(address);
});

const send = (to: string[], ConfigurationSetName: string | undefined = 'set') =>
  client.send(
    new SendEmailCommand({
      Source: 'a@example.org',
      Destination: { ToAddresses: to },
      Message: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'text' } } },
      ConfigurationSetName,
    }),
  );
const sendRaw = (to: string) =>
  client.send(
    new SendRawEmailCommand({
      RawMessage: { Data: Buffer.from(`From: a@example.org\r\nTo: ${to}\r\nSubject: Raw\r\n\r\ntext`) },
      ConfigurationSetName: 'set',
    }),
  );
const received = (to: string) => mailbox.list({ to }).length;
const order = (body: unknown, type = 'application/json') =>
  fetch(url, { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) });

describe('a suppressed address', () => {
  test.each(['BOUNCE', 'COMPLAINT'])('after a %s is accepted with an id and gets no mail', async (reason) => {
    const to = `${reason.toLowerCase()}@example.com`;
    expect((await send([to])).MessageId).toMatch(/^0100/);
    expect(received(to)).toBe(1);
    const response = await order({ address: to.toUpperCase(), reason });
    expect([response.status, await response.json()]).toEqual([200, { address: to.toUpperCase(), reason }]);
    expect((await send([to])).MessageId).toMatch(/^0100/);
    expect((await sendRaw(to)).MessageId).toMatch(/^0100/);
    expect(received(to)).toBe(1);
  });

  test('is listed, survives a restart, and gets mail again once it is removed', async () => {
    await order({ address: 'ann@example.com', reason: 'BOUNCE' });
    mailbox = newMailbox();
    const suppressed = [{ address: 'ann@example.com', reason: 'BOUNCE' }];
    expect(await (await fetch(url)).json()).toEqual({ suppressed });
    const remove = (address: string) => fetch(`${url}/${encodeURIComponent(address)}`, { method: 'DELETE' });
    expect((await remove('Ann@example.com')).status).toBe(200);
    expect((await remove('ann@example.com')).status).toBe(404);
    expect((await fetch(`${url}/%`, { method: 'DELETE' })).status).toBe(404);
    expect((await fetch(`${url}/a/b`, { method: 'DELETE' })).status).toBe(404);
    await send(['ann@example.com']);
    expect(received('ann@example.com')).toBe(1);
  });
});
