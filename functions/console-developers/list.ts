import * as z from 'zod/mini';
import { applicationPage } from '../applications/application-page.ts';
import { applicationTable } from '../console/pages/application-table.ts';
import { textField } from '../console/pages/blocks.ts';
import { filterForm, ofPeriod } from '../console/pages/lists.ts';
import { filled } from '../console/pages/path.ts';
import { type Answer, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import type { Input } from '../shared/contract/route.ts';
import { html, type Markup } from '../shared/html/markup.ts';
import { validationMessages } from '../shared/lambda/validation-messages.ts';
import { periodFields } from '../shared/lists/requests.ts';
import { route } from './contracts/list.ts';
import { applicationPath } from './contracts/paths.ts';

const shownApplications = 25;

const Period = z.object(periodFields('the creation', 'UTC'));

/** Shows the applications of a period, newest first. */
export async function listDeveloperApplications(
  { query }: Input<typeof route>,
  visit: Visit,
): Promise<Answer> {
  const asked = Period.safeParse(query, { reportInput: true });
  if (!asked.success) return page(visit, '', validationMessages(asked.error.issues, 'query'));
  const { from, to } = asked.data;
  return ofPeriod(
    async () => {
      const request = { limit: shownApplications, cursor: query.cursor, from, to };
      const hrefOf = (applicationId: string) => visit.href(filled(applicationPath, { applicationId }));
      return page(visit, applicationTable(visit, await applicationPage(request), hrefOf), {});
    },
    (problems) => page(visit, '', problems),
  );
}

/** @param problems by the names of the filters. */
function page(visit: Visit, content: Markup | '', problems: Readonly<Record<string, string>>): Answer {
  const dayField = (name: 'from' | 'to', label: string) =>
    textField(name, label, { type: 'date', value: visit.query[name] ?? '', error: problems[name] });
  const fields = [dayField('from', 'Created from'), dayField('to', 'To (inclusive)')];
  return show(
    'Developers',
    html`<h1>Developers</h1>
${filterForm(visit, fields)}
${content}`,
    { status: Object.keys(problems).length === 0 ? 200 : 400 },
  );
}

export const handler = consoleEndpoint(route, 'support', listDeveloperApplications);
