import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { escaped } from '../../../functions/shared/html/markup.ts';
import { minuteMs } from '../../../functions/shared/runtime/clock.ts';
import { isSignedHere, ServiceError } from '../aws-json.ts';
import { readBody } from '../http/body.ts';
import { failures, type Mailbox } from './mailbox.ts';
import { maxMessageBytes, rawMail, simpleMail } from './message.ts';

const namespace = 'http://ses.amazonaws.com/doc/2010-12-01/';
/** The largest message with every byte as %XX, and room for the other parameters. */
const maxBodyBytes = 3 * maxMessageBytes + 1024 * 1024;
/** How long a send with the failure `timeout` gets no response, for SDKs without a timeout of their own. */
const silenceMs = minuteMs;

const operations = new Map([
  ['SendEmail', simpleMail],
  ['SendRawEmail', rawMail],
]);

/**
 * The local endpoint of version 1 of the SES API; `AWS_ENDPOINT_URL_SES` points an SDK to it. A mail is on disk before the
 * response to its send. Requests must be signed by this process: no web site can fill the mailbox.
 *
 * Source: https://docs.aws.amazon.com/ses/latest/APIReference/
 */
export function mailboxEndpoint(mailbox: Mailbox): RequestListener {
  return (request, response) => {
    const requestId = randomUUID();
    const send = (status: number, xml: string) =>
      // The SDK reads the request id from the header.
      response.writeHead(status, { 'content-type': 'text/xml', 'x-amzn-requestid': requestId }).end(xml);
    perform(mailbox, request).then(
      (result) => {
        if (result === 'silent') request.setTimeout(silenceMs, () => request.destroy());
        else send(200, succeeded(result.operation, result.messageId, requestId));
      },
      (error: unknown) => {
        const failure = new ServiceError('InternalFailure', `The mailbox failed: ${error}`, 500);
        const refusal = error instanceof ServiceError ? error : failure;
        send(refusal.status, refused(refusal, requestId));
      },
    );
  };
}

/** @throws ServiceError */
async function perform(
  mailbox: Mailbox,
  request: IncomingMessage,
): Promise<{ operation: string; messageId: string } | 'silent'> {
  const body = await readBody(request, maxBodyBytes);
  if (body === undefined) throw new ServiceError('RequestEntityTooLarge', 'The request is too large.', 413);
  if (!isSignedHere(request))
    throw new ServiceError('InvalidClientTokenId', 'The request is not signed by the local stack.', 403);
  const parameters = new URLSearchParams(body.toString());
  const operation = parameters.get('Action') ?? `${request.method} ${request.url}`;
  const read = operations.get(operation);
  if (read === undefined) {
    const known = [...operations.keys()].join(' and ');
    const text = `Could not find operation ${operation}: the local SES has ${known} of version 2010-12-01.`;
    throw new ServiceError('InvalidAction', text);
  }

  const failure = mailbox.takeFailure();
  if (failure === 'timeout') return 'silent';
  if (failure !== undefined) throw failures[failure];
  const mail = await read(parameters, mailbox.verifiedDomains);
  const set = parameters.get('ConfigurationSetName') ?? undefined;
  if (set !== undefined && !mailbox.configurationSets.includes(set))
    throw new ServiceError('ConfigurationSetDoesNotExist', `Configuration set <${set}> does not exist.`);
  return { operation, messageId: mailbox.accept(mail, set) };
}

function succeeded(operation: string, messageId: string, requestId: string): string {
  return (
    `<${operation}Response xmlns="${namespace}">` +
    `<${operation}Result><MessageId>${messageId}</MessageId></${operation}Result>` +
    `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata>` +
    `</${operation}Response>`
  );
}

function refused({ code, message, status }: ServiceError, requestId: string): string {
  const fault = status < 500 ? 'Sender' : 'Receiver';
  // XML has no control characters.
  const printable = message.replaceAll(/\p{Cc}/gu, '\ufffd');
  return (
    `<ErrorResponse xmlns="${namespace}">` +
    `<Error><Type>${fault}</Type><Code>${code}</Code><Message>${escaped(printable).markup}</Message></Error>` +
    `<RequestId>${requestId}</RequestId>` +
    '</ErrorResponse>'
  );
}
