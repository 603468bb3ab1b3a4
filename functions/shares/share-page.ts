/** The page on which people create and open shares. Its script is lib/share-page. */
import * as z from 'zod/mini';
import type { Reply } from '../shared/contract/route.ts';
import { html } from '../shared/html/markup.ts';
import { type Page, pageFrame, withErrorPages } from '../shared/html/page.ts';
import { type DeployedFile, deployedFile } from '../shared/lambda/deployed-file.ts';
import type { LambdaHandler } from '../shared/lambda/endpoint.ts';
import { sharePageStyles } from './share-page-styles.ts';

/** The name of the script beside the code of a function. */
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
