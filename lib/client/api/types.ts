import type { Signal } from '../share/signal.ts';
import type { components, lists } from './schema.ts';

/** The objects of the API by name, such as `Schemas['Subscription']`. */
export type Schemas = components['schemas'];

type Operations = Schemas['Operations'];

/** The name of an operation, such as `createSubscription`. */
export type OperationId = keyof Operations;

/** The parameters and the body of an operation, as one object. */
export type Input<Id extends OperationId> = Operations[Id]['input'];

/** The media types that an operation can answer with. */
export type MediaType<Id extends OperationId> = keyof Operations[Id]['output'] & string;

/** An answer that is text, such as a page of a list as CSV. */
export interface TextPage {
  text: string;
  /** Of the page after it. Undefined on the last page. */
  nextCursor?: string | undefined;
}

/** The answer of an operation. A PDF is its bytes. */
export type Output<Id extends OperationId, Type extends MediaType<Id>> = Type extends 'application/json'
  ? Operations[Id]['output'][Type]
  : Type extends `text/${string}`
    ? TextPage
    : Uint8Array;

/** An entry of the list that an operation has in pages. */
export type Listed<Id extends OperationId> = Id extends keyof lists
  ? Output<Id, 'application/json' & MediaType<Id>> extends { [Name in lists[Id]]: readonly (infer Entry)[] }
    ? Entry
    : never
  : never;

/** A page, as a promise. `for await` takes the entries of it and of all pages after it, one page at a time; of text, the texts. */
export type Pages<Page, Entry> = Promise<Page> & AsyncIterable<Entry>;

/** The settings of one call, beside those of the client. */
export type RequestOptions<Type extends string = string> = Partial<{
  /** The media type of the answer: `application/json` by default. */
  accept: Type | undefined;
  /** The key under which the service carries out a repeat once. The client makes one for each call by default. */
  idempotencyKey: string | undefined;
  /** The application that an operator acts for. */
  applicationId: string | undefined;
  /** Why an operator does it, for the audit record. */
  reason: string | undefined;
  /** Other headers, such as `x-user-id`. */
  headers: Readonly<Record<string, string>> | undefined;
  /** Ends the call. Its reason is thrown. */
  signal: Signal | undefined;
  /** Of one request, in milliseconds. */
  timeoutMs: number | undefined;
}>;

type Parameters<Id extends OperationId, Type extends string> =
  Partial<Input<Id>> extends Input<Id>
    ? [input?: Input<Id>, options?: RequestOptions<Type>]
    : [input: Input<Id>, options?: RequestOptions<Type>];

type Answer<Id extends OperationId, Type extends MediaType<Id>> = Type extends `text/${string}`
  ? Pages<TextPage, string>
  : Id extends keyof lists
    ? Pages<Output<Id, Type>, Listed<Id>>
    : Promise<Output<Id, Type>>;

export type Method<Id extends OperationId> = <
  Type extends MediaType<Id> = MediaType<Id> & 'application/json',
>(
  ...input: Parameters<Id, Type>
) => Answer<Id, Type>;

/** Every operation of the API as a method. */
export type VouchsafeClient = { readonly [Id in OperationId]: Method<Id> };

/** Time and chance, which tests replace. */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 to less than 1. */
  random(): number;
  /** Resolves after milliseconds, or as soon as the signal is aborted. */
  sleep(ms: number, signal?: Signal): Promise<void>;
}
