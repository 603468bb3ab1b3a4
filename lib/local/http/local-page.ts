import { createHash } from 'node:crypto';
import { escaped } from '../../../functions/shared/html/markup.ts';
import { formatTime } from '../../../functions/shared/html/text.ts';
import { utc } from '../../../functions/shared/runtime/time-zone.ts';
import { styles } from '../mailbox/styles.ts';

/** Text as markup in which it is only text. */
export const e = (text: string): string => escaped(text).markup;

/** Reloads for what is new, unless the filter is being edited. */
const refresh =
  "setInterval(()=>{if(!document.hidden&&document.activeElement?.tagName!=='INPUT')location.reload()},4000)";

/** The end of a page that shows what comes in. */
export const refreshScript = `<script>${refresh}</script>`;

/** The policy of a page, and of the mail that it frames: nothing is loaded. */
export const framePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'";

/**
 * Nothing is loaded, and no script runs but the page's own. The frame of a mail inherits the policy, which thus applies to
 * the mail too.
 */
export const localPagePolicy = `${framePolicy}; script-src 'sha256-${createHash('sha256').update(refresh).digest('base64')}'; form-action 'self'; frame-ancestors 'none'`;

/** A moment, as every page of the local stack shows it. @param iso ISO 8601 in UTC. */
export function localTime(iso: string): string {
  return `<time datetime="${e(iso)}">${formatTime(Date.parse(iso), utc)}</time>`;
}

/** A page of the local stack. @param title is escaped; `body` and `end` are markup. */
export function localPage(title: string, body: string, end = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${e(title)} – Vouchsafe</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
${body}
${end}
</body>
</html>
`;
}
