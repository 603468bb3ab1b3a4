import * as z from 'zod/mini';
import { alwaysHeaders } from '../../../functions/shared/contract/headers.ts';
import { EmailAddress } from '../../../functions/shared/fields/email-address.ts';
import { Refusal } from '../http/gateway-response.ts';
import { shownRecords } from '../http/local-page.ts';
import {
  type Answer,
  inTime,
  json,
  type LocalRoutes,
  localRoutes,
  pageOrJson,
  readOrder,
} from '../http/local-routes.ts';
import { failureKinds, type Mailbox, type StoredAttachment, suppressionReasons } from './mailbox.ts';
import { mailPage, mailsPage } from './page.ts';

const FailureOrder = z.object({
  error: z.enum(failureKinds),
  times: z.int().check(z.gte(0), z.lte(1_000)),
});

const SuppressionOrder = z.object({ address: EmailAddress, reason: z.enum(suppressionReasons) });

/**
 * The mailbox for people and tests.
 *
 * @param settled resolves when background work is done, so that the list includes the mails that earlier requests
 *   caused.
 */
export function mailboxRoutes(mailbox: Mailbox, settled: () => Promise<void> = async () => {}): LocalRoutes {
  return localRoutes({
    'GET /_local/mailbox': async ({ query }) => {
      await inTime(settled());
      const to = query.get('to')?.trim() ?? '';
      return pageOrJson(
        () => mailsPage(mailbox.list(to, shownRecords + 1), to),
        () => ({ messages: mailbox.list(to) }),
      );
    },
    'GET /_local/mailbox/{id}': async ({ parameters: { id = '' } }) => {
      await inTime(settled());
      const mail = mailbox.read(id);
      if (mail === undefined) throw new Refusal('not_found');
      return pageOrJson(
        () => mailPage(mail),
        () => mail,
      );
    },
    'GET /_local/mailbox/{id}/attachments/{n}': ({ parameters: { id = '', n } }) => {
      const attachment = mailbox.readAttachment(id, Number(n));
      if (attachment === undefined) throw new Refusal('not_found');
      return download(attachment);
    },
    'POST /_local/mailbox/fail': async (request) => {
      const order = await readOrder(request, FailureOrder, {
        error: `one of ${failureKinds.join(', ')}`,
        times: 'how many of the next sends fail, 0 to 1000',
      });
      mailbox.failNext(order);
      return json(order);
    },
    'GET /_local/mailbox/suppressed': () => {
      const entries = Object.entries(mailbox.suppressed).sort();
      return json({ suppressed: entries.map(([address, reason]) => ({ address, reason })) });
    },
    'POST /_local/mailbox/suppressed': async (request) => {
      const order = await readOrder(request, SuppressionOrder, {
        address: 'an e-mail address',
        reason: `one of ${suppressionReasons.join(', ')}`,
      });
      mailbox.suppress(order.address, order.reason);
      return json(order);
    },
    'DELETE /_local/mailbox/suppressed/{address}': ({ parameters: { address = '' } }) => {
      if (!mailbox.sendAgain(address)) throw new Refusal('not_found');
      return json({ removed: true });
    },
  });
}

/** An attachment may be anything: the browser saves it and never shows it on this origin. */
function download({ filename, contentType, content }: StoredAttachment & { content: Buffer }): Answer {
  const named = filename.toWellFormed();
  const plain = named.replaceAll(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(named).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return (response) =>
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
