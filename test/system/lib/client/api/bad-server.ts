import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type ClientOptions,
  createClient,
  type VouchsafeClient,
  VouchsafeError,
} from '../../../../../lib/client/api.ts';
import { type Listening, listen } from '../../../../../lib/local/listen.ts';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

interface Arrived {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

interface BadServer {
  /** The last one is the answer to all further requests. */
  answers: Answer[];
  arrived: Arrived[];
  /** Milliseconds between the tries of calls. */
  waits: number[];
  /** No answer, and the time is over at once. */
  silence: Answer;
  /** The time is over before the end of the answer. */
  stall: Answer;
  client(more?: Partial<ClientOptions>): VouchsafeClient;
}

const nowMs = Date.parse('2026-11-26T12:00:00Z');

/** A server for the tests of a file that answers as told, and clients of it whose time passes at once. */
export function badServer() {
  let listening: Listening;
  let timeIsOver = () => {};
  const server: BadServer = {
    answers: [],
    arrived: [],
    waits: [],
    silence: () => timeIsOver(),
    stall: (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"plans":[');
      setTimeout(() => timeIsOver(), 20);
    },
    client: (more = {}) =>
      createClient(Object.assign({ url: listening.url, key: `vak_${'A'.repeat(22)}`, runtime }, more)),
  };
  const runtime: ClientOptions['runtime'] = {
    now: () => nowMs + server.waits.reduce((sum, ms) => sum + ms, 0),
    random: () => 0,
    sleep: async (ms, signal) => {
      // The limit of a request has a signal, and the wait before the next one has none here.
      if (signal === undefined) server.waits.push(ms);
      else {
        await new Promise<void>((resolve) => {
          timeIsOver = resolve;
          signal.addEventListener('abort', resolve);
        });
      }
    },
  };
  beforeAll(async () => {
    listening = await listen(
      createServer(async (request, response) => {
        const { method = '', url = '', headers } = request;
        server.arrived.push({ method, url, headers, body: await text(request) });
        const { answers } = server;
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        answer?.(response, request);
      }),
      0,
    );
  });
  afterAll(() => listening.close());
  beforeEach(() => {
    server.answers = [];
    server.arrived = [];
    server.waits = [];
  });
  return server;
}

export const answer =
  (status: number, body: string, headers: Record<string, string>): Answer =>
  (response) =>
    response
      .writeHead(status, Object.assign({ 'content-length': Buffer.byteLength(body) }, headers))
      .end(body);
export const json = (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  answer(status, JSON.stringify(body), Object.assign({ 'content-type': 'application/json' }, headers));
/** The page of a proxy. */
export const page = (status: number): Answer =>
  answer(status, '<h1>Bad Gateway</h1>', { 'content-type': 'text/html' });
export const cut =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).write('{"plans":[');
    setTimeout(() => response.destroy(), 20);
  };

/** The error of a call. @throws Error when there is none */
export const errorOf = (promise: PromiseLike<unknown>) =>
  promise.then(
    (answer) => {
      throw new Error(`There is an answer: ${JSON.stringify(answer)}`);
    },
    (error: unknown) => {
      if (error instanceof VouchsafeError) return error;
      throw error;
    },
  );
