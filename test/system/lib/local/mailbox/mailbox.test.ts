import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { expect, test } from 'vitest';
import { type Mail, Mailbox } from '../../../../../lib/local/mailbox/mailbox.ts';

function mail(more: Partial<Mail> = {}): Mail {
  return {
    from: 'noreply@example.org',
    to: ['ada@example.com'],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 'Hello',
    text: 'text',
    html: '',
    attachments: [],
    ...more,
  };
}

function open(database = new DatabaseSync(':memory:')): Mailbox {
  return new Mailbox({ database, nowMs: () => 1_800_000_000_000, verifiedSenders: ['example.org'] });
}

test('filters by any recipient, whole addresses only, in any case', () => {
  const mailbox = open();
  mailbox.store(mail({ subject: 'to', to: ['Ada@Example.com', 'x@example.com'] }));
  mailbox.store(mail({ subject: 'cc', cc: ['ada@example.com'], to: ['ADA@example.com'] }));
  mailbox.store(mail({ subject: 'bcc', to: [], bcc: ['ada@example.com'] }));
  mailbox.store(mail({ subject: 'other', to: ['lada@example.com'] }));
  const subjects = (to: string) => mailbox.list({ to }).map(({ subject }) => subject);
  expect(subjects('aDA@example.COM')).toEqual(['bcc', 'cc', 'to']);
  expect(subjects('ada@example')).toEqual([]);
  expect(subjects('%')).toEqual([]);
});

test('a mail that was reported as sent survives kill -9, with its attachment', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mailbox-'));
  const file = join(directory, 'local.sqlite');
  const module = (name: string) =>
    JSON.stringify(new URL(`../../../../../lib/local/mailbox/${name}.ts`, import.meta.url));
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { createServer } from 'node:http';
      import { DatabaseSync } from 'node:sqlite';
      import { mailboxEndpoint } from ${module('endpoint')};
      import { Mailbox } from ${module('mailbox')};
      const database = new DatabaseSync(${JSON.stringify(file)});
      database.exec('PRAGMA journal_mode = WAL');
      const mailbox = new Mailbox({ database, nowMs: () => Date.now(), verifiedSenders: ['example.org'] });
      const server = createServer(mailboxEndpoint(mailbox));
      server.listen(0, '127.0.0.1', () => console.log(server.address().port));`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  try {
    const [port] = await once(createInterface(child.stdout), 'line');
    const client = new SESClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    });
    const raw = [
      'From: a@example.org',
      'To: ada@example.com',
      'Content-Type: application/octet-stream',
      'Content-Disposition: attachment; filename=a.bin',
      'Content-Transfer-Encoding: base64',
      '',
      'AAECAw==',
    ];
    const sent = await client.send(
      new SendRawEmailCommand({ RawMessage: { Data: Buffer.from(raw.join('\r\n')) } }),
    );
    child.kill('SIGKILL');
    await exited;
    const database = new DatabaseSync(file);
    const mailbox = open(database);
    expect(mailbox.list({ to: 'ada@example.com' }).map(({ id }) => id)).toEqual([sent.MessageId]);
    const content = mailbox.readAttachment(sent.MessageId ?? '', 1)?.content;
    expect(content).toEqual(Buffer.from([0, 1, 2, 3]));
    database.close();
  } finally {
    child.kill('SIGKILL');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  }
});
