/** The frame of the consent pages: their styles, footer and headers. */
import { defined } from '../../shared/contract/defined.ts';
import type { Reply } from '../../shared/contract/route.ts';
import { html } from '../../shared/html/markup.ts';
import { type Page, pageFrame } from '../../shared/html/page.ts';
import { productName } from '../../shared/html/theme.ts';

const styles = `
.error{margin:6px 0 0;color:var(--alarm);font-size:14px}
label{display:block;margin:0 0 6px;font-weight:600}
input{width:100%;min-height:48px;padding:10px 14px;border:1px solid var(--muted);border-radius:8px;background:var(--card);color:var(--text);font:inherit}
input[aria-invalid]{border-color:var(--alarm);border-width:2px;padding:9px 13px}
input.code{font-family:Consolas,Menlo,Monaco,monospace;font-size:26px;letter-spacing:.3em;text-align:center;padding-left:calc(14px + .3em)}
.hint{margin:6px 0 0;color:var(--muted);font-size:14px}
.who{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 16px;margin:0 0 20px;padding:12px 14px;border-radius:8px;background:var(--panel);font-size:14px}
.who button{font-size:14px}
.scopes{list-style:none;margin:0 0 20px;padding:0;border-top:1px solid var(--line)}
.scopes li{padding:14px 0;border-bottom:1px solid var(--line)}
.scopes p{margin:2px 0 0;color:var(--muted);font-size:14px}
.scopes .warning{margin-top:6px;color:var(--text)}
.warning strong{color:var(--alarm)}
`;

export const consentFrame = pageFrame({
  styles,
  footer: html`<p>${productName} never asks for a code by phone, in a chat or on any other page.</p>`,
});

/**
 * A response that is a consent page.
 *
 * @param redirectUri where a form of the page may lead after its submission.
 */
export function pageReply(
  status: number,
  page: Page,
  options: { redirectUri?: string; cookies?: readonly string[]; retryAfterSeconds?: number | undefined } = {},
): Reply {
  const { redirectUri, ...rest } = options;
  const redirectUris = redirectUri === undefined ? undefined : [redirectUri];
  return consentFrame.reply(status, page, { ...rest, ...defined({ redirectUris }) });
}
