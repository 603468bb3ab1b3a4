import { accessSync, constants, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { secondMs } from '../../functions/shared/runtime/clock.ts';

/** A file of the data directory that cannot be used. The message names it, and says what to do. */
class UnusableData extends Error {}

const elsewhere = 'start with another directory: DATA_DIR=.local-2 npm start';

/** The problem with a file, by the primary code of SQLite (https://www.sqlite.org/rescode.html) or the code of the system. */
const problems: readonly [codes: readonly unknown[], text: RegExp, problem: string][] = [
  [
    [11, 26],
    /malformed|not a (?:valid )?(?:SQLite )?database/,
    `is damaged. Delete the data directory, whose data is lost, or ${elsewhere}`,
  ],
  [
    [10, 13, 'ENOSPC', 'EDQUOT', 'EIO'],
    /disk is full|disk I\/O error/,
    'cannot be written: its disk is full or fails. Make room and start again; what is stored is kept',
  ],
  [
    [8, 14, 'EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'ENOENT'],
    /readonly database|unable to open database file/,
    `cannot be created or written by this user. Change its owner or its permissions, or ${elsewhere}`,
  ],
];

/** An error of the file system, of SQLite or of the engine as one that names the file; any other error as it is. */
export function explainFileError(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnusableData) return error;
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : 'code' in error && error.code;
  const [, , problem] =
    problems.find(([codes, text]) => codes.includes(code) || text.test(error.message)) ?? [];
  return problem === undefined ? error : new UnusableData(`${file} ${problem}`, { cause: error });
}

/** Does what needs a file. @throws UnusableData when the file is the reason why it fails. */
export function withFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explainFileError(file, error);
  }
}

/**
 * Checks that a database is whole and can be written, if it exists. Reads all of it: a second for some 500 MB.
 *
 * @throws UnusableData
 */
export function checkDatabase(file: string): void {
  if (!existsSync(file)) return;
  withFile(file, () => {
    accessSync(file, constants.R_OK | constants.W_OK);
    const database = new DatabaseSync(file, { timeout: 5 * secondMs });
    try {
      const [result] = database.prepare('PRAGMA quick_check(1)').all();
      if (result?.quick_check !== 'ok') throw new Error(`malformed: ${result?.quick_check}`);
    } finally {
      database.close();
    }
  });
}

/**
 * The format of the data directory. A version that reads it otherwise than the one before raises it, so that an older version
 * refuses what it would misread.
 */
const dataFormat = 1;

/** Marks a database with the format of its data. @throws UnusableData when a newer version has written it. */
export function requireKnownFormat(database: DatabaseSync, file: string): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (found > dataFormat)
    throw new UnusableData(
      `${file} was written by a newer version (data format ${found}, here ${dataFormat}). Update this one, or ${elsewhere}`,
    );
  if (found < dataFormat) database.exec(`PRAGMA user_version = ${dataFormat}`);
}
