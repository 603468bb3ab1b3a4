/** The frame of the consent page: how it looks, and what browsers are told about it. Nothing in it is script. */
import { createHash } from 'node:crypto';
import { Reply } from '../shared/contract.ts';
import { productName } from '../shared/mail-layout.ts';
import { palette } from '../shared/mail-looks.ts';
import { html, type Markup, raw } from '../shared/markup.ts';

/** Beside the palette of the mails: what went wrong. Contrast with card and page is 4.5:1 or more in both schemes. */
const alarm = ['#a32018', '#ffb1a6'] as const;

const colours = (scheme: 0 | 1) =>
  Object.entries({ ...palette, alarm })
    .map(([name, pair]) => `--${name}:${pair[scheme]}`)
    .join(';');

const styles = `
:root{color-scheme:light dark;${colours(0)}}
@media (prefers-color-scheme:dark){:root{${colours(1)}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;background:var(--page);color:var(--text);font:16px/1.5 'Segoe UI',-apple-system,BlinkMacSystemFont,Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere}
.frame{max-width:480px;margin:0 auto;padding:48px 16px 32px}
header{display:flex;align-items:center;gap:10px;padding:0 4px 16px;font-size:17px;font-weight:600}
.mark{flex:none;width:28px;height:28px;border-radius:7px;background:var(--accent);color:var(--onAccent);font-weight:700;line-height:28px;text-align:center}
main{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:32px}
h1{margin:0 0 12px;font-size:24px;line-height:1.3;font-weight:600;text-wrap:pretty}
h2{margin:0;font-size:16px;line-height:1.5;font-weight:600}
p{margin:0 0 16px}
.note{color:var(--muted);font-size:14px}
main>p:last-child{margin:0}
footer{padding:16px 4px 0;color:var(--muted);font-size:13px;line-height:1.55}
footer p{margin:0 0 6px}
.alert{margin:0 0 20px;padding:12px 14px;border:1px solid var(--alarm);border-left-width:4px;border-radius:8px}
.alert,.error{color:var(--alarm)}
.error{margin:6px 0 0;font-size:14px}
label{display:block;margin:0 0 6px;font-weight:600}
input{width:100%;min-height:48px;padding:10px 14px;border:1px solid var(--muted);border-radius:8px;background:var(--card);color:var(--text);font:inherit}
input[aria-invalid]{border-color:var(--alarm);border-width:2px;padding:9px 13px}
input.code{font-family:Consolas,Menlo,Monaco,monospace;font-size:26px;letter-spacing:.3em;text-align:center;padding-left:calc(14px + .3em)}
.hint{margin:6px 0 0;color:var(--muted);font-size:14px}
.actions{display:flex;flex-wrap:wrap;gap:12px;margin:24px 0 0}
button{min-height:48px;padding:10px 24px;border:1px solid var(--accent);border-radius:8px;background:var(--accent);color:var(--onAccent);font:inherit;font-weight:600;cursor:pointer;flex:1 1 140px}
button.second{background:none;color:var(--accent)}
button:hover{filter:brightness(.93)}
button.second:hover{background:var(--panel);filter:none}
button.plain{flex:none;display:block;min-height:24px;padding:0;line-height:24px;border:0;background:none;color:var(--accent);font-weight:400;text-decoration:underline}
.more{display:flex;flex-wrap:wrap;align-items:center;gap:8px 20px;line-height:24px;margin:20px 0 0;padding:20px 0 0;border-top:1px solid var(--line);font-size:14px}
.more button,.who button{font-size:14px}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.who{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 16px;margin:0 0 20px;padding:12px 14px;border-radius:8px;background:var(--panel);font-size:14px}
.scopes{list-style:none;margin:0 0 20px;padding:0;border-top:1px solid var(--line)}
.scopes li{padding:14px 0;border-bottom:1px solid var(--line)}
.scopes p{margin:2px 0 0;color:var(--muted);font-size:14px}
.scopes .warning{margin-top:6px;color:var(--text)}
.warning strong{color:var(--alarm)}
@media (max-width:480px){.frame{padding-top:20px}main{padding:24px 20px}}
@media (forced-colors:active){.mark{border:1px solid}}
`;

/** By its hash, so that no other style sheet is ever applied. */
const stylesHash = createHash('sha256').update(styles).digest('base64');

/** Headers of every page. https://www.w3.org/TR/CSP3/ */
export function pageHeaders(redirectUri?: string): Record<string, string> {
  const formTargets = ["'self'", ...(redirectUri === undefined ? [] : [formTarget(redirectUri)])];
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${stylesHash}'`,
    `form-action ${formTargets.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    // For browsers that know no frame-ancestors.
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}

/**
 * Browsers apply `form-action` to where a form's answer redirects as well: without the application's origin, the
 * last step would end in nothing. Native applications have a scheme of their own (RFC 8252 section 7.1).
 */
function formTarget(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  // A host may hold characters that end a directive; then any of the scheme has to do.
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) ? origin : protocol;
}

export interface Page {
  title: string;
  content: Markup;
  footer?: Markup;
}

export function renderPage({ title, content, footer }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${productName}</title>
<style>${raw(styles)}</style>
</head>
<body>
<div class="frame">
<header><span class="mark" aria-hidden="true">${productName.slice(0, 1)}</span>${productName}</header>
<main>
${content}
</main>
<footer>${footer ?? html`<p>${productName} never asks for a code by phone, in a chat or on any other page.</p>`}</footer>
</div>
</body>
</html>
`.markup;
}

/** An answer that is a page. @param redirectUri where a form of the page may end. */
export function pageReply(
  status: number,
  page: Page,
  more: { redirectUri?: string; cookies?: readonly string[]; retryAfterSeconds?: number | undefined } = {},
): Reply {
  const { redirectUri, cookies = [], retryAfterSeconds } = more;
  return new Reply(status, {
    headers: {
      ...pageHeaders(redirectUri),
      ...(retryAfterSeconds && { 'retry-after': String(retryAfterSeconds) }),
    },
    cookies,
    body: renderPage(page),
  });
}

/** An answer that sends the browser on, by GET whatever it sent itself: RFC 9700 section 4.12. */
export function redirectReply(location: string, cookies: readonly string[] = []): Reply {
  return new Reply(303, {
    headers: { location, 'referrer-policy': 'no-referrer' },
    cookies,
  });
}
