import PostalMime, { type Email } from 'postal-mime';
import { formatAddress, isVerified, parseAddress } from './addresses.ts';
import type { Mail } from './mailbox.ts';
import { invalidParameter, SesError } from './ses-error.ts';

/** Source: https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html */
export const maxMessageBytes = 10 * 1024 * 1024;

/**
 * Parses the parameters of SendEmail.
 *
 * @param verified domains that may send.
 * @throws SesError InvalidParameterValue, ValidationError, MessageRejected
 */
export function simpleMail(parameters: URLSearchParams, verified: readonly string[]): Mail {
  const from = parseAddress(required(parameters, 'Source'));
  const subject = required(parameters, 'Message.Subject.Data');
  const text = parameters.get('Message.Body.Text.Data') ?? '';
  const html = parameters.get('Message.Body.Html.Data') ?? '';
  // A line break would let the text of a subject become a header of the mail.
  if (/[\r\n\0]/.test(subject)) throw invalidParameter('Subject contains a line break');
  const to = ['To', 'Cc', 'Bcc'].flatMap((kind) => addresses(parameters, `Destination.${kind}Addresses`));
  checkSize(Buffer.byteLength(subject) + Buffer.byteLength(text) + Buffer.byteLength(html));
  return accepted({ from: formatAddress(from), to, subject, text, html, attachments: [] }, [from], verified);
}

/**
 * Parses the parameters of SendRawEmail. With `Destinations` the mail goes to these alone, whatever its headers say.
 *
 * @param verified domains that may send.
 * @throws SesError InvalidParameterValue, ValidationError, MessageRejected
 */
export async function rawMail(parameters: URLSearchParams, verified: readonly string[]): Promise<Mail> {
  const bytes = Buffer.from(required(parameters, 'RawMessage.Data'), 'base64');
  checkSize(bytes.byteLength);
  const email = await parseMime(bytes);
  const [from] = flat(email.from);
  if (from === undefined) throw invalidParameter("Missing required header 'From'.");
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
}

async function parseMime(bytes: Buffer): Promise<Email> {
  try {
    // A forwarded mail remains an attachment.
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true });
  } catch (error) {
    throw invalidParameter(`The message cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** The addresses of a header, including those of its groups. */
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

function checkSize(bytes: number): void {
  if (bytes > maxMessageBytes)
    throw invalidParameter(`Message length is more than ${maxMessageBytes} bytes long: '${bytes}'.`);
}

/** The mail, if it has a recipient and its senders are verified. */
function accepted(mail: Mail, senders: readonly { address: string }[], verified: readonly string[]): Mail {
  if (mail.to.length === 0) throw invalidParameter("Missing required header 'To'.");
  const failed = senders.find(({ address }) => !isVerified(address, verified));
  if (failed === undefined) return mail;
  throw new SesError('MessageRejected', `Email address is not verified: ${failed.address}`);
}

function required(parameters: URLSearchParams, member: string): string {
  const value = parameters.get(member);
  if (value === null) throw new SesError('ValidationError', `Value at '${member}' must not be null`);
  return value;
}
