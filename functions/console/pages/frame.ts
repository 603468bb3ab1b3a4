import { defined } from '../../shared/contract/defined.ts';
import { allows } from '../../shared/contract/operator-scopes.ts';
import { html, type Markup, raw } from '../../shared/html/markup.ts';
import { type Page, pageFrame } from '../../shared/html/page.ts';
import { monospace } from '../../shared/html/theme.ts';
import { actionForm, hiddenField, textField } from './blocks.ts';
import { type Section, sections } from './sections.ts';
import { type ConsolePath, type Crumbs, filled, pageNamed, type Visit, withQuery } from './visit.ts';

/** Pages within which others are, below their sections. Without a name they have the id of their application. */
const within: readonly (readonly [path: ConsolePath, name?: string])[] = [
  ['/console/customers/{applicationId}'],
  ['/console/developers/{applicationId}'],
  ['/console/money/{applicationId}'],
  ['/console/money/{applicationId}/statements', 'Bank statements'],
];

/** @param crumbs names of pages, which a page knows. Others than those of the path follow them. */
function breadcrumb({ path: own, query, href }: Visit, title: string, crumbs: Crumbs = {}): Markup {
  if (own === '/console') return raw('');
  // The list of the customers of an application is a filter of the section.
  const { application = '' } = query;
  const path =
    own === '/console/customers' && application !== ''
      ? `${own}/${encodeURIComponent(application.toWellFormed())}`
      : own;
  const [, , , applicationId = ''] = path.split('/').map(decodeURIComponent);
  const places = [
    ['/console', 'Console'] as const,
    ...sections.map((section) => [section.path, section.title] as const),
    ...within.map(([pattern, name = applicationId]) => [filled(pattern, { applicationId }), name] as const),
  ].filter(([place]) => path.startsWith(`${place}/`));
  const names = new Map(places.map(([place, name]) => [pageOf(place), name]));
  for (const [place, name] of Object.entries(crumbs)) names.set(pageNamed(place), name);
  const links = [...names].map(
    ([place, name]) => html`<li><a href="${href(place)}" dir="auto">${name}</a></li>`,
  );
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${links}<li><span aria-current="page" dir="auto">${title}</span></li></ol></nav>
`;
}

/** The page at a place. */
function pageOf(place: ConsolePath): ConsolePath {
  const [, application] = /^\/console\/customers\/([^/]+)$/.exec(place) ?? [];
  return application === undefined
    ? place
    : withQuery('/console/customers', { application: decodeURIComponent(application) });
}

const styles = `
.frame{max-width:1080px;padding-top:24px}
nav>ul{display:flex;flex-wrap:wrap;gap:4px 20px;list-style:none;margin:0;padding:0}
nav a{display:inline-block;min-height:32px;line-height:32px}
nav a[aria-current]{color:var(--text);font-weight:600;text-decoration:none}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:8px 24px;padding:0 4px 16px}
.bar form,.row{display:flex;flex-wrap:wrap;align-items:flex-end;gap:8px}
.bar .field,.row .field{flex:1 1 200px}
.bar .who{margin-left:auto;display:flex;flex-wrap:wrap;align-items:center;gap:4px 16px;font-size:14px}
.bar .who button{font-size:14px}
.bar .search{flex:1 1 280px}
.field{margin:0 0 12px}
.bar .field{margin:0}
label{display:block;margin:0 0 6px;font-weight:600}
input,textarea,select{width:100%;min-width:0;min-height:44px;padding:8px 12px;border:1px solid var(--muted);border-radius:8px;background:var(--card);color:var(--text);font:inherit}
input[aria-invalid]{border-color:var(--alarm);border-width:2px;padding:7px 11px}
[type=radio]{width:24px;min-height:24px;margin:0 8px 0 0;flex:none}
fieldset{min-width:0;margin:16px 0;padding:16px;border:1px solid var(--line);border-radius:8px}
legend{padding:0 8px;font-weight:600}
fieldset>label{display:flex;align-items:center;min-height:32px;font-weight:400}
td button{flex:0 1 auto}
td fieldset{margin:0 0 12px;padding:0;border:0}
@media (min-width:960px){td fieldset{min-width:280px}}
del{color:var(--alarm)}
ins{font-weight:600}
button{min-height:44px;padding:8px 20px;flex:none;max-width:100%;white-space:normal}
.error{margin:6px 0 0;color:var(--alarm);font-size:14px}
.hint{margin:6px 0 0;color:var(--muted);font-size:14px}
table+p,.facts+p,.hint+form{margin-top:12px}
.notice{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 16px;margin:0 0 20px;padding:12px 14px;border:1px solid var(--line);border-left:4px solid var(--accent);border-radius:8px;background:var(--panel)}
section{margin:28px 0 0}
section h2{margin:0 0 8px;font-size:18px}
details{border-bottom:1px solid var(--line)}
summary{min-height:44px;padding:10px 0;cursor:pointer}
details .actions{margin:0 0 16px}
table{width:100%;border-collapse:collapse;font-size:15px}
caption{text-align:left;padding:0 0 8px;font-weight:600}
th,td{padding:10px 16px 10px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{min-width:72px}
thead th{color:var(--muted);font-size:14px;font-weight:400;overflow-wrap:normal}
tbody th{font-weight:600}
thead a{display:inline-block;min-height:24px;color:inherit}
[aria-sort] a{color:var(--text);font-weight:600}
[aria-sort=ascending] a::after{content:" \\2191"}
[aria-sort=descending] a::after{content:" \\2193"}
th.amount,td.amount{padding-left:8px;text-align:right;font-variant-numeric:tabular-nums}
.facts{margin:0}
.facts div{display:flex;flex-wrap:wrap;gap:2px 16px;padding:8px 0;border-bottom:1px solid var(--line)}
.facts dt{flex:0 0 180px;color:var(--muted)}
.facts dd{margin:0;flex:1 1 220px}
.id{font-family:${monospace};font-size:14px}
button.copy{display:inline-block;min-width:24px;margin:0 0 0 8px;font:inherit;font-size:13px}
.badge{display:inline-block;white-space:nowrap;padding:0 8px;border:1px solid var(--muted);border-radius:10px;background:var(--panel);font-size:14px;line-height:20px}
.badge.alarm{border-color:var(--alarm);color:var(--alarm)}
.crumbs ol{display:flex;flex-wrap:wrap;gap:0 8px;list-style:none;margin:0;padding:0 4px 8px;font-size:14px}
.crumbs li{line-height:32px}
.crumbs li+li::before{content:"\\203a";margin:0 8px 0 0;color:var(--muted)}
.sent{white-space:pre-wrap}
pre{margin:0 0 16px;font-family:${monospace};font-size:14px;white-space:pre-wrap;overflow-wrap:anywhere}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
td .facts dt{flex:0 1 auto}
h3{margin:20px 0 4px;font-size:16px}
.chart{display:flex;margin:8px 0}
.plot{flex:1;min-width:0}
.chart svg{display:block;width:100%;height:182px;overflow:visible}
.months{display:grid;grid-auto-flow:column;grid-auto-columns:1fr}
.axis{display:flex;flex-direction:column;justify-content:space-between;height:180px;margin:10px 8px 0 0}
.axis span,.months span,.chart text{font-size:12px;line-height:20px;text-align:right;white-space:nowrap;color:var(--muted);fill:var(--muted);text-anchor:middle}
.months span{min-width:0;text-align:center}
.chart line{stroke:var(--line)}
.part{display:block;width:100%;max-width:320px;height:8px;margin:6px 0 0}
rect.main{fill:var(--accent)}
rect.alarm{fill:var(--alarm)}
@media (max-width:959px){.chart text{display:none}}
@media (max-width:900px){
.chart .between{visibility:hidden}
th{min-width:0}
table,thead,tbody,tr,caption{display:block}
thead tr{display:flex;flex-wrap:wrap;gap:4px 16px}
thead th{padding:0;border:0}
thead th:not(:has(a)){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tr{padding:10px 0;border-bottom:1px solid var(--line)}
thead tr:not(:has(a)){padding:0;border:0}
th.amount,td.amount{padding-left:0;text-align:left}
thead tr:has(a)::before{content:"Sort by";color:var(--muted);font-size:14px;line-height:24px}
tbody th,td{display:block;padding:2px 0;border:0}
td:empty{display:none}
td[data-title]::before{content:attr(data-title) ": ";color:var(--muted)}
}
`;

export const consoleFrame = pageFrame({
  styles,
  footer: html`<p>Times are in UTC.</p>`,
});

/** A page, the names of the pages that it is within, and the text of its script. */
type Framed = Pick<Page, 'title' | 'content'> & { crumbs?: Crumbs; script?: string | undefined };

/** The page of a person who is signed in: with the sections that their scopes allow, and the notice of the action before. */
export function framed(
  { title, content, crumbs, script }: Framed,
  visit: Visit,
  shown: readonly Section[] = sections,
): Page {
  return {
    title,
    navigation: html`${navigation(visit, shown)}${breadcrumb(visit, title, crumbs)}`,
    content: html`${noticeOf(visit)}${content}`,
    ...defined({ script: script === undefined ? undefined : { text: script } }),
  };
}

function navigation(visit: Visit, shown: readonly Section[]): Markup {
  const { operator, scopes, path, href } = visit;
  const home = { title: 'Console', path: '/console' as const };
  const links = [home, ...shown.filter(({ scope }) => scope === 'any' || allows(scopes, scope))].map(
    (section) =>
      html`<li><a href="${href(section.path)}"${isWithin(path, section.path) ? raw(' aria-current="page"') : ''}>${section.title}</a></li>`,
  );
  return html`<nav class="bar" aria-label="Console"><ul>${links}</ul>
<div class="who"><span dir="auto">${operator.name}</span>${actionForm(visit, '/console/sign-out', html`<button type="submit" class="plain">Sign out</button>`)}</div>
<form class="search" role="search" method="get" action="${href('/console/search')}">${textField('q', 'Search', { id: 'search', isLabelUnseen: true, maxLength: 254 })}<button type="submit" class="second">Search</button></form></nav>
`;
}

/** Whether a page belongs to a section. The home page is no section of others. */
const isWithin = (path: string, section: string): boolean =>
  path === section || (section !== '/console' && path.startsWith(`${section}/`));

function noticeOf(visit: Visit): Markup | string {
  const { notice, noticeForm: form } = visit;
  if (notice === undefined) return '';
  if (form === undefined) return html`<p class="notice" role="status">${notice}</p>`;
  const fields = Object.entries(form.fields).map(([name, value]) => hiddenField(name, value));
  const button = html`<button type="submit" class="plain" data-key="${form.key}">${form.button}</button>`;
  return html`<div class="notice"><span role="status">${notice}</span>${actionForm(visit, form.path, html`${fields}${button}`)}</div>`;
}
