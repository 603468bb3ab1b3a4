import { defined } from '../../shared/contract/defined.ts';
import type { Reply } from '../../shared/contract/route.ts';
import { type Page, pageFrame, type ReplyOptions } from '../../shared/html/page.ts';
import { safetyNote, signInStyles } from '../../shared/sign-in/forms.ts';

const styles = `${signInStyles}.scopes{list-style:none;margin:0 0 20px;padding:0;border-top:1px solid var(--line)}
.scopes li{padding:14px 0;border-bottom:1px solid var(--line)}
.scopes p{margin:2px 0 0;color:var(--muted);font-size:14px}
.scopes .warning{margin-top:6px;color:var(--text)}
.warning strong{color:var(--alarm)}
`;

export const consentFrame = pageFrame({
  styles,
  footer: safetyNote,
});

/** A response that is a consent page. @param redirectUri where a form of the page may lead after its submission. */
export function pageReply(
  status: number,
  page: Page,
  { redirectUri, ...rest }: Omit<ReplyOptions, 'redirectUris'> & { redirectUri?: string } = {},
): Reply {
  const redirectUris = redirectUri === undefined ? undefined : [redirectUri];
  return consentFrame.reply(status, page, { ...rest, ...defined({ redirectUris }) });
}
