import PostalMime, { addressParser, type Email } from 'postal-mime';
import { canonicalEmail } from '../../../functions/shared/fields/email-address.ts';
import { ServiceError } from '../aws-json.ts';
import type { Mail } from './mailbox.ts';

/** Source: https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html */
export const maxMessageBytes = 10 * 1024 * 1024;

/** Reads the mail from the parameters of an operation. @throws ServiceError */
type ReadMail = (parameters: URLSearchParams, verifiedDomains: readonly string[]) => Promise<Mail>;

export const simpleMail: ReadMail = async (parameters, verified) => {
  const from = parseAddress(required(parameters, 'Source'));
  const subject = required(parameters, 'Message.Subject.Data');
  const text = parameters.get('Message.Body.Text.Data') ?? '';
  const html = parameters.get('Message.Body.Html.Data') ?? '';
  // A line break would let the text of a subject become a header of the mail.
  if (/[\r\n\0]/.test(subject)) throw invalid('Subject contains a line break');
  const to = ['To', 'Cc', 'Bcc'].flatMap((kind) => addresses(parameters, `Destination.${kind}Addresses`));
  checkSize(Buffer.byteLength(subject) + Buffer.byteLength(text) + Buffer.byteLength(html));
  return accepted({ from: formatAddress(from), to, subject, text, html, attachments: [] }, [from], verified);
};

/** Parses the parameters of SendRawEmail. With `Destinations` the mail goes to these alone, whatever its headers say. */
export const rawMail: ReadMail = async (parameters, verified) => {
  const bytes = Buffer.from(required(parameters, 'RawMessage.Data'), 'base64');
  checkSize(bytes.byteLength);
  // A forwarded mail remains an attachment.
  const email = await PostalMime.parse(bytes, { forceRfc822Attachments: true }).catch((error: unknown) => {
    throw invalid(`The message cannot be read: ${error}`);
  });
  const [from] = flat(email.from);
  if (from === undefined) throw invalid("Missing required header 'From'.");
  const destinations = addresses(parameters, 'Destinations');
  const named = [email.to, email.cc, email.bcc].flatMap((list = []) => flat(...list));
  const mail: Mail = {
    from: formatAddress(from),
    to: destinations.length > 0 ? destinations : named.map(({ address }) => parseAddress(address).address),
    subject: email.subject ?? '',
    text: email.text ?? '',
    html: email.html ?? '',
    attachments: email.attachments.map(({ filename, mimeType, content }, index) => ({
      filename: filename ?? `attachment-${index + 1}`,
      contentType: mimeType,
      content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    })),
  };
  const source = parameters.get('Source');
  return accepted(mail, [from, ...(source === null ? [] : [parseAddress(source)])], verified);
};

const flat = (...list: (NonNullable<Email['from']> | undefined)[]) =>
  list.flatMap((entry) => (entry === undefined ? [] : (entry.group ?? [entry])));

/** The addresses of a list parameter, in order: `<name>.member.1`, `<name>.member.2` and so on. */
function addresses(parameters: URLSearchParams, name: string): string[] {
  const values: string[] = [];
  for (let value = parameters.get(`${name}.member.1`); value !== null; ) {
    values.push(parseAddress(value).address);
    value = parameters.get(`${name}.member.${values.length + 1}`);
  }
  return values;
}

interface Address {
  /** Display name, decoded; empty when there is none. */
  name: string;
  address: string;
}

/**
 * Parses one address of a request: `local@domain` or `Name <local@domain>`.
 *
 * SES requires 7-bit text: a name with other characters is sent as RFC 2047 encoded words, a domain as Punycode.
 */
function parseAddress(value: string): Address {
  const [parsed, ...more] = addressParser(value);
  const { name = '', address = '' } = parsed ?? {};
  if (canonicalEmail(address) === undefined || more.length > 0 || /[^ -~]/.test(value))
    throw invalid('Illegal address');
  return { name, address };
}

const formatAddress = ({ name, address }: Address): string =>
  name === '' ? address : `${name} <${address}>`;

function checkSize(bytes: number): void {
  if (bytes > maxMessageBytes)
    throw invalid(`Message length is more than ${maxMessageBytes} bytes long: '${bytes}'.`);
}

/**
 * The mail, if it has a recipient, and the domain of each sender or a parent of it is verified.
 *
 * Source: https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 */
function accepted(mail: Mail, senders: readonly { address: string }[], verified: readonly string[]): Mail {
  if (mail.to.length === 0) throw invalid("Missing required header 'To'.");
  for (const { address } of senders) {
    const domain = `.${address.split('@').at(-1)?.toLowerCase()}`;
    if (!verified.some((one) => domain.endsWith(`.${one.toLowerCase()}`)))
      throw new ServiceError('MessageRejected', `Email address is not verified: ${address}`);
  }
  return mail;
}

function required(parameters: URLSearchParams, member: string): string {
  const value = parameters.get(member);
  if (value === null) throw new ServiceError('ValidationError', `Value at '${member}' must not be null`);
  return value;
}

const invalid = (message: string) => new ServiceError('InvalidParameterValue', message);
