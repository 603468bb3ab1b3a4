import { type Command, operationPath } from '../console/contracts/command.ts';
import { column, table } from '../console/pages/table.ts';
import type { Visit } from '../console/pages/visit.ts';
import { html, type Markup } from '../shared/html/markup.ts';

/** The operations, by their services. */
export function listPage({ href }: Visit, commands: readonly Command[]): Markup {
  const services = [...new Set(commands.map(({ service }) => service))];
  const link = ({ service, name, words }: Command) =>
    html`<a href="${href(operationPath(service, name))}">${words.title}</a>`;
  const tables = services.map((service) =>
    table(
      service.charAt(0).toUpperCase() + service.slice(1),
      commands.filter((command) => command.service === service),
      [
        column.block('Operation', link),
        column.text('In short', ({ route }) => route.summary),
        column.text('Scope', ({ route }) => route.operatorScope ?? ''),
      ],
      '',
    ),
  );
  return html`<h1>Operations</h1>
<p class="note">Each form is an operation of the API, and of the operator's command line.</p>
${tables}`;
}
