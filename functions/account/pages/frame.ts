import { html } from '../../shared/html/markup.ts';
import { pageFrame } from '../../shared/html/page.ts';
import { safetyNote, signInStyles } from '../../shared/sign-in/forms.ts';

const styles = `${signInStyles}
.frame{max-width:640px}
.done{margin:0 0 20px;padding:12px 14px;border:1px solid var(--line);border-left:4px solid var(--accent);border-radius:8px;background:var(--panel)}
section{margin:32px 0 0}
section h2{font-size:20px}
section>p{margin:4px 0 12px}
.entries{list-style:none;margin:12px 0 0;padding:0;border-top:1px solid var(--line)}
.entries>li{padding:16px 0;border-bottom:1px solid var(--line)}
h3{margin:0;font-size:16px;line-height:1.5;font-weight:600}
.entries p{margin:2px 0 0;color:var(--muted);font-size:14px}
.entries .here{color:var(--text);font-weight:600}
summary{display:inline-block;min-height:24px;margin:8px 0 0;line-height:24px;color:var(--accent);font-size:14px;text-decoration:underline;cursor:pointer;border-radius:4px}
details p{margin:8px 0 0;font-size:14px}
details .actions{margin:16px 0 8px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`;

export const accountFrame = pageFrame({ styles, footer: safetyNote });

/** The small print of the overview. The license of the location data, CC BY 4.0, requires a link to the source. */
export const overviewFooter = html`${safetyNote}<p>Locations are estimated from network addresses, and can show another town or a VPN. <a href="https://db-ip.com" rel="noreferrer">IP geolocation by DB-IP</a></p>`;
