import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Mail, Mailbox } from '../../../../../lib/local/mailbox/mailbox.ts';
import { mailboxRoutes } from '../../../../../lib/local/mailbox/routes.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
let mailbox: Mailbox;
let server: Server;
/** Background work that the mailbox waits for. */
const settled = Promise.resolve();

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://local');
    void mailboxRoutes(mailbox, { settled: () => settled })(request, response, url).then((answered) => {
      if (!answered) response.writeHead(418).end();
    });
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
    nowMs: () => Date.UTC(2026, 0, 2),
    verifiedSenders: ['example.org'],
  });
});

function store(more: Partial<Mail> = {}): string {
  return mailbox.store({
    from: 'Vouchsafe <noreply@example.org>',
    to: ['ada@example.com'],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 'Your code',
    text: '123456',
    html: '<b>123456</b>',
    attachments: [],
    ...more,
  });
}

function get(path: string, accept?: string, method = 'GET'): Promise<Response> {
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: accept === undefined ? {} : { accept },
  });
}

function orderFailure(body: string, contentType = 'application/json'): Promise<Response> {
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/_local/mailbox/fail`, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
  });
}

describe('JSON', () => {
  test('has exactly the documented shape', async () => {
    const attachments = [{ filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('abc') }];
    const id = store({ cc: ['cc@example.com'], bcc: ['bcc@example.com'], attachments });
    const response = await get('/_local/mailbox');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      messages: [
        {
          to: ['ada@example.com'],
          subject: 'Your code',
          text: '123456',
          html: '<b>123456</b>',
          sentAt: '2026-01-02T00:00:00.000Z',
          id,
          from: 'Vouchsafe <noreply@example.org>',
          cc: ['cc@example.com'],
          bcc: ['bcc@example.com'],
          replyTo: [],
          attachments: [{ id: 1, filename: 'a.pdf', contentType: 'application/pdf', size: 3 }],
        },
      ],
    });
  });
});

describe('pages', () => {
  test('hostile mails are escaped in every value, on both pages', async () => {
    const hostile = `"'><script>alert(1)</script><img src=//evil.test/x onerror=alert(1)>`;
    const id = store({
      from: hostile,
      to: [hostile],
      cc: [hostile],
      bcc: [hostile],
      replyTo: [hostile],
      subject: hostile,
      text: hostile,
      html: `</iframe>${hostile}`,
      attachments: [{ filename: hostile, contentType: hostile, content: Buffer.from('x') }],
    });
    for (const path of [
      '/_local/mailbox',
      `/_local/mailbox/${id}`,
      `/_local/mailbox?to=${encodeURIComponent(hostile)}`,
    ]) {
      const html = await (await get(path, browser)).text();
      expect(html).toContain('&lt;script&gt;alert(1)');
      expect(html).not.toContain('<script>alert');
      expect(html).not.toContain('<img');
      expect(html.match(/<\/iframe>/g)?.length ?? 0).toBe(path.endsWith(id) ? 1 : 0);
    }
  });

  test('a mail’s HTML may neither run nor load anything: sandbox without scripts, policy without sources', async () => {
    const response = await get(`/_local/mailbox/${store()}`, browser);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|'unsafe-eval'|script-src[^;]*'unsafe-inline'/);
    const html = await response.text();
    const sandbox = /<iframe [^>]*sandbox="([^"]*)"/.exec(html)?.[1];
    expect(sandbox).toBe('allow-popups allow-popups-to-escape-sandbox');
    expect(html).toContain(
      'srcdoc="&lt;!doctype html&gt;&lt;meta http-equiv=&quot;Content-Security-Policy&quot;',
    );
  });
});

describe('attachments', () => {
  test('are sent byte for byte, to be saved and never displayed', async () => {
    const content = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const id = store({
      attachments: [
        { filename: 'über "x"\r\nSet-Cookie: a=b.html', contentType: 'text/html', content },
        { filename: 'b', contentType: 'text/html\r\nx: y', content: Buffer.alloc(0) },
      ],
    });
    const response = await get(`/_local/mailbox/${id}/attachments/1`, browser);
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="_ber _x___Set-Cookie: a=b.html"; filename*=UTF-8''%C3%BCber%20%22x%22%0D%0ASet-Cookie%3A%20a%3Db.html`,
    );
    const odd = await get(`/_local/mailbox/${id}/attachments/2`);
    expect(odd.headers.get('content-type')).toBe('application/octet-stream');
    expect((await odd.arrayBuffer()).byteLength).toBe(0);
  });
});

describe('requested failures', () => {
  test('only JSON of limited size is accepted, so that no form of another web site requests failures', async () => {
    expect((await orderFailure('{"error":"timeout","times":9}', 'text/plain')).status).toBe(400);
    expect((await orderFailure(' '.repeat(20_000))).status).toBe(413);
    expect(mailbox.takeFailure()).toBeUndefined();
  });
});
