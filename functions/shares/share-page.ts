/** The page on which people create and open shares. Its script is lib/share-page. */
import * as z from 'zod/mini';
import { html } from '../shared/html/markup.ts';
import { type Page, pageFrame, withErrorPages } from '../shared/html/page.ts';
import { monospace } from '../shared/html/theme.ts';
import { type DeployedFile, deployedFile } from '../shared/lambda/deployed-file.ts';
import type { LambdaHandler, Reply } from '../shared/lambda/endpoint.ts';

const sharePageStyles = `
@media (scripting:none){.loading{display:none}}
h1:focus{outline:none}
code{font:14px/1.5 ${monospace}}
fieldset{min-width:0;margin:0;padding:0;border:0}
fieldset[disabled]{opacity:.6}
legend,label{padding:0;font-weight:600}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.field{margin:0 0 20px}
.field>label,.choice>legend,.drop>label,.running>label{display:block;margin:0 0 6px}
textarea,input:not([type=radio],[type=checkbox],[type=file]),select{display:block;width:100%;min-height:48px;padding:11px 14px;border:1px solid var(--muted);border-radius:8px;background:var(--card);color:var(--text);font:inherit}
textarea{resize:vertical}
textarea.link{min-height:0;margin:0 0 12px;background:var(--page);font:14px/1.5 ${monospace};word-break:break-all;resize:none}
[aria-invalid=true]{border-color:var(--alarm)!important}
.error{margin:6px 0 0;color:var(--alarm)}
.field .note{margin:6px 0 0}
.field button{width:100%}
.choice{display:flex;flex-wrap:wrap;gap:12px;margin:0 0 20px}
.choice>legend{margin-bottom:8px}
.choice label{position:relative;flex:1 1 120px;display:flex;align-items:center;gap:10px;min-height:48px;padding:10px 14px;border:1px solid var(--line);border-radius:8px;font-weight:400;cursor:pointer}
.choice label:has(:checked){border-color:var(--accent);background:var(--panel)}
input[type=radio],input[type=checkbox]{flex:none;width:20px;height:20px;margin:0;accent-color:var(--accent)}
.row{display:flex;flex-wrap:wrap;gap:0 16px}
.row .field{flex:1 1 140px}
.joined{display:flex;gap:8px}
.joined input{flex:1 1 auto;min-width:0}
.joined button{flex:none;width:auto;padding:10px 16px}
.check{display:flex;gap:12px;align-items:flex-start;min-height:24px;font-weight:400;cursor:pointer}
.check input{margin-top:2px}
.drop{margin:0 0 8px;padding:16px;border:1px dashed var(--muted);border-radius:8px}
.drop .note{margin:8px 0 0}
input[type=file]{width:100%;font:inherit;font-size:14px}
::file-selector-button{min-height:40px;margin:0 12px 0 0;padding:6px 16px;border:1px solid var(--accent);border-radius:8px;background:none;color:var(--accent);font:inherit;font-weight:600;cursor:pointer}
.files{list-style:none;margin:16px 0;padding:0;border-top:1px solid var(--line)}
.files li{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 16px;padding:10px 0;border-bottom:1px solid var(--line)}
.files li>span{flex:1 1 160px;min-width:0}
.files .second{flex:none;min-height:40px;padding:6px 16px}
.files .note{white-space:nowrap}
.running{margin:24px 0 0}
progress{display:block;width:100%;height:12px;accent-color:var(--accent)}
button:disabled,button[aria-disabled=true]{opacity:.6;cursor:default}
button.wide{width:100%}
button.danger{border-color:var(--alarm);background:none;color:var(--alarm)}
.qr{display:block;width:100%;max-width:208px;margin:24px auto;border-radius:8px}
.receipt{margin:24px 0 16px;padding:20px 0 0;border-top:1px solid var(--line)}
.secret{max-height:60vh;margin:20px 0 0;padding:16px;border:1px solid var(--line);border-radius:8px;background:var(--page);overflow:auto;white-space:pre-wrap;font:15px/1.5 ${monospace}}
.state{font-size:18px;font-weight:600}
dl{margin:0}
dl div{display:flex;flex-wrap:wrap;gap:0 16px;padding:8px 0;border-top:1px solid var(--line)}
dt{flex:0 0 110px;color:var(--muted)}
dd{margin:0;flex:1 1 180px}
.question{margin:24px 0 0;padding:20px;border:1px solid var(--line);border-radius:8px}
.question p{margin:8px 0 0}
.note.after{margin:16px 0 0}
main>p.status{margin:16px 0 0;color:var(--muted);font-size:14px}
main>p.status:empty{margin:0}
`;

export const scriptFile = 'share-page.js';

/** The pattern of the names of all versions of the script. */
export const scriptNamePattern = /^share-page-[\w-]{43}\.js$/;

/** The name that the script has on the web: with the hash of its content, which is its entity tag. */
export const scriptName = ({ etag }: DeployedFile): string => `share-page-${etag.replaceAll('"', '')}.js`;

/** The name and the hash of the package that the deployment serves, `vouchsafe-client.tar`. */
const ServedPackage = z.object({ file: z.string(), integrity: z.string() });

/** The name that the package has on the web, with its version, and its hash: https://www.w3.org/TR/SRI/ */
export async function servedPackage() {
  return ServedPackage.parse(JSON.parse((await deployedFile('vouchsafe-client.json')).text));
}

const frame = pageFrame({
  styles: sharePageStyles,
  footer: html`<p>Your browser encrypts and decrypts everything. The key is only in the link, after the “#”, and never reaches the server.</p>`,
});

/**
 * The page: the same bytes for every share, so that it tells nothing about one.
 *
 * The address of the script is absolute, because the page is reached at two depths.
 *
 * @param baseUrl of the API.
 */
export async function sharePage(baseUrl: string): Promise<Reply> {
  const [scriptText, { file, integrity }] = await Promise.all([deployedFile(scriptFile), servedPackage()]);
  const script = { address: `${baseUrl}/assets/${scriptName(scriptText)}` };
  const content = beforeScript(`${baseUrl}/assets/${file}`, integrity);
  return frame.reply(200, { title: 'Share a secret', content, preview, script });
}

/** The same for every link: it tells nothing about a share, not even whether there is one. */
const preview = {
  title: 'Somebody shared a secret',
  description: 'Open the link in a browser to read it. A preview opens nothing.',
};

/** The content of the page before its script runs, and without it. The script replaces all of it. */
const beforeScript = (program: string, integrity: string) => html`<h1>Share a secret</h1>
<p class="loading">Loading. If nothing happens, reload the page.</p>
<noscript>
<p>This page needs JavaScript to encrypt and decrypt in your browser. Nothing was opened. Allow JavaScript for this page, and reload it.</p>
<p>Without JavaScript, open the link in a terminal with Node.js:</p>
<p><code>npx ${program} open '&lt;link&gt;'</code></p>
<p class="note">The hash of this program is <code>${integrity}</code>.</p>
</noscript>`;

/** Makes a handler respond to errors with pages, for callers that accept HTML. */
export function withSharePageErrors(handler: LambdaHandler): LambdaHandler {
  return withErrorPages(handler, frame, problemPage);
}

function problemPage(status: number, auditId: string): Page {
  const report =
    auditId === '' ? html`` : html`<p class="note">If you report the problem, quote ${auditId}.</p>`;
  return {
    title: 'Something failed',
    content: html`<h1>${status < 500 ? 'This address is not valid' : 'Something failed on our side'}</h1>
<p>Nothing was opened. Try the link again in a moment.</p>
${report}`,
  };
}
