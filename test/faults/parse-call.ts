import { isReading, placeOf, tableCall } from '../support/table/table-call.ts';
import type { CallName } from './kinds.ts';

export interface SentMail {
  to: string;
  subject: string;
}

/** A request to a service of AWS. */
export interface ParsedCall extends Omit<CallName, 'nth'> {
  /** Keys of the items that it writes. */
  keys: { pk: string; sk: string }[];
  /** Number of parts of a transaction. */
  writes: number;
  mail?: SentMail;
  /** The name of the execution that it starts. */
  execution?: string;
}

const decoder = new TextDecoder();

/** Reads a request of the SDK: JSON to the table and the state machine, a form to mail. */
export function parseCall(
  service: CallName['service'],
  { headers, body }: { headers: Record<string, string>; body: unknown },
): ParsedCall {
  const text = body instanceof Uint8Array ? decoder.decode(body) : String(body);
  if (service === 'mail') return parseMail(text);
  const operation = headers['x-amz-target']?.split('.').at(-1) ?? '';
  const input = JSON.parse(text);
  if (service === 'machine') {
    const base = { service, operation, of: '', keys: [], writes: 1 };
    return operation === 'StartExecution' ? { ...base, execution: String(input.name) } : base;
  }
  return parseTableCall(operation, input);
}

function parseTableCall(name: string, input: object): ParsedCall {
  const call = tableCall(name, input);
  return {
    service: 'table',
    operation: call.operation,
    of: placeOf(call),
    keys: call.uses.filter(({ action }) => !isReading(action)),
    writes: call.uses.length,
  };
}

function parseMail(text: string): ParsedCall {
  const form = new URLSearchParams(text);
  const operation = form.get('Action') ?? '';
  const raw = Buffer.from(form.get('RawMessage.Data') ?? '', 'base64').toString('latin1');
  const to = form.get('Destination.ToAddresses.member.1') ?? form.get('Destinations.member.1') ?? '';
  const subject = form.get('Message.Subject.Data') ?? /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? '';
  return { service: 'mail', operation, of: '', keys: [], writes: 1, mail: { to, subject } };
}
