/** A call to the table, as the document client is given it or as the SDK sends it. */
import { defined } from '../../../functions/shared/contract/defined.ts';

export interface TableCall {
  /** `UpdateItem`. */
  readonly operation: string;
  /** The index that it queries. */
  readonly index?: string;
  readonly uses: readonly Use[];
}

/**
 * An item that a call reads or writes, or the partition that it queries, with the action that IAM authorizes:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
interface Use {
  /** `PutItem`, also of a part of a transaction. */
  readonly action: string;
  readonly pk: string;
  /** Empty for a query. */
  readonly sk: string;
}

/** A value of the document client, or one of the protocol: `{ S: 'text' }`. */
type Value = { S?: string } | string;
type Keyed = Readonly<Record<'Key' | 'Item', { pk: Value; sk: Value } | undefined>>;
interface Input extends Keyed {
  TransactItems?: readonly Readonly<Record<string, Keyed>>[];
  RequestItems?: Readonly<Record<string, { Keys: readonly NonNullable<Keyed['Key']>[] }>>;
  IndexName?: string;
  ExpressionAttributeValues?: Readonly<Record<string, Value>>;
}

const textOf = (value: Value = '') => (typeof value === 'object' ? (value.S ?? '') : String(value));

const useOf = (action: string, { Key, Item }: Pick<Keyed, 'Key'> & Partial<Keyed>): Use => {
  const key = Key ?? Item;
  return { action, pk: textOf(key?.pk), sk: textOf(key?.sk) };
};

const partActions: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** @param command `UpdateItemCommand` or `UpdateItem`. */
export function tableCall(command: string, input: object): TableCall {
  const operation = command.replace(/Command$/, '');
  const { IndexName, ...given } = input as Input;
  return { operation, uses: usesOf(operation, given), ...defined({ index: IndexName }) };
}

function usesOf(operation: string, input: Omit<Input, 'IndexName'>): Use[] {
  const { TransactItems = [], RequestItems = {}, ExpressionAttributeValues } = input;
  switch (operation) {
    case 'Query':
      return [{ action: operation, pk: textOf(ExpressionAttributeValues?.[':pk']), sk: '' }];
    case 'BatchGetItem':
      return Object.values(RequestItems).flatMap(({ Keys }) => Keys.map((Key) => useOf(operation, { Key })));
    case 'TransactWriteItems':
      return TransactItems.flatMap((part) =>
        Object.entries(part).map(([kind, what]) => useOf(partActions[kind] ?? kind, what)),
      );
    default:
      return [useOf(operation, input)];
  }
}

const reading = new Set(['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem']);

/** Whether an action of IAM reads alone. */
export const isReading = (action: string): boolean => reading.has(action);

/** The prefix of a partition key: `LINK`. */
export const prefixOf = (pk: string): string => pk.split('#', 1)[0] ?? '';

/** The prefixes of the keys that a call uses, and its index: `LINK+HISTORY`. */
export function placeOf({ uses, index }: TableCall): string {
  const prefixes = [...new Set(uses.map(({ pk }) => prefixOf(pk)))].sort().join('+');
  return index === undefined ? prefixes : `${prefixes} by ${index}`;
}
