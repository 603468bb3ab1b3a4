import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Processes that run a program, each on its part of the work. */
export interface Workers {
  /** Sends further work to one of them. */
  send(worker: number, work: object): void;
  /** Resolves when all have ended. Rejects when one ends with an error; the others are then killed. */
  ended: Promise<void>;
}

/**
 * Starts a process for each part of the work.
 *
 * @param program reads its part with `givenPart`, and sends its results with `report`.
 */
export function startWorkers<Message>(
  program: URL,
  parts: readonly object[],
  receive: (message: Message, worker: number) => void,
): Workers {
  const children = parts.map((part, worker) => {
    const child = fork(fileURLToPath(program), [], { serialization: 'advanced' });
    child.on('message', (message) => receive(message as Message, worker));
    child.send(part);
    return child;
  });
  const ended = Promise.all(children.map(endOf)).then(
    () => undefined,
    (error: unknown) => {
      for (const child of children) child.kill('SIGKILL');
      throw error;
    },
  );
  return { send: (worker, work) => children[worker]?.send(work), ended };
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`A worker ended with ${signal ?? code}`));
    });
  });
}

/** In a worker: the next part of the work that this process is given. */
export function givenPart<Part>(): Promise<Part> {
  return new Promise((resolve) => {
    process.once('message', (part) => resolve(part as Part));
  });
}

/** In a worker: sends a result. */
export function report(message: object): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}
