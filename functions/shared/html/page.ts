/** The frame of the rendered pages: styles, security headers, error pages. A page has one script or none. */
import { createHash } from 'node:crypto';
import { defined } from '../contract/defined.ts';
import { htmlType } from '../contract/headers.ts';
import { Reply } from '../contract/route.ts';
import type { LambdaHandler } from '../lambda/endpoint.ts';
import { header } from '../lambda/request-context.ts';
import { html, type Markup, raw } from './markup.ts';
import { markSvg, paletteRules, productName, sansSerif } from './theme.ts';

const baseStyles = `
${paletteRules}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;background:var(--page);color:var(--text);font:16px/1.5 ${sansSerif};overflow-wrap:anywhere}
.frame{max-width:480px;margin:0 auto;padding:48px 16px 32px}
header{display:flex;align-items:center;gap:10px;padding:0 4px 16px;font-size:17px;font-weight:600}
.mark{flex:none;width:28px;height:28px;border-radius:7px;background:var(--accent);color:var(--onAccent);font-weight:700;line-height:28px;text-align:center}
main{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:32px}
h1{margin:0 0 12px;font-size:24px;line-height:1.3;font-weight:600;text-wrap:pretty}
h2{margin:0;font-size:16px;line-height:1.5;font-weight:600}
p{margin:0 0 16px}
.note{color:var(--muted);font-size:14px}
main>p:last-child{margin-bottom:0}
footer{padding:16px 4px 0;color:var(--muted);font-size:13px;line-height:1.55}
footer p{margin:0 0 6px}
.alert{margin:0 0 20px;padding:12px 14px;border:1px solid var(--alarm);border-left-width:4px;border-radius:8px;color:var(--alarm)}
.actions{display:flex;flex-wrap:wrap;gap:12px;margin:24px 0 0}
button{min-height:48px;padding:10px 24px;border:1px solid var(--accent);border-radius:8px;background:var(--accent);color:var(--onAccent);font:inherit;font-weight:600;cursor:pointer;flex:1 1 140px}
button.second{background:none;color:var(--accent)}
button:hover{filter:brightness(.93)}
button.second:hover{background:var(--panel);filter:none}
button.plain{flex:none;display:block;min-height:24px;padding:0;line-height:24px;border:0;background:none;color:var(--accent);font-weight:400;text-decoration:underline}
.more{display:flex;flex-wrap:wrap;align-items:center;gap:8px 20px;line-height:24px;margin:20px 0 0;padding:20px 0 0;border-top:1px solid var(--line);font-size:14px}
.more button{font-size:14px}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (max-width:480px){.frame{padding-top:20px}main{padding:24px 20px}}
@media print{button,.actions,.more{display:none}}
@media (forced-colors:active){.mark{border:1px solid}}
`;

/** The mark, in the page itself: no browser asks for `/favicon.ico`. */
const icon = raw(`data:image/svg+xml,${markSvg.replaceAll(/[<>#]/g, encodeURIComponent)}`);

export interface Page {
  title: string;
  content: Markup;
  /** The text of a preview of the link in other programs: https://ogp.me */
  preview?: { title: string; description: string };
  /** Between the header and the content. */
  navigation?: Markup;
  /** Replaces the small print of the frame. */
  footer?: Markup;
  script?: Script;
}

/**
 * The one script that may run in a page. A module has an absolute address; it handles the forms of the page, and may call this API and
 * no other host. A text stands in the page, calls nothing, and leaves its forms to the browser.
 */
type Script = { readonly address: string } | { readonly text: string };

export interface ReplyOptions {
  /** Redirect targets of the page's forms, other than the API itself. */
  redirectUris?: readonly string[];
  cookies?: readonly string[];
  retryAfterSeconds?: number | undefined;
}

export interface PageFrame {
  /** The headers of every page without a script. https://www.w3.org/TR/CSP3/ */
  headers(redirectUris?: readonly string[]): Record<string, string>;
  render(page: Page): string;
  reply(status: number, page: Page, options?: ReplyOptions): Reply;
}

/** A frame for a group of pages. @param styles added to the common styles. @param footer default small print. */
export function pageFrame({ styles, footer: defaultFooter }: { styles: string; footer: Markup }): PageFrame {
  const allStyles = baseStyles + styles;
  // The policy allows this style sheet by hash, and no other.
  const stylesHash = createHash('sha256').update(allStyles).digest('base64');

  const headersWith = (directives: readonly string[]) => {
    const policy = [
      "default-src 'none'",
      `style-src 'sha256-${stylesHash}'`,
      'img-src data:',
      ...directives,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ];
    return {
      'content-type': htmlType,
      'content-security-policy': policy.join('; '),
      // For browsers without frame-ancestors.
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    };
  };

  const headers: PageFrame['headers'] = (redirectUris = []) => {
    const formTargets = [...new Set(["'self'", ...redirectUris.map(formTarget)])];
    return headersWith([`form-action ${formTargets.join(' ')}`]);
  };

  const render: PageFrame['render'] = (page) => pageOf(page, allStyles, defaultFooter);

  return {
    headers,
    render,
    reply: (status, page, { redirectUris, cookies = [], retryAfterSeconds } = {}) =>
      new Reply(status, {
        headers: {
          ...(page.script === undefined ? headers(redirectUris) : headersWith(scriptDirectives(page.script))),
          ...defined({
            'retry-after': retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds),
          }),
        },
        cookies,
        body: render(page),
      }),
  };
}

function pageOf(page: Page, styles: string, defaultFooter: Markup): string {
  const { title, content, navigation, footer = defaultFooter, preview, script } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="${icon}">
<title>${title} – ${productName}</title>
${preview === undefined ? '' : previewElements(preview)}<style>${raw(styles)}</style>
${script === undefined ? '' : scriptElement(script)}</head>
<body>
<div class="frame">
<header><span class="mark" aria-hidden="true">${productName.slice(0, 1)}</span>${productName}</header>
${navigation ?? ''}<main>
${content}
</main>
<footer>${footer}</footer>
</div>
</body>
</html>
`.markup;
}

const scriptElement = (script: Script): Markup =>
  'text' in script
    ? html`<script>${raw(script.text)}</script>\n`
    : html`<script type="module" src="${script.address}"></script>\n`;

function previewElements({ title, description }: NonNullable<Page['preview']>): Markup {
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${productName}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
`;
}

/**
 * A page with a script may run this script, and no other. The forms of a module are handled by it, and are never sent.
 * Strings become neither markup nor code: https://www.w3.org/TR/trusted-types/
 */
function scriptDirectives(script: Script): string[] {
  const allowed =
    'text' in script
      ? [
          `script-src 'sha256-${createHash('sha256').update(script.text).digest('base64')}'`,
          "form-action 'self'",
        ]
      : [`script-src ${script.address}`, "connect-src 'self'", "form-action 'none'"];
  return [...allowed, "require-trusted-types-for 'script'", "trusted-types 'none'"];
}

/**
 * The `form-action` source of a redirect URI. Browsers apply `form-action` also to the redirect that follows
 * a form: without the application's origin they would block the last step. Native applications use a private
 * scheme (RFC 8252 section 7.1).
 */
function formTarget(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  // A host can contain characters that end a directive. The source is then the scheme alone.
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) ? origin : protocol;
}

/** A redirect that the browser follows with GET, whatever the request's method: RFC 9700 section 4.12. */
export function redirectReply(location: string, cookies: readonly string[] = []): Reply {
  return new Reply(303, {
    headers: { location, 'referrer-policy': 'no-referrer' },
    cookies,
  });
}

/**
 * Renders JSON errors of a handler as pages, for callers that accept HTML. Other callers get the JSON.
 *
 * @param errorPage the page for a status. `auditId` identifies the log record of a 5xx.
 */
export function withErrorPages(
  handler: LambdaHandler,
  frame: PageFrame,
  errorPage: (status: number, auditId: string) => Page,
): LambdaHandler {
  return async (event, context) => {
    const result = await handler(event, context);
    const { 'content-type': type, 'x-audit-id': auditId = '' } = result.headers ?? {};
    if (!String(type).startsWith('application/json') || !acceptsHtml(header(event, 'accept'))) return result;
    const body = frame.render(errorPage(result.statusCode, String(auditId)));
    return { ...result, headers: { ...result.headers, ...frame.headers() }, body };
  };
}

/** The text of a 5xx, the same on every page. @param auditId of the log record. */
export function failureInWords(auditId: string): { title: string; text: string } {
  return {
    title: 'Something failed on our side',
    text: `Try again in a moment. If you report the problem, quote ${auditId}.`,
  };
}

export const acceptsHtml = (accept: string | undefined): boolean => accept?.includes('text/html') === true;
