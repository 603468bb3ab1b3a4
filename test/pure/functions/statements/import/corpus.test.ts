import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isoTime } from '../../../../../functions/shared/runtime/clock.ts';
import { parseCamt } from '../../../../../functions/statements/import/file/camt.ts';
import { parseCsv } from '../../../../../functions/statements/import/file/csv.ts';
import { unpackFile } from '../../../../../functions/statements/import/file/decode.ts';
import {
  type ParsedStatement,
  UnreadableFile,
} from '../../../../../functions/statements/import/file/entry.ts';
import { Mapping } from '../../../../../functions/statements/request-schemas.ts';

/** The reading of a file of the corpus, in the JSON file beside it. The rows of its dry run are shown by another test. */
type Reading = { about: string; mapping?: object; rows?: string[] } & (
  | { refusal: string }
  | { entries: string[]; withdrawals?: number; notBooked?: number; rejected?: number[] }
);

const folder = join(import.meta.dirname, '../../../../corpus/bank-statements');
const nowMs = Date.UTC(2026, 10, 22);
const readings = globSync('*/*.json', { cwd: folder }).toSorted();

async function read(file: string, mapping: object | undefined): Promise<ParsedStatement> {
  const bytes = unpackFile(readFileSync(join(folder, file)));
  return mapping === undefined ? parseCamt(bytes, nowMs) : parseCsv(bytes, Mapping.parse(mapping), nowMs);
}

test.each(readings)('the bank statement beside %s is read as it says', async (name) => {
  const {
    about,
    mapping,
    rows: _,
    ...expected
  } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Reading;
  const stem = basename(name, '.json');
  const [file = ''] = globSync(`*/${stem}.{xml,csv,zip}`, { cwd: folder });
  const reading = await read(file, mapping).catch((error: unknown) => error);
  if ('refusal' in expected) {
    expect(reading, about).toBeInstanceOf(UnreadableFile);
    expect(reading, about).toHaveProperty('message', expected.refusal);
    return;
  }
  if (reading instanceof Error) throw reading;
  const { entries, withdrawals, notBooked, rejected } = reading as ParsedStatement;
  const shown = {
    entries: entries.map(
      ({ kind, amountMinor, currency, valueAtMs, isOneTransfer }) =>
        `${kind} ${amountMinor} ${currency} ${isoTime(valueAtMs).slice(0, 10)}${isOneTransfer ? '' : ', not one transfer'}`,
    ),
    withdrawals,
    notBooked,
    rejected: rejected.map(({ entry }) => entry),
  };
  expect(shown, about).toEqual(Object.assign({ withdrawals: 0, notBooked: 0, rejected: [] }, expected));
});
