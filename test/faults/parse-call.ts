import type { CallName } from './kinds.ts';

export interface SentMail {
  to: string;
  subject: string;
}

/** A request to a service of AWS. */
export interface ParsedCall extends Omit<CallName, 'nth'> {
  /** Keys of the items that it writes. */
  keys: { pk: string; sk: string }[];
  /** Number of writes in a transaction. */
  writes: number;
  mail?: SentMail;
  /** The name of the execution that it starts. */
  execution?: string;
}

const decoder = new TextDecoder();

type Attributes = Record<string, { S?: string }>;
interface TableInput {
  Key?: Attributes;
  Item?: Attributes;
  TransactItems?: Record<string, { Key?: Attributes; Item?: Attributes }>[];
  RequestItems?: Record<string, { Keys: Attributes[] }>;
  IndexName?: string;
  ExpressionAttributeValues?: Attributes;
}

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

function parseTableCall(operation: string, input: TableInput): ParsedCall {
  const { Key, Item, TransactItems = [], RequestItems = {}, ExpressionAttributeValues, IndexName } = input;
  const read = Object.values(RequestItems).flatMap(({ Keys }) => Keys);
  const single = [Key ?? Item ?? []].flat();
  const inTransaction = TransactItems.flatMap(Object.values).map((write) => write.Key ?? write.Item ?? {});
  const keys = [...single, ...inTransaction].map(({ pk, sk }) => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' }));
  const queried = operation === 'Query' ? [ExpressionAttributeValues?.[':pk']?.S ?? ''] : [];
  const partitions = [...keys.map(({ pk }) => pk), ...read.map(({ pk }) => pk?.S ?? ''), ...queried];
  const prefixes = new Set(partitions.map((pk) => pk.split('#', 1)[0] ?? ''));
  const of = [[...prefixes].sort().join('+'), IndexName === undefined ? '' : `by ${IndexName}`];
  return {
    service: 'table',
    operation,
    of: of.filter(Boolean).join(' '),
    keys,
    writes: TransactItems.length,
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
