import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dayMs, secondMs } from '../../functions/shared/runtime/clock.ts';
import { listen } from './listen.ts';
import { withTimeLimit } from './time-limit.ts';

export interface Engine {
  /** Base URL, for `AWS_ENDPOINT_URL_DYNAMODB`. */
  endpoint: string;
  databasePath: string;
  ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Shell script that runs the engine only while standard input is open. The other end of the pipe belongs to this process
 * and closes when it ends, even by kill -9. When the engine has ended, by itself or because the pipe has closed, its
 * temporary directory is removed, and the whole process group is killed. The first argument is that directory; it can be
 * empty. The input is passed on as 3, because a shell gives its background jobs none. The shell itself is silent: what it
 * says of a killed job would end it, once nobody reads its output.
 */
const watchdog = [
  'temporary="$1"; shift; exec 3<&0',
  '"$0" "$@" & engine=$!',
  'exec >/dev/null 2>&1',
  '(cat <&3 >/dev/null; kill -KILL "$engine") &',
  'wait "$engine"',
  '[ -z "$temporary" ] || rm -rf -- "$temporary"',
  'kill -KILL 0',
].join('\n');

const startAttempts = 5;
const startTimeoutMs = 5_000;
const stopGraceMs = 500;

/** A file system in memory. The engine waits for the disk at each write: in memory, a write takes half the time. */
const memoryFileSystem = '/dev/shm';
/** Several times what the whole test suite stores. Containers often have 64 MB. */
const neededBytes = 1024 ** 3;

/**
 * Starts a DynamoDB engine on a free port of a loopback address of its own.
 *
 * @param file SQLite file, created when absent. Without it, the data is in a temporary directory, in memory
 * where the system has room. The directory is removed when the engine or this process has ended.
 * @throws Error when no engine supports this platform (the message says what to do instead) or it does not start.
 */
export async function startEngine(file?: string): Promise<Engine> {
  const temporary = file === undefined ? newTemporaryDirectory() : '';
  const databasePath = file ?? join(temporary, 'table.sqlite');
  const remove = () => {
    if (temporary !== '') rmSync(temporary, { recursive: true, force: true });
  };
  try {
    const { endpoint, child } = await startProcess(databasePath, temporary);
    const ended = once(child, 'close').then(remove);
    arrangeStream(databasePath);
    return { endpoint, databasePath, ended, stop: () => stop(child).then(() => ended) };
  } catch (error) {
    remove();
    throw error;
  }
}

function newTemporaryDirectory(): string {
  const prefix = 'vouchsafe-table-';
  try {
    const { bavail, bsize } = statfsSync(memoryFileSystem);
    const hasRoom = Math.min(bavail * bsize, process.availableMemory()) >= neededBytes;
    if (hasRoom) return mkdtempSync(join(memoryFileSystem, prefix));
  } catch {
    // This system has none, or this user may not write there.
  }
  return mkdtempSync(join(tmpdir(), prefix));
}

async function startProcess(databasePath: string, temporary: string) {
  const binary = engineBinary();
  let failure = '';
  // Another process can take the free port before the engine binds it: try another one.
  for (let attempt = 0; attempt < startAttempts; attempt++) {
    // The end of an attempt removes it.
    if (temporary !== '') mkdirSync(temporary, { recursive: true, mode: 0o700 });
    const endpoint = await freeAddress();
    const { hostname, port } = new URL(endpoint);
    const flags = ['--host', hostname, '--port', port, '--db-path', databasePath];
    // In its own process group: Ctrl-C reaches this process alone, which ends the engine in order.
    const child = spawn('/bin/sh', ['-c', watchdog, binary, temporary, ...flags], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const started = await listening(child);
    if (started.ok) return { endpoint, child };
    failure = started.output;
    await stop(child);
  }
  throw new Error(`The DynamoDB engine did not start: ${failure.trim() || 'it printed nothing'}`);
}

/**
 * The engine numbers the records of streams by a search through all of them, for each write and each read, and never removes
 * one. An index and the retention of DynamoDB, a day, keep it fast (decision 5). The latest record of a table stays, because
 * the numbers go on from it.
 */
function arrangeStream(databasePath: string): void {
  const database = new DatabaseSync(databasePath, { timeout: 5 * secondMs });
  try {
    database.exec(
      'CREATE INDEX IF NOT EXISTS stream_position ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    );
    database
      .prepare(
        // By the clock of SQLite, which is that of the engine: the one of this process can be another.
        'DELETE FROM _stream_records WHERE created_at < unixepoch() - ? AND id NOT IN (SELECT MAX(id) FROM _stream_records GROUP BY table_name)',
      )
      .run(dayMs / secondMs);
  } finally {
    database.close();
  }
}

export function engineBinary(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@dynoxide/${platform}-${arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'dynoxide');
  } catch {
    throw new Error(
      [
        `No DynamoDB engine is installed for this machine (${name}).`,
        'Run AWS DynamoDB Local instead (needs Java): the npm package amplify-dynamodb-simulator holds it in its folder',
        '"emulator", or see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.html. Then:',
        '  java -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb -inMemory -port 8000',
        '  AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000 npm start',
      ].join('\n'),
    );
  }
}

/** Waits for the line that the engine prints once it has bound its port. Probing the port could reach another server. */
async function listening(child: ChildProcess): Promise<{ ok: boolean; output: string }> {
  let output = '';
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ ok: false, output }), startTimeoutMs);
    const done = (ok: boolean) => {
      clearTimeout(timer);
      resolve({ ok, output });
    };
    const read = (chunk: Buffer) => {
      if (output.length < 4_096) output += chunk;
      if (output.includes('listening on')) done(true);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('error', (error) => {
      output += error.message;
      done(false);
    });
    child.on('close', () => done(false));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const { pid } = child;
  // The pipes close when the last process of the group has ended, not when the shell has.
  const closed = child.stdout?.closed && child.stderr?.closed ? Promise.resolve() : once(child, 'close');
  signal(pid, 'SIGTERM');
  await withTimeLimit<unknown>(stopGraceMs, closed, () => undefined);
  signal(pid, 'SIGKILL');
  await closed;
}

function signal(groupLeader: number, name: NodeJS.Signals): void {
  try {
    process.kill(-groupLeader, name);
  } catch {
    // The group has already ended.
  }
}

/**
 * The engine takes any signature, any host and requests from pages of every origin (CORS). So its address is one that no page
 * can guess. Systems other than Linux have no loopback address but 127.0.0.1.
 */
async function freeAddress(): Promise<string> {
  const { url, close } = await listen(createServer(), 0, `127.${randomBytes(3).join('.')}`).catch(() =>
    listen(createServer(), 0),
  );
  await close();
  return url;
}
