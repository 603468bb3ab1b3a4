import { STATUS_CODES } from 'node:http';
import type { services } from '../../functions/routes.ts';
import { gatewayErrors } from '../../functions/shared/contract/errors.ts';

/** One sentence a service; one that is missing here does not compile. */
export const serviceSummaries: Readonly<Record<keyof typeof services, string>> = {
  shares: 'Secrets encrypted on the client, opened by link, burned on reading.',
  devices: 'Which devices of a user are trusted: codes by e-mail, the list, revocation.',
  vault: 'The encrypted vault, kept in step between devices. The server holds ciphertext only.',
  links: 'Links that applications submit for a user, reviewed by a team; social accounts.',
  oauth: 'OAuth 2.0: a user allows an application to act for him.',
  operator: 'Applications, their secrets, users, and the review queue: for those who run the service.',
  subscriptions:
    'Plans, clients, subscriptions with free trials, invoices and their payment, and who is entitled to what.',
  reference: 'What you are reading, for people and for programs.',
};

const gatewayTable = Object.values(gatewayErrors)
  .toSorted((a, b) => a.status - b.status)
  .map(({ status, error, message }) => `| ${status} ${STATUS_CODES[status]} | \`${error}\` | ${message} |`);

/** The rules that hold for every operation, in CommonMark. */
export const commonRules = `\
These rules hold for every operation.

**Requests.** Bodies are JSON in UTF-8. Fields that an operation does not know are ignored; a field of the wrong type
is refused, and so is a query parameter that is given twice.

**Answers.** JSON in UTF-8 that is never to be cached. New fields may appear; ignore those you do not know.
\`x-request-id\` names the request.

**Times** are ISO 8601 in UTC with milliseconds: \`2026-01-31T12:00:00.000Z\`.

**Ids** are opaque, and upper and lower case differ. Take them as they are; their form may change.

**Errors** have one of three shapes. Where \`error\` is a sentence, it is fixed and can be compared with:

\`\`\`json
{ "error": "Invalid payload", "details": { "iv": "is required" } }
\`\`\`

Where there is a \`message\` too, \`error\` is a code to compare with and \`message\` says it in words:

\`\`\`json
{ "error": "server_error", "message": "Something failed on our side." }
\`\`\`

OAuth endpoints answer as RFC 6749 section 5.2 says: \`error\` and \`error_description\`.

\`details\` is there when there is more to say: each offending field of an invalid request, or what to do next.
A 500 never says why. Its \`x-audit-id\` names our record of the cause: quote it when you report it.

**Rate limits** count the requests of one client address (of an IPv6 address its /64) in a window that slides, those
refused for their form included. Over the limit the answer is 429, and \`Retry-After\` says after how many whole seconds
the same request is let through.

**On the way.** Some requests are refused before any operation is reached. Those answers look the same everywhere, and
a 405 lists the path's methods in \`Allow\`:

| status | \`error\` | \`message\` |
|---|---|---|
${gatewayTable.join('\n')}
`;
