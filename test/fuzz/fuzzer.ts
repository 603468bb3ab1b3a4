import type { Server } from 'node:http';
import { type Registered, registeredRoutes } from '../../functions/routes.ts';
import { type Invoke, invokeFunction } from '../../lib/local/functions.ts';
import { httpServer } from '../../lib/local/http/server.ts';
import { listen } from '../../lib/local/listen.ts';
import { Seeded } from '../support/parallel/seeded.ts';
import { allTargets, BaseRequests, type Target } from './base-requests.ts';
import { asCurl, bytesOf, type Draft } from './draft.ts';
import { RawClient, type Received } from './http-client.ts';
import { Owners, problemsOf, problemsOfLog } from './judge.ts';
import type { BrokenRequest, FuzzMessage, FuzzPart } from './messages.ts';
import { drawMutations, mutate } from './mutations.ts';
import { HostileValues } from './values.ts';

export interface FuzzerOptions extends FuzzPart {
  /** Replaces the functions of the project. */
  invoke?: Invoke;
  registry?: readonly Registered[];
}

/** The effects of the service since a request was sent. */
interface Observed {
  /** Ids of the operations that the gateway invoked. */
  invoked: string[];
  log: string[];
}

/** Fewer than the strictest limit of an endpoint per client address. */
const requestsPerConnection = 3;

/** Sends requests to the API behind the local gateway, and judges the answers and the log. */
export class Fuzzer {
  readonly #random: Seeded;
  readonly #hostile: HostileValues;
  readonly #bases: BaseRequests;
  readonly #targets: readonly Target[];
  readonly #client: RawClient;
  readonly #close: () => Promise<unknown>;
  readonly #observed: Observed;
  readonly #owners = new Owners();
  #counts = noCounts();

  private constructor(
    { seed, only }: FuzzerOptions,
    { port, observed, close }: { port: number; observed: Observed; close: () => Promise<unknown> },
  ) {
    this.#observed = observed;
    this.#random = new Seeded(seed);
    this.#hostile = new HostileValues(this.#random, seed);
    this.#bases = new BaseRequests(this.#random);
    this.#targets = allTargets().filter(({ id }) => id.includes(only));
    this.#close = close;
    const byte = () => this.#random.below(254) + 1;
    this.#client = new RawClient(port, requestsPerConnection, () => `127.${byte()}.${byte()}.${byte()}`);
  }

  /** Starts the gateway on a free port, and captures the log of this process until it is closed. */
  static async start(options: FuzzerOptions): Promise<Fuzzer> {
    const { invoke = invokeFunction, registry = registeredRoutes() } = options;
    const observed: Observed = { invoked: [], log: [] };
    const server: Server = httpServer({
      registry,
      invoke: (entry, event) => {
        observed.invoked.push(entry.id);
        return invoke(entry, event);
      },
      nowMs: Date.now,
      allowedOrigins: ['*'],
      report: (_, cause) => observed.log.push(`gateway: ${String(cause)}`),
      // The terminal of the local stack shows paths. No function writes it.
      log: () => undefined,
      local: [],
    });
    const { url, close } = await listen(server, 0);
    const restore = captureConsole((line) => observed.log.push(line));
    const fuzzer = new Fuzzer(options, {
      port: Number(new URL(url).port),
      observed,
      close: async () => {
        restore();
        await close();
      },
    });
    await fuzzer.#bases.prepare();
    return fuzzer;
  }

  /** Sends requests, and returns their counts. */
  async run(requests: number): Promise<FuzzMessage> {
    for (let i = 0; i < requests; i += 1) await this.#one();
    const counts = this.#counts;
    this.#counts = noCounts();
    return counts;
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#close();
  }

  async #one(): Promise<void> {
    const target = this.#random.pick(this.#targets);
    const base = await this.#bases.next(target);
    const mutations = drawMutations(this.#random);
    const draft = structuredClone(base);
    const sources = { random: this.#random, hostile: this.#hostile, operation: target.operation };
    mutate(draft, mutations, sources);
    const { problems, answer, invoked } = await this.#send(draft, target);
    const counts = this.#counts;
    add(counts.operations, target.id);
    add(counts.credentials, base.credential);
    for (const name of mutations) add(counts.mutations, name);
    add(counts.statuses, String(answer?.status ?? 'none'));
    if (isPastValidation(answer, invoked)) counts.valid += 1;
    if (problems.length > 0)
      counts.broken.push(await this.#smallest(draft, base, mutations, target, problems, answer));
  }

  async #send(draft: Draft, { route }: Target) {
    const observed = this.#observed;
    observed.invoked = [];
    observed.log = [];
    try {
      const answer = await this.#client.send(bytesOf(draft), draft.method);
      const [invoked] = observed.invoked;
      const problems = [
        ...problemsOf(draft, answer, invoked, route, this.#owners),
        ...new Set(observed.log.flatMap((line) => problemsOfLog(line, draft))),
      ];
      return { problems, answer, invoked };
    } catch (error) {
      return { problems: [String(error)], answer: undefined, invoked: observed.invoked[0] };
    }
  }

  /** The request with as few mutations as show a problem: each is tried alone. */
  async #smallest(
    draft: Draft,
    base: Draft,
    mutations: readonly string[],
    target: Target,
    problems: string[],
    answer: Received | undefined,
  ): Promise<BrokenRequest> {
    let broken = { draft, mutations, problems, answer };
    for (const name of mutations.length > 1 ? mutations : []) {
      const smaller = structuredClone(base);
      mutate(smaller, [name], { random: this.#random, hostile: this.#hostile, operation: target.operation });
      const outcome = await this.#send(smaller, target);
      if (outcome.problems.length > 0)
        broken = { draft: smaller, mutations: [name], problems: outcome.problems, answer: outcome.answer };
    }
    return {
      id: target.id,
      credential: base.credential,
      mutations: [...broken.mutations],
      problems: broken.problems,
      answer: `${broken.answer?.status} ${broken.answer?.text.slice(0, 300)}`,
      curl: asCurl(broken.draft),
    };
  }
}

/** A function ran, and did not refuse the form of the request. */
const isPastValidation = (answer: Received | undefined, invoked: string | undefined): boolean =>
  invoked !== undefined && answer !== undefined && ![400, 429].includes(answer.status);

const noCounts = (): FuzzMessage => ({
  operations: {},
  credentials: {},
  mutations: {},
  statuses: {},
  valid: 0,
  broken: [],
});

function add(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

const consoleMethods = ['log', 'info', 'warn', 'error', 'debug'] as const;

/** Passes every line of the log to `receive` in place of the terminal. */
function captureConsole(receive: (line: string) => void): () => void {
  const { console: terminal } = globalThis;
  const originals = consoleMethods.map((name) => [name, terminal[name]] as const);
  for (const name of consoleMethods)
    terminal[name] = (...texts: unknown[]) => receive(texts.map(String).join(' '));
  return () => {
    for (const [name, original] of originals) terminal[name] = original;
  };
}
