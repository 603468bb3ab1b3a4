import PostalMime, { type Email, type Address as HeaderAddress } from 'postal-mime';
import { checkAddress, formatAddress, isVerified, parseAddress } from './addresses.ts';
import type { Mail } from './mailbox.ts';
import { invalidParameter, SesError } from './ses-error.ts';

/** Source: https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html */
export const limits = { recipients: 50, messageBytes: 10 * 1024 * 1024 } as const;

/** The senders that SES accepts, and the region that requests are sent to. */
export interface Sender {
  /** Addresses and domains that may send. */
  verified: readonly string[];
  /** The refusal names it, as SES does. */
  region: string;
}

/** Headers that a mail may repeat. SES refuses to repeat any other. */
const repeatable = /^(?:received|comments|keywords|x-.*)$/;

/**
 * Parses the parameters of SendEmail.
 *
 * @throws SesError InvalidParameterValue, ValidationError, MessageRejected
 */
export function simpleMail(parameters: URLSearchParams, sender: Sender): Mail {
  const source = parameters.get('Source');
  const subject = parameters.get('Message.Subject.Data');
  const text = parameters.get('Message.Body.Text.Data');
  const html = parameters.get('Message.Body.Html.Data');
  if (source === null) throw missing('source');
  if (subject === null) throw missing('message.subject.data');
  if (text === null && html === null) throw invalidParameter('Missing body');
  // A line break would let the text of a subject become a header of the mail.
  if (/[\r\n\0]/.test(subject)) throw invalidParameter('Subject contains a line break');

  const addresses = (name: string) => members(parameters, name).map((value) => parseAddress(value).address);
  const mail: Mail = {
    from: formatAddress(parseAddress(source)),
    to: addresses('Destination.ToAddresses'),
    cc: addresses('Destination.CcAddresses'),
    bcc: addresses('Destination.BccAddresses'),
    replyTo: addresses('ReplyToAddresses'),
    subject,
    text: text ?? '',
    html: html ?? '',
    attachments: [],
  };
  checkRecipients(mail);
  checkSize(Buffer.byteLength(mail.subject) + Buffer.byteLength(mail.text) + Buffer.byteLength(mail.html));
  const returnPath = parameters.get('ReturnPath');
  checkSenders([source, ...(returnPath === null ? [] : [returnPath])], sender);
  return mail;
}

/**
 * Parses the parameters of SendRawEmail. With `Destinations` the mail goes to these alone, whatever its headers say. A
 * destination that is in neither To nor Cc is a blind copy.
 *
 * @throws SesError InvalidParameterValue, ValidationError, MessageRejected
 */
export async function rawMail(parameters: URLSearchParams, sender: Sender): Promise<Mail> {
  const data = parameters.get('RawMessage.Data');
  if (data === null) throw missing('rawMessage');
  const bytes = Buffer.from(data, 'base64');
  checkSize(bytes.byteLength);
  const email = await parseMime(bytes);
  refuseRepeatedHeaders(email);
  if (email.from === undefined) throw invalidParameter("Missing required header 'From'.");

  const mail: Mail = {
    from: mailboxes([email.from]).map(formatAddress).join(', '),
    ...recipientsOf(
      email,
      members(parameters, 'Destinations').map((value) => parseAddress(value).address),
    ),
    replyTo: mailboxes(email.replyTo).map(({ address }) => address),
    subject: email.subject ?? '',
    text: email.text ?? '',
    html: email.html ?? '',
    attachments: email.attachments.map(({ filename, mimeType, content }, index) => ({
      filename: filename ?? `attachment-${index + 1}`,
      contentType: mimeType,
      content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    })),
  };
  checkRecipients(mail);
  const source = parameters.get('Source');
  const headers = mailboxes([email.from, ...(email.sender === undefined ? [] : [email.sender])]);
  const returnPath = email.returnPath?.trim().replace(/^<(.*)>$/, '$1');
  checkSenders(
    [
      ...(source === null ? [] : [source]),
      ...headers.map(({ address }) => address),
      ...(returnPath ? [returnPath] : []),
    ],
    sender,
  );
  return mail;
}

async function parseMime(bytes: Buffer): Promise<Email> {
  try {
    // A forwarded mail remains an attachment.
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true });
  } catch (error) {
    throw invalidParameter(`The message cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function refuseRepeatedHeaders({ headers }: Email): void {
  const keys = new Set<string>();
  for (const { key, originalKey } of headers) {
    if (keys.has(key) && !repeatable.test(key)) throw invalidParameter(`Duplicate header '${originalKey}'.`);
    keys.add(key);
  }
}

function recipientsOf(email: Email, destinations: string[]): Pick<Mail, 'to' | 'cc' | 'bcc'> {
  const [to, cc, bcc] = [email.to, email.cc, email.bcc].map((list) =>
    mailboxes(list).map(({ address }) => address),
  );
  const named = { to: to ?? [], cc: cc ?? [], bcc: bcc ?? [] };
  if (destinations.length === 0) return named;
  const among = (list: string[]) => (address: string) =>
    list.some((other) => other.toLowerCase() === address.toLowerCase());
  return {
    to: destinations.filter(among(named.to)),
    cc: destinations.filter((address) => among(named.cc)(address) && !among(named.to)(address)),
    bcc: destinations.filter((address) => !among([...named.to, ...named.cc])(address)),
  };
}

/** The validated addresses of a header, including those of its groups. */
function mailboxes(list: HeaderAddress[] = []): { name: string; address: string }[] {
  const flat = list.flatMap((entry) => entry.group ?? [entry]);
  for (const { address } of flat) checkAddress(address);
  return flat;
}

/** The values of a list parameter, in order: `<name>.member.1`, `<name>.member.2` ... */
function members(parameters: URLSearchParams, name: string): string[] {
  const values: string[] = [];
  for (let value = parameters.get(`${name}.member.1`); value !== null; ) {
    values.push(value);
    value = parameters.get(`${name}.member.${values.length + 1}`);
  }
  return values;
}

function checkRecipients({ to, cc, bcc }: Mail): void {
  const count = to.length + cc.length + bcc.length;
  if (count === 0) throw invalidParameter("Missing required header 'To'.");
  if (count > limits.recipients) throw invalidParameter(`Recipient count exceeds ${limits.recipients}.`);
}

function checkSize(bytes: number): void {
  if (bytes > limits.messageBytes) {
    throw invalidParameter(`Message length is more than ${limits.messageBytes} bytes long: '${bytes}'.`);
  }
}

function checkSenders(values: string[], { verified, region }: Sender): void {
  const addresses = new Set(values.map((value) => parseAddress(value).address));
  const failed = [...addresses].filter((address) => !isVerified(address, verified));
  if (failed.length > 0) {
    throw new SesError(
      'MessageRejected',
      `Email address is not verified. The following identities failed the check in region ${region.toUpperCase()}: ` +
        failed.join(', '),
    );
  }
}

function missing(member: string): SesError {
  return new SesError(
    'ValidationError',
    `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must not be null`,
  );
}
