/**
 * The connections of the functions to the table, to mail and to the state machine, with one planned fault.
 *
 * A fault is made where the SDK hands a request to its connection: signing, retries and error handling are those of
 * the SDK and of the functions.
 */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sfn } from '../../functions/shared/lambda/executions.ts';
import { ses } from '../../functions/shared/mail/mailer.ts';
import { dynamodb } from '../../functions/shared/table/client.ts';
import { connectionReset, inConflict, type ServiceResponse, throttling, timedOut } from './errors-of-aws.ts';
import { retryAtOnce } from './fast-time.ts';
import { type CallName, callLabel, type FaultKind, isWrite } from './kinds.ts';
import { type ParsedCall, parseCall, type SentMail } from './parse-call.ts';

interface HttpRequest {
  headers: Record<string, string>;
  body: unknown;
}
type Send = (
  request: HttpRequest,
  options?: { abortSignal?: AbortSignal },
) => Promise<{ response: ServiceResponse }>;

/** One fault. */
export interface Fault {
  kind: FaultKind;
  call: CallName;
}

const clients = [
  ['table', dynamodb],
  ['mail', ses],
  ['machine', sfn],
] as const;
interface Client {
  middlewareStack: { identify(): string[] };
}

/** Whether `limitAttempts` or a signal ends a body that stops: the SDK's `requestTimeout` ends with the headers. */
const limitsBody = ({ middlewareStack }: Client, options: { abortSignal?: AbortSignal } = {}): boolean =>
  options.abortSignal !== undefined ||
  middlewareStack.identify().some((name) => name.startsWith('attemptLimit'));

/** Real time that a slow answer takes: enough for all concurrent calls. */
const slowMs = 1_000;
const lastingKinds = new Set<FaultKind>([
  ...(['unreachable', 'down', 'silenced', 'killed', 'late after error'] as const),
  ...(['throttled throughout', 'conflict throughout'] as const),
]);

/** Watches the clients of this process and applies the planned fault. */
export class FaultyConnection {
  /** The calls since `begin`, in order. */
  calls: CallName[] = [];
  /** Mails that were accepted since `reset`. */
  mails: SentMail[] = [];
  /** Names of the executions that were started since `reset`. */
  executions: string[] = [];
  /** Keys that were written since `reset`, as `pk\nsk`. */
  readonly written = new Set<string>();
  /** Why a call would never have ended. */
  hung: string | undefined;
  /** Whether the planned call was made. */
  struck = false;
  readonly #restore: (() => void)[] = [];
  #fault: Fault | undefined;
  #active = false;
  #isDown = false;
  #held: (() => Promise<unknown>)[] = [];
  #counts = new Map<string, number>();
  #names = new Map<string, CallName>();
  #attempts = new Map<string, number>();

  constructor() {
    for (const [service, client] of clients) {
      const handler = client.config.requestHandler as unknown as { handle: Send };
      const { handle } = handler;
      const { retryStrategy } = client.config;
      const send = handle.bind(handler);
      handler.handle = (request, options) => this.#handle(service, client, send, request, options);
      this.#restore.push(() => {
        handler.handle = handle;
        client.config.retryStrategy = retryStrategy;
      });
    }
  }

  /** Gives the clients their own connections back. */
  close(): void {
    for (const restore of this.#restore) restore();
  }

  /** Forgets everything of the previous run. */
  async reset(): Promise<void> {
    for (const [, client] of clients) await retryAtOnce(client.config as never);
    this.end();
    this.mails = [];
    this.executions = [];
    this.written.clear();
    this.calls = [];
    this.hung = undefined;
    this.struck = false;
    this.#held = [];
  }

  /** From now on calls are recorded, and the fault applies. */
  begin(fault?: Fault): void {
    this.calls = [];
    this.#fault = fault;
    this.#active = true;
    this.#isDown = false;
    for (const map of [this.#counts, this.#names, this.#attempts]) map.clear();
  }

  /** From now on nothing is faulty. */
  end(): void {
    this.#active = false;
    this.#isDown = false;
  }

  /** Number of requests that are held. */
  get held(): number {
    return this.#held.length;
  }

  /** Applies the requests that were held. Nobody receives their answers. */
  async release(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    for (const apply of held) await apply().catch(() => undefined);
  }

  async #handle(
    service: CallName['service'],
    client: Client,
    send: Send,
    request: HttpRequest,
    options: { abortSignal?: AbortSignal } | undefined,
  ): Promise<{ response: ServiceResponse }> {
    const call = parseCall(service, request);
    const apply = async () => {
      const answer = await send(request, options);
      if (answer.response.statusCode < 300) this.#note(call);
      return answer;
    };
    if (!this.#active) return apply();
    const invocation = request.headers['amz-sdk-invocation-id'] ?? '';
    const name = this.#nameOf(invocation, call);
    const attempt = (this.#attempts.get(invocation) ?? 0) + 1;
    this.#attempts.set(invocation, attempt);
    if (this.#isDown) throw connectionReset();
    const fault = this.#fault;
    if (fault === undefined || !strikes(fault, name, attempt)) return apply();
    this.struck = true;
    switch (fault.kind) {
      case 'refused':
      case 'unreachable':
        throw connectionReset();
      case 'down':
        this.#isDown = true;
        throw connectionReset();
      case 'lost':
      case 'silenced':
        await apply();
        throw timedOut();
      case 'killed':
        await apply();
        this.#isDown = true;
        throw timedOut();
      case 'late':
      case 'late after error':
        this.#held.push(apply);
        throw timedOut();
      case 'throttled':
      case 'throttled throughout':
        return { response: throttling(name) };
      case 'conflict':
      case 'conflict throughout':
        return { response: inConflict(name, call.writes) };
      case 'cut':
        return this.#cut(await apply(), limitsBody(client, options), name);
      case 'slow': {
        const answer = await apply();
        await sleep(slowMs);
        return answer;
      }
    }
  }

  /** Half of the body, then silence, which only a limit of the client or of the call ends. */
  async #cut({ response }: { response: ServiceResponse }, isLimited: boolean, name: CallName) {
    if (!isLimited) this.hung = `${callLabel(name)} waits for the rest of the body for ever`;
    const bytes = await bytesOf(response.body);
    const body = Readable.from(
      (async function* () {
        yield bytes.subarray(0, Math.floor(bytes.length / 2));
        throw timedOut();
      })(),
    );
    return { response: { ...response, body } };
  }

  #nameOf(invocation: string, { service, operation, of }: ParsedCall): CallName {
    const known = this.#names.get(invocation);
    if (known !== undefined) return known;
    const kind = `${operation} ${of}`;
    const nth = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, nth + 1);
    const name = { service, operation, of, nth };
    this.#names.set(invocation, name);
    this.calls.push(name);
    return name;
  }

  #note({ keys, mail, execution, operation }: ParsedCall): void {
    if (isWrite({ operation })) for (const { pk, sk } of keys) this.written.add(`${pk}\n${sk}`);
    if (mail !== undefined) this.mails.push(mail);
    if (execution !== undefined) this.executions.push(execution);
  }
}

function strikes({ kind, call }: Fault, name: CallName, attempt: number): boolean {
  if (name.operation !== call.operation || name.of !== call.of) return false;
  // The functions retry a conflict with a call of their own.
  if (kind === 'conflict throughout') return name.nth >= call.nth;
  return name.nth === call.nth && (attempt === 1 || lastingKinds.has(kind));
}

async function bytesOf(body: unknown): Promise<Buffer> {
  if (body instanceof Uint8Array) return Buffer.from(body);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
