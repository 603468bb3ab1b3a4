/** The routes that receive the forms of the commands of a service. */
import * as z from 'zod/mini';
import { callerGrants, mergedGrants } from '../../shared/contract/grants.ts';
import { page } from '../../shared/contract/headers.ts';
import { defineRoute, type Routes } from '../../shared/contract/route.ts';
import { lineField } from '../../shared/fields/text.ts';
import { actsFor, commandsOf } from './command.ts';
import { actionRoute, emptyOr, field, formBody, hidden, sessionTable } from './console-route.ts';

const Form = z.catchall(
  z.object({
    ...formBody,
    operation: hidden('The name of the operation within its service.'),
    page: field('The page that follows, of the console.', 1_024),
    applicationId: field('The application that the operator acts for, where the operation needs one.'),
    fixed: field('The names of the fields that the page fills in, and that nobody sees.', 8_192),
    shown: field(
      'The values with which the form came, as JSON. An optional field that has its value is left out of the request, and one that is emptied takes it away.',
      40_000,
    ),
    step: field('`confirm` after the form has shown what it changes.', 16),
    title: field('The title of the form.', 128),
    once: hidden('A random text of the page: the `Idempotency-Key` of the request.', 64),
    reason: emptyOr(
      'Why, for the record of the action. An operation with a reason in its body has that one.',
      // A blank one is refused at its field.
      lineField(500),
    ),
  }),
  field('`path.id`: a parameter of the path. `body.name`: a field of the body.', 20_000),
);

/** The route of the forms of a service. @param what they change, for the summary: `applications and their keys`. */
export function submitRoute<const S extends string>(service: S, routes: Routes, what: string) {
  const commands = commandsOf(service, routes);
  return defineRoute({
    ...actionRoute,
    path: `/console/operations/${service}`,
    operationId: `submit${service.replace(/^./, (letter) => letter.toUpperCase())}Forms`,
    summary: `Receives the forms that change ${what}.`,
    description:
      'For browsers. Each form is an operation of this document: it has the fields of its request, needs the same scope, and writes the same audit record.',
    body: Form,
    otherResponses: [
      ...actionRoute.otherResponses,
      page(200, 'The response of an operation that has a secret, which is shown once.'),
      page(409, 'The operation is not possible now. The page says why.'),
      page(422, 'An entry of the form is not possible. The page says which.'),
    ],
    errors: { ...actionRoute.errors, also: ['not_found'] },
    grants: mergedGrants([
      { table: sessionTable, files: ['console.js'] },
      ...commands.flatMap(({ route }) => [
        route.grants,
        ...callerGrants(route).slice(1),
        ...(actsFor(route) ? [{ table: { APP: ['GetItem'] }, uses: ['applicationRate'] } as const] : []),
      ]),
    ]),
  });
}
