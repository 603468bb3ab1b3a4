import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Engine, startEngine } from '../../../../lib/local/engine.ts';
import { healthCheck } from '../../../../lib/local/health.ts';
import { openState } from '../../../../lib/local/state.ts';
import { createTable, openTable } from '../../../../lib/local/table.ts';

const tableName = 'health';

/** Health of an engine with a table; with another endpoint, of what answers there. */
async function withEngine(work: (engine: Engine, health: (endpoint?: string) => Promise<string>) => unknown) {
  const engine = await startEngine();
  const state = openState(':memory:');
  const { endpoint: own, databasePath: tablePath } = engine;
  await createTable(own, tableName);
  try {
    await work(engine, (endpoint = own) =>
      healthCheck({ state, table: openTable(endpoint, tableName), tablePath })(),
    );
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
