import { html } from '../shared/html/markup.ts';
import { failureInWords, type Page, withErrorPages } from '../shared/html/page.ts';
import { deployedPart } from '../shared/lambda/deployed-file.ts';
import { endpoint, found, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { homeFrame } from './home-page.ts';
import { pageReply } from './page-reply.ts';
import { groupRoute } from './routes.ts';

/** Returns a page of the reference below the first one. @throws ApiError `not_found` for a name that no page has. */
export async function readGroup({ params, headers }: Input<typeof groupRoute>): Promise<Reply> {
  const page = found(await deployedPart('docs.json', params.group));
  return pageReply(page, headers['if-none-match']);
}

function problemPage(status: number, auditId: string): Page {
  const { title, text } = status < 500 ? missing : failureInWords(auditId);
  return { title, content: html`<h1>${title}</h1><p>${text}</p><p><a href="../docs">API reference</a></p>` };
}

const missing = { title: 'Page not found', text: 'The API reference has no page at this address.' };

export const handler = withErrorPages(endpoint(groupRoute, readGroup), homeFrame, problemPage);
