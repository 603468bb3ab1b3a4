import { randomUUID } from 'node:crypto';
import { type SendEmailRequest, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { drainMail } from '../../../../../functions/shared/mail/drain.ts';
import {
  type Attachment,
  MailPossiblySent,
  sendMail,
  sendMailWithAttachments,
  ses,
} from '../../../../../functions/shared/mail/mailer.ts';
import { suppress } from '../../../../support/mail/mailbox.ts';

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

/** Records what is sent to SES, and still sends it. */
function recordSent() {
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

/** Sends through the local mailbox, which parses mails like SES. */
async function received(to: string) {
  const url = process.env.TEST_MAILBOX_URL ?? '';
  const response = await fetch(`${url}?to=${encodeURIComponent(to)}`, {
    headers: { accept: 'application/json' },
  });
  const { messages } = (await response.json()) as { messages: Record<string, unknown>[] };
  return messages;
}

test('a mail arrives with both parts and the exact bytes of the attachment', async () => {
  const to = someone();
  await sendMailWithAttachments(to, mail, [pdf], { nowMs });
  const [message, ...others] = await received(to);
  expect(others).toEqual([]);
  const { subject, text, html } = mail;
  expect(message).toMatchObject({
    to: [to],
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

describe('the recipient', () => {
  test.each([
    'reader@example.com\r\nBcc: evil@example.com',
    'reader@example.com, evil@example.com',
    'Reader@Example.com',
    '',
  ])('%j is refused, because it is not one canonical address', async (to) => {
    const { count } = recordSent();
    await expect(sendMailWithAttachments(to, mail, [], { nowMs })).rejects.toThrow(TypeError);
    expect(count()).toBe(0);
  });

  test.each([`!#$%&'*+-/=?^_\`{|}~.${randomUUID()}`, `a%0d%0abcc=${randomUUID()}`, `=?=${randomUUID()}`])(
    '%s is in the header as it is, and no other address',
    async (name) => {
      const { raw } = recordSent();
      const to = `${name}@example.com`;
      await sendMailWithAttachments(to, mail, [], { nowMs });
      expect(raw().toString('latin1')).toContain(`\r\nTo: ${to}\r\n`);
      expect(await received(to)).toMatchObject([{ to: [to] }]);
      await sendMail(to, mail);
      expect(await received(to)).toHaveLength(2);
    },
  );

  test('cannot be changed by subject and file name', async () => {
    const { raw } = recordSent();
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
    expect(await received(to)).toMatchObject([{ to: [to] }]);
  });
});

test('every mail names the configuration set, under which SES suppresses bounces and complaints', async () => {
  const send = vi.spyOn(ses, 'send');
  await sendMail(someone(), mail);
  await sendMailWithAttachments(someone(), mail, [], { nowMs });
  const named = send.mock.calls.map(([{ input }]) => (input as SendEmailRequest).ConfigurationSetName);
  expect(named).toEqual(['vouchsafe-test', 'vouchsafe-test']);
  const to = someone();
  await suppress(to, 'COMPLAINT');
  await sendMail(to, mail);
  await sendMailWithAttachments(to, mail, [], { nowMs });
  expect(await received(to)).toEqual([]);
});

/** A clock on which waits end in their order, each as soon as nothing else is left to do. */
function virtualTime() {
  let nowMs = 0;
  const waits: { atMs: number; resolve: () => void }[] = [];
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      waits.push({ atMs: nowMs + ms, resolve });
    });
  const run = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise(setImmediate);
      const next = waits.reduce(
        (a, b) => (b.atMs < a.atMs ? b : a),
        waits[0] ?? { atMs: nowMs, resolve: () => {} },
      );
      nowMs = next.atMs;
      for (const wait of waits.filter(({ atMs }) => atMs === nowMs)) {
        waits.splice(waits.indexOf(wait), 1);
        wait.resolve();
      }
    }
    return done;
  };
  return { clock: { nowMs: () => nowMs }, pause, run };
}

const entries = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

async function* pagesOf<E>(all: readonly E[], size = 50) {
  for (let i = 0; i < all.length; i += size) yield all.slice(i, i + size);
}

describe('one run', () => {
  test('delays no mail for one that fails, and takes the shards in turn', async () => {
    const { clock, pause, run } = virtualTime();
    const order: number[] = [];
    const { counts, cause } = await run(
      drainMail({
        shards: [pagesOf(entries(300), 10), pagesOf([{ n: 1_000 }], 10)],
        attempt: async ({ n }) => {
          order.push(n);
          return { cause: n % 2 === 0 ? new Error('rejected') : undefined };
        },
        mailsPerSecond: 1,
        clock,
        pause,
      }),
    );
    expect(counts.failed + counts.done).toBe(order.length);
    expect(new Set(order).size).toBe(order.length);
    expect(order.indexOf(1_000)).toBeLessThanOrEqual(10);
    expect(cause).toMatchObject({ message: 'rejected' });
  });

  test('stops when SES answers none of several mails in a row, so that it does not use up the copies of all', async () => {
    const { clock, pause, run } = virtualTime();
    let tries = 0;
    await run(
      drainMail({
        shards: [pagesOf(entries(1_000))],
        attempt: async () => {
          tries += 1;
          await pause(10_000);
          return { cause: new MailPossiblySent(new Error('silent')) };
        },
        mailsPerSecond: 14,
        clock,
        pause,
      }),
    );
    expect(tries).toBeLessThan(40);
  });
});
