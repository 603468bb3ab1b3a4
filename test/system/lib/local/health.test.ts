import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { type Engine, startEngine } from '../../../../lib/local/engine.ts';
import { healthCheck } from '../../../../lib/local/health.ts';
import { listen } from '../../../../lib/local/listen.ts';
import { openState } from '../../../../lib/local/state.ts';
import { createTable } from '../../../../lib/local/table.ts';

const tableName = 'health';

/** Health of an engine with a table; with another endpoint, of what answers there. */
async function withEngine(work: (engine: Engine, health: (endpoint?: string) => Promise<string>) => unknown) {
  const engine = await startEngine();
  const state = openState(':memory:');
  const { endpoint: own, databasePath: tablePath } = engine;
  await createTable(own, tableName);
  try {
    await work(engine, (endpoint = own) => healthCheck({ state, endpoint, tableName, tablePath })());
  } finally {
    state.close();
    await engine.stop();
  }
}

test('health tells that the file of the table is damaged', () =>
  withEngine(async ({ databasePath }, health) => {
    expect(await health()).toBe('ok');
    const database = new DatabaseSync(databasePath);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    writeFileSync(databasePath, Buffer.alloc(8_192, 0xab), { flag: 'r+' });
    expect(await health()).toMatch(/table\.sqlite is damaged\. Delete the data directory/);
  }));

test('health tells that the disk is full, and that it has room again', () =>
  withEngine(async (_, health) => {
    let message = 'commit failed (backend: database or disk is full)';
    // As the engine answers on a file system that is full.
    const server = createServer((_request, response) => {
      response.writeHead(500, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(
        JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message }),
      );
    });
    const { url, close } = await listen(server, 0);
    expect(await health(url)).toMatch(
      /table\.sqlite cannot be written: its disk is full or fails\. Make room/,
    );
    message = 'something else';
    expect(await health(url)).toContain(message);
    await close();
    expect(await health()).toBe('ok');
  }));
