import { html } from '../../shared/html/markup.ts';
import { failureInWords, type Page, pageFrame, withErrorPages } from '../../shared/html/page.ts';
import { monospace } from '../../shared/html/theme.ts';
import type { LambdaHandler } from '../../shared/lambda/endpoint.ts';

const styles = `
.from{margin:-8px 0 20px;color:var(--muted)}
.done{margin:0 0 20px;padding:12px 14px;border:1px solid var(--line);border-left:4px solid var(--accent);border-radius:8px;background:var(--panel)}
.state{margin:0 0 20px;padding:14px 16px;border-left:4px solid var(--accent);border-radius:8px;background:var(--panel)}
.state p{margin:4px 0 0;font-size:15px}
.state.quiet{border-color:var(--muted)}
.state.bad{border-color:var(--alarm)}
.state.bad h2{color:var(--alarm)}
.facts{width:100%;margin:0;border-collapse:collapse;font-size:15px}
.facts th,.facts td{padding:10px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
.facts th{padding-right:16px;color:var(--muted);font-weight:400;overflow-wrap:normal}
.facts td{text-align:right}
section{margin:28px 0 0}
section h2{margin:0 0 8px;font-size:18px}
.open{margin:0 0 12px;padding:16px;border:1px solid var(--line);border-radius:8px}
.open p:last-child,.open .facts:last-child{margin-bottom:0}
.open .facts{margin:0 0 12px}
.reference{font-family:${monospace};font-weight:600}
.list{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
.list li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:2px 16px;padding:12px 0;border-bottom:1px solid var(--line);font-size:15px}
.list .what{color:var(--muted);font-size:14px;flex:1 0 100%}
.list a{display:inline-block;min-height:24px}
a.button{display:block;min-height:48px;padding:11px 24px;border:1px solid var(--accent);border-radius:8px;background:var(--accent);color:var(--onAccent);font-weight:600;text-align:center;text-decoration:none}
a.button.second{background:none;color:var(--accent)}
a.button:hover{filter:brightness(.93)}
a.button.second:hover{background:var(--panel);filter:none}
.actions>a.button{flex:1 1 140px}
label{display:block;margin:0 0 6px;font-weight:600}
input{width:100%;min-height:48px;margin:0 0 12px;padding:10px 14px;border:1px solid var(--muted);border-radius:8px;background:var(--card);color:var(--text);font:inherit}
input[aria-invalid]{border-color:var(--alarm);border-width:2px;padding:9px 13px}
.error{margin:-6px 0 12px;color:var(--alarm);font-size:14px}
.hint{margin:0 0 12px;color:var(--muted);font-size:14px}
`;

export const billingFrame = pageFrame({
  styles,
  footer: html`<p>The seller wrote the text in quotation marks. Times are in UTC.</p><p>Anyone with the link to this page can see and change what is on it. Keep the link to yourself.</p>`,
});

/** Makes a handler respond to errors with pages, for callers that accept HTML. */
export function withBillingErrorPages(handler: LambdaHandler): LambdaHandler {
  return withErrorPages(handler, billingFrame, problemPage);
}

/** @param auditId of the log record, which the page shows for a 5xx. */
function problemPage(status: number, auditId: string): Page {
  const { title, text } = status < 500 ? refusalInWords(status) : failureInWords(auditId);
  return { title, content: html`<h1>${title}</h1><p role="alert">${text}</p>`, footer: html`` };
}

function refusalInWords(status: number): { title: string; text: string } {
  if (status === 404) {
    return {
      title: 'Page not found',
      text: 'The link is incomplete or not valid. Open the link in the latest mail about your subscription.',
    };
  }
  if (status === 409) {
    return {
      title: 'Nothing was changed',
      text: 'The subscription was changed at the same time. Open the link again, and check its state.',
    };
  }
  return {
    title: 'This request is not valid',
    text: 'Nothing was changed. Open the link in your mail again.',
  };
}
