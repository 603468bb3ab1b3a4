import type { IncomingMessage, ServerResponse } from 'node:http';
import { unescape as decoded } from 'node:querystring';
import * as z from 'zod/mini';
import { alwaysHeaders } from '../../../functions/shared/contract/headers.ts';
import { EmailAddress } from '../../../functions/shared/fields/email-address.ts';
import { acceptsHtml } from '../../../functions/shared/html/page.ts';
import { localPagePolicy } from '../http/local-page.ts';
import { inTime, readOrder } from '../http/local-request.ts';
import { allows, type LocalRoutes, sendError, sendJson, sendPage } from '../http/local-response.ts';
import type { Mailbox, StoredAttachment } from './mailbox.ts';
import { listPage, mailPage } from './page.ts';
import { failureKinds } from './ses-error.ts';
import { suppressionReasons } from './suppression-list.ts';

const mailboxPath = '/_local/mailbox';

/** How many mails the page shows; the JSON has all of them. */
const pageMails = 100;

const FailureOrder = z.object({
  error: z.enum(failureKinds),
  times: z.int().check(z.gte(0), z.lte(1_000)),
});

const SuppressionOrder = z.object({
  address: EmailAddress,
  reason: z.enum(suppressionReasons),
});

/**
 * The mailbox for people and tests:
 *
 * - `GET /_local/mailbox`, `?to=`: `{ messages }`, newest first; a page where the caller accepts HTML
 * - `GET /_local/mailbox/<id>`: one mail, as a page where the caller accepts HTML
 * - `GET /_local/mailbox/<id>/attachments/<n>`: an attachment's bytes
 * - `POST /_local/mailbox/fail` `{ error, times }`: makes the next sends fail
 * - `GET /_local/mailbox/suppressed`: `{ suppressed }`, the addresses that get no mail
 * - `POST /_local/mailbox/suppressed` `{ address, reason }`: as if mail to the address had bounced or its owner complained
 * - `DELETE /_local/mailbox/suppressed/<address>`: the address gets mail again
 *
 * @param options.settled resolves when background work is done, so that the list includes the mails that earlier requests
 *   caused.
 */
export function mailboxRoutes(
  mailbox: Mailbox,
  { settled = async () => {} }: { settled?: () => Promise<void> } = {},
): LocalRoutes {
  return async (request, response, url) => {
    if (url.pathname !== mailboxPath && !url.pathname.startsWith(`${mailboxPath}/`)) return false;
    const [id = '', folder, n, ...rest] = url.pathname.slice(mailboxPath.length + 1).split('/');
    if (id === 'suppressed') return suppression(mailbox, request, response, [folder, n, ...rest]);
    const isOrder = id === 'fail' && folder === undefined;
    if (!allows(request, response, ...(isOrder ? ['POST'] : ['GET', 'HEAD']))) return true;
    if (isOrder) {
      await orderFailure(mailbox, request, response);
    } else if (folder === undefined) {
      await inTime(settled());
      if (id === '') showList(mailbox, request, response, url.searchParams.get('to')?.trim());
      else showMail(mailbox, request, response, id);
    } else {
      const attachment =
        folder === 'attachments' && /^[1-9]\d{0,3}$/.test(n ?? '') && rest.length === 0
          ? mailbox.readAttachment(id, Number(n))
          : undefined;
      if (attachment === undefined) sendError(response, 'not_found');
      else sendAttachment(response, attachment);
    }
    return true;
  };
}

function showList(mailbox: Mailbox, request: IncomingMessage, response: ServerResponse, to = ''): void {
  const filter = to === '' ? {} : { to };
  response.setHeader('vary', 'accept');
  if (acceptsHtml(request.headers.accept)) {
    const mails = mailbox.list({ ...filter, limit: pageMails + 1 });
    sendPage(
      response,
      listPage(mails.slice(0, pageMails), { to, more: mails.length > pageMails }),
      localPagePolicy,
    );
  } else {
    sendJson(response, 200, { messages: mailbox.list(filter) });
  }
}

function showMail(mailbox: Mailbox, request: IncomingMessage, response: ServerResponse, id: string): void {
  const mail = mailbox.read(id);
  response.setHeader('vary', 'accept');
  if (mail === undefined) sendError(response, 'not_found');
  else if (acceptsHtml(request.headers.accept)) sendPage(response, mailPage(mail), localPagePolicy);
  else sendJson(response, 200, mail);
}

async function orderFailure(
  mailbox: Mailbox,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const order = await readOrder(request, response, FailureOrder, {
    error: `one of ${failureKinds.join(', ')}`,
    times: 'how many of the next sends fail, 0 to 1000',
  });
  if (order === undefined) return;
  mailbox.failNext(order);
  sendJson(response, 200, order);
}

/** Shows or changes the list of suppressed addresses. @param path the segments after `suppressed`. */
async function suppression(
  mailbox: Mailbox,
  request: IncomingMessage,
  response: ServerResponse,
  [address, ...more]: (string | undefined)[],
): Promise<true> {
  const isOne = address !== undefined;
  if (!allows(request, response, ...(isOne ? ['DELETE'] : ['GET', 'HEAD', 'POST']))) return true;
  if (isOne) {
    const isRemoved = more.every((part) => part === undefined) && mailbox.suppressed.remove(decoded(address));
    if (isRemoved) sendJson(response, 200, { removed: true });
    else sendError(response, 'not_found');
    return true;
  }
  if (request.method === 'POST') {
    const order = await readOrder(request, response, SuppressionOrder, {
      address: 'an e-mail address',
      reason: `one of ${suppressionReasons.join(', ')}`,
    });
    if (order === undefined) return true;
    mailbox.suppressed.add(order);
    sendJson(response, 200, order);
    return true;
  }
  sendJson(response, 200, { suppressed: mailbox.suppressed.all() });
  return true;
}

/** An attachment may be anything: the browser saves it and never shows it on this origin. */
function sendAttachment(
  response: ServerResponse,
  { filename, contentType, content }: StoredAttachment & { content: Buffer },
): void {
  const named = filename.toWellFormed();
  const plain = named.replaceAll(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(named).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  response
    .writeHead(200, {
      'content-type': /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : 'application/octet-stream',
      // RFC 6266: the plain name for user agents that do not support the other.
      'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
      'content-length': content.byteLength,
      'content-security-policy': "default-src 'none'; sandbox",
      ...alwaysHeaders,
    })
    .end(content);
}
