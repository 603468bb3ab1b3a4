import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StackProcess, spawnStack, subscriptionClient } from './stack.ts';

/** A local stack in a process of its own that keeps its data when it is killed. The file's last hook removes both. */
export function killableStack() {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'killed-'));
  let running: StackProcess | undefined;
  const kill = async (): Promise<void> => {
    await running?.end('SIGKILL');
    running = undefined;
  };
  afterAll(async () => {
    await kill();
    rmSync(DATA_DIR, { recursive: true, force: true });
  });
  return {
    /** @returns a client of the stack, which may be at another port than before. */
    start: async () => {
      running = await spawnStack({ DATA_DIR });
      return subscriptionClient(running.url);
    },
    /** As `kill -9`, and waits for the end of the process. */
    kill,
  };
}
