import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { SendRawEmailCommand } from '@aws-sdk/client-ses';
import PostalMime from 'postal-mime';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Attachment, sendMailWithAttachments, ses } from '../../../../functions/shared/mail/mailer.ts';
import { listen } from '../../../../lib/local/listen.ts';

const nowMs = Date.UTC(2026, 10, 21, 6, 45, 12);
const mail = {
  subject: 'Żółta Łódź: please pay EUR 9.99 – by 28 November 2026',
  text: 'Hello Ηλέκτρα,\n\n.\nFrom here on: ü\n',
  html: `<p>Hello Ηλέκτρα 王 😀</p>${'<p>long line</p>'.repeat(500)}\n`,
};
const pdf: Attachment = {
  filename: 'INV-7K3M9QXA-2.pdf',
  contentType: 'application/pdf',
  content: Uint8Array.from({ length: 60_000 }, (_, i) => (i * 7919) >> 3),
};
const someone = () => `reader-${randomUUID()}@example.com`;
const sender = process.env.MAIL_SENDER;

afterEach(() => {
  process.env.MAIL_SENDER = sender;
  vi.restoreAllMocks();
});

/** What SES is handed, while it still gets it. */
function handed() {
  const send = vi.spyOn(ses, 'send');
  const input = () => {
    const [command] = send.mock.lastCall ?? [];
    if (!(command instanceof SendRawEmailCommand)) throw new Error('Nothing was sent raw');
    return command.input;
  };
  return {
    input,
    raw: () => Buffer.from(input().RawMessage?.Data ?? []),
    count: () => send.mock.calls.length,
  };
}

/** Through the mailbox, which reads mails as SES takes them. */
async function received(to: string) {
  const url = process.env.TEST_MAILBOX_URL ?? '';
  const answer = await fetch(`${url}?to=${encodeURIComponent(to)}`, {
    headers: { accept: 'application/json' },
  });
  const { messages } = (await answer.json()) as { messages: Record<string, unknown>[] };
  return messages;
}

test('a mail arrives whole: both parts, and the file byte for byte', async () => {
  const to = someone();
  await sendMailWithAttachments(to, mail, [pdf], { nowMs });
  const [message, ...others] = await received(to);
  expect(others).toEqual([]);
  const { subject, text, html } = mail;
  expect(message).toMatchObject({
    to: [to],
    cc: [],
    bcc: [],
    subject,
    from: 'Vouchsafe <no-reply@vouchsafe.example>',
    attachments: [{ filename: pdf.filename, contentType: 'application/pdf', size: 60_000 }],
  });
  const lines = (value: unknown) => String(value).replaceAll('\r\n', '\n').trim();
  expect(lines(message?.text)).toBe(text.trim());
  expect(lines(message?.html)).toBe(html.trim());
  const file = await fetch(`${process.env.TEST_MAILBOX_URL}/${message?.id}/attachments/1`);
  expect(Buffer.compare(Buffer.from(await file.arrayBuffer()), Buffer.from(pdf.content))).toBe(0);
});

test('without a file it is a mail of two parts', async () => {
  const to = someone();
  await sendMailWithAttachments(to, mail, [], { nowMs });
  expect(await received(to)).toMatchObject([{ subject: mail.subject, attachments: [] }]);
});

describe('the message', () => {
  test('is 7-bit, its lines are short, and its date is the one that was given', async () => {
    const { raw, input } = handed();
    const to = someone();
    await sendMailWithAttachments(to, mail, [pdf], { nowMs });
    const text = raw().toString('latin1');
    expect(Math.max(...[...text].map((character) => character.charCodeAt(0)))).toBeLessThan(128);
    const lines = text.split('\r\n');
    expect(lines.some((line) => line.includes('\n'))).toBe(false);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998);
    expect(lines).toContain('Date: Sat, 21 Nov 2026 06:45:12 +0000');
    expect(lines).toContain('Auto-Submitted: auto-generated');
    expect(input()).toMatchObject({ Source: 'no-reply@vouchsafe.example', Destinations: [to] });
    expect(input()).not.toHaveProperty('ConfigurationSetName');
  });

  test('offers text and HTML as alternatives, beside the file', async () => {
    const { raw } = handed();
    await sendMailWithAttachments(someone(), mail, [pdf], { nowMs });
    const types = raw()
      .toString('latin1')
      .match(/^Content-Type: [\w/]+/gm);
    expect(types).toEqual(
      ['multipart/mixed', 'multipart/alternative', 'text/plain', 'text/html', 'application/pdf'].map(
        (type) => `Content-Type: ${type}`,
      ),
    );
  });

  test('is the same bytes for the same mail, so that a retry is one', async () => {
    const { raw } = handed();
    const to = someone();
    await sendMailWithAttachments(to, mail, [pdf], { nowMs });
    const first = raw();
    await sendMailWithAttachments(to, mail, [pdf], { nowMs });
    expect(Buffer.compare(raw(), first)).toBe(0);
    await sendMailWithAttachments(to, { ...mail, subject: 'Another' }, [pdf], { nowMs });
    expect(Buffer.compare(raw(), first)).not.toBe(0);
  });

  test.each([
    ['no-reply@vouchsafe.example', '', 'no-reply@vouchsafe.example'],
    ['Vouchsafe <no-reply@vouchsafe.example>', 'Vouchsafe', 'no-reply@vouchsafe.example'],
    ['"Acme, Inc. \\"x\\"" <pay@vouchsafe.example>', 'Acme, Inc. "x"', 'pay@vouchsafe.example'],
    ['Žluťoučký kůň, s.r.o. <pay@vouchsafe.example>', 'Žluťoučký kůň, s.r.o.', 'pay@vouchsafe.example'],
  ])('is from the sender of the deployment: %s', async (value, name, address) => {
    process.env.MAIL_SENDER = value;
    const { raw } = handed();
    await sendMailWithAttachments(someone(), mail, [], { nowMs });
    expect((await PostalMime.parse(raw())).from).toEqual({ name, address });
  });
});

describe('nobody else gets it', () => {
  test.each([
    'reader@example.com\r\nBcc: evil@example.com',
    'reader@example.com, evil@example.com',
    'evil@example.com <reader@example.com>',
    '"reader"@example.com',
    'Reader@Example.com',
    '',
  ])('refuses %j, which is no one canonical address', async (to) => {
    const { count } = handed();
    await expect(sendMailWithAttachments(to, mail, [], { nowMs })).rejects.toThrow(TypeError);
    expect(count()).toBe(0);
  });

  test('whatever subject and file name try', async () => {
    const { raw } = handed();
    const to = someone();
    const break_ = '\r\nBcc: evil@example.com\r\n';
    await sendMailWithAttachments(
      to,
      { ...mail, subject: `x${break_}` },
      [{ ...pdf, filename: `a"${break_}.pdf` }],
      {
        nowMs,
      },
    );
    expect(raw().toString('latin1')).not.toMatch(/^Bcc:/im);
    expect(await received(to)).toMatchObject([{ to: [to], cc: [], bcc: [] }]);
  });
});

describe('when SES does not take it', () => {
  test('its refusal is the caller’s to know', async () => {
    process.env.MAIL_SENDER = 'no-reply@unverified.example';
    await expect(sendMailWithAttachments(someone(), mail, [], { nowMs })).rejects.toMatchObject({
      name: 'MessageRejected',
    });
  });

  test('a silent one is given up on in the time that was given', async () => {
    const silent = createServer(() => undefined);
    const { url, close } = await listen(silent, 0);
    const endpoint = process.env.AWS_ENDPOINT_URL_SES;
    process.env.AWS_ENDPOINT_URL_SES = url;
    vi.resetModules();
    try {
      const fresh = await import('../../../../functions/shared/mail/mailer.ts');
      const startedMs = performance.now();
      await expect(
        fresh.sendMailWithAttachments(someone(), mail, [], { nowMs, timeoutMs: 200 }),
      ).rejects.toMatchObject({ name: expect.stringMatching(/Abort|Timeout/) });
      expect(performance.now() - startedMs).toBeLessThan(2_000);
    } finally {
      process.env.AWS_ENDPOINT_URL_SES = endpoint;
      // The next file of this worker must not reuse the client of the silent endpoint.
      vi.resetModules();
      silent.closeAllConnections();
      await close();
    }
  });
});
