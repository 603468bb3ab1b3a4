import { createHash } from 'node:crypto';
import { formatTime } from '../../../functions/shared/html/text.ts';
import { sansSerif } from '../../../functions/shared/html/theme.ts';
import { utc } from '../../../functions/shared/runtime/time-zone.ts';
import type { RawResponse } from './proxy-result.ts';

/** Colors of its own: the bar is no part of the page. It is not printed. */
const styles = `.local-stack{margin:0;padding:6px 12px;background:#fff3c4;color:#3d2f00;font:14px/1.5 ${sansSerif};text-align:center}.local-stack a{color:inherit;text-decoration:underline}.local-stack time{color:inherit;font-size:inherit}@media (prefers-color-scheme:dark){.local-stack{background:#3d2f00;color:#ffe9a8}}@media print{.local-stack{display:none}}`;

const stylesSource = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;

/**
 * The end of the head and the start of the body, with the link that skips to the content: it stays the first one. A script of the
 * head can contain `<body>` as text.
 */
const startOfBody = /<\/head>\s*<body[^>]*>(?:\s*<a class="skip"[^>]*>[^<]*<\/a>)?/;

/**
 * Adds the time of the local stack to a page, with a link to its page. The policy of the page allows the styles of the bar by
 * hash, and nothing else. A page that caches may store, such as `/docs`, is not stored: the time on it would stand still.
 *
 * @returns the same response when it is no page, or a document that has a file name.
 */
export function withTimeBar(response: RawResponse, nowMs: number): RawResponse {
  const { status, headers, body } = response;
  const isPage =
    String(headers['content-type']).startsWith('text/html') && headers['content-disposition'] === undefined;
  const page = isPage ? body.toString() : '';
  if (!startOfBody.test(page)) return response;
  const { etag: _, ...own } = headers;
  const time = `<time datetime="${new Date(nowMs).toISOString()}">${formatTime(nowMs, utc)}</time>`;
  const bar = `<aside class="local-stack" aria-label="Local stack">Local stack, ${time}. <a href="/_local">Clock, people, mail</a></aside>`;
  return {
    status,
    headers: {
      ...own,
      'cache-control': 'no-store',
      'content-security-policy': String(headers['content-security-policy']).replace(
        /style-src (?!'unsafe-inline')/,
        (directive) => `${directive}${stylesSource} `,
      ),
    },
    body: Buffer.from(page.replace(startOfBody, (start) => `<style>${styles}</style>${start}${bar}`)),
  };
}
