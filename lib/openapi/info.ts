import { STATUS_CODES } from 'node:http';
import type { Registered, services } from '../../functions/routes.ts';
import { gatewayErrors } from '../../functions/shared/contract/errors.ts';
import { documentedPath } from './paths.ts';
import { webhookRules } from './webhooks.ts';

type Service = keyof typeof services;

/** The tag of a service. The services of the sections of the console have that of the console. */
export const tagOf = (service: string): string => service.replace(/^console-.*$/, 'console');

/** One sentence for each tag, in the order of the document. A service that is missing here does not compile. */
export const tagSummaries: Readonly<Record<Exclude<Service, `console-${string}`>, string>> = {
  shares: 'Secrets that the client encrypts and a link opens, once or repeatedly.',
  devices: 'Trusted devices of a user: verification by e-mail code, listing and revocation.',
  vault: 'The encrypted vault, synchronized between devices. The server stores ciphertext only.',
  links: 'Links that applications submit for a user and a team reviews, and social accounts.',
  oauth: 'OAuth 2.0: users authorize applications to act on their behalf.',
  account: 'The page on which people see their devices and applications, and remove them. For browsers.',
  plans: 'What an application sells: price, billing cycle, trial and features.',
  clients: 'The customers of an application, by its own ids.',
  subscriptions: 'Subscriptions of clients to plans: trials, terms, changes of plan and entitlement.',
  invoices: 'Invoices and credit notes, as data, HTML and PDF.',
  payments: 'Payments: reported by the application, at a payment gateway, or on a page.',
  portal: 'The page on which subscribers manage their subscription. For browsers.',
  statements: 'Bank statements, whose entries become payments.',
  journal: 'The entries of the ledger, for accounting programs.',
  reports: 'Reports for the people who do the books.',
  webhooks: 'Events of an application: a list to read, and webhooks to which they are delivered, signed.',
  applications: 'Applications and their keys. For operators of the service.',
  users: 'Users, their social accounts and what they granted to applications. For operators of the service.',
  operator: 'Operator keys, audit records and mails that were not delivered. For operators of the service.',
  console: 'The pages on which operators find, decide and see what waits. For browsers.',
  reference: 'The home page, and this reference as a page and as an OpenAPI document.',
};

const gatewayTable = Object.values(gatewayErrors)
  .toSorted((a, b) => a.status - b.status)
  .map(({ status, error, message }) => `| ${status} ${STATUS_CODES[status]} | \`${error}\` | ${message} |`);

/** Conventions of every operation, in CommonMark. */
export const commonRules = (registry: readonly Registered[]): string => `\
These conventions apply to every operation.

**Requests.** Request bodies are JSON in UTF-8. An unknown field is rejected where the schema says
\`additionalProperties: false\` or the operation has no body, and \`details\` names the field that it may stand for. The other
operations of the contract, and forms, ignore it. A field of the wrong type is rejected, and so is a query parameter that
appears more than once, and a string that is not well-formed Unicode.

**Addresses.** Some operations below \`/api/v1\` have a second path without it, such as \`/plans\`. The contract names some of these. Use
\`/api/v1\` in new code.

**HEAD** answers as GET without a body. A GET that changes something has no HEAD:
${registry.flatMap(({ route }) => (route.isUnsafe ? `\`${documentedPath(route)}\`` : [])).join(', ')}.

**Responses.** Response bodies are JSON in UTF-8 and must not be cached, except for this document and its page at
\`/docs\`. New fields may be added at any time: ignore fields that you do not know. The header \`x-request-id\` identifies
the request. Every response has it, with \`Cache-Control\` (\`no-store\` unless an operation says otherwise) and
\`X-Content-Type-Options: nosniff\`; operations list their other headers.

**Pages.** A list or history that does not fit into one response has a \`nextCursor\`. Repeat the request with it as
\`cursor\`, or as \`after\` for events. A page can hold fewer records than its \`limit\`, because a response is limited to 6 MB.

**Texts** on one line, such as titles and names, contain no control characters. Texts on several lines contain none but
tabs and line ends. Characters that override or isolate the writing direction are rejected in both.

**Times** are ISO 8601 in UTC with milliseconds: \`2026-01-31T12:00:00.000Z\`.

**IDs** are opaque and case-sensitive. Do not parse them: their format may change.

**Errors** have one of three shapes. In the first, \`error\` is a sentence. Its wording is fixed, so you can compare it:

\`\`\`json
{ "error": "Invalid payload", "details": { "iv": "is required" } }
\`\`\`

In the second, \`error\` is a code to compare, and \`message\` explains it to people:

\`\`\`json
{ "error": "server_error", "message": "Something failed on our side." }
\`\`\`

OAuth endpoints use the third shape, \`error\` and \`error_description\`, as defined in RFC 6749 section 5.2.

If available, \`details\` names each invalid field of the request, or the next step to take. A 500 response never explains
the cause. Its header \`x-audit-id\` identifies the log record: quote it when you report the problem.

**Rate limits** apply to each client IP address, or to its /64 for IPv6, in a sliding window. Requests that fail
validation count too. Calls about links, subscriptions, webhooks and events count per application; those with access tokens of a user count for
this user first, with a tenth of the limit. Over the limit, the response is 429, and \`Retry-After\` is the number of whole seconds after which
the same request is accepted.

${webhookRules}

**Gateway errors.** Some requests are rejected before they reach an operation. These responses have the same form on every
path. A 405 response lists the methods of the path in \`Allow\`:

| status | \`error\` | \`message\` |
|---|---|---|
${gatewayTable.join('\n')}
`;
