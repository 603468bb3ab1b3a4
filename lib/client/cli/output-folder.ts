import { mkdir, mkdtemp, open, rm, rmdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { CliError, systemCode } from './cli-error.ts';
import { printableLine } from './text.ts';

export interface WrittenFile {
  path: string;
  /** Whether it could not be written where it was meant to, and is in a temporary folder instead. */
  rescued: boolean;
}

/** More than any share, and the records of the file system. */
const neededBytes = 4 * 1024 * 1024;
/** The content of a share may be secret: only the owner reads it. */
const mode = 0o600;

/**
 * Makes sure that a folder can be written, before a share is opened that exists no longer then. Creates the folder.
 *
 * @throws {CliError}
 */
export async function checkFolder(folder: string): Promise<void> {
  const name = `"${printableLine(folder)}"`;
  try {
    await createFolder(resolve(folder));
    await rmdir(await mkdtemp(join(folder, '.vouchsafe-')));
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < neededBytes) {
      throw new CliError(
        `There is no room in ${name}; nothing was opened. Choose another folder with --output.`,
      );
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `The folder ${name} cannot be written (${systemCode(error) ?? 'unknown reason'}); nothing was opened. Choose another folder with --output.`,
    );
  }
}

/** Creates a folder and those above it. `mkdir` of Node.js with `recursive` never ends below `/proc`. */
async function createFolder(folder: string): Promise<void> {
  const create = async () => {
    try {
      await mkdir(folder);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  };
  await create().catch(async (error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    await createFolder(dirname(folder));
    await create();
  });
}

/**
 * Writes a file into a folder, under another name when there is a file of that name: `plan (2).pdf`. When it cannot be
 * written, it goes to a new temporary folder, because the share exists no longer.
 *
 * @param name without path: `safeFileName` made it.
 * @throws Error when no folder can be written
 */
export async function writeNewFile(
  folder: string,
  name: string,
  bytes: Uint8Array | string,
): Promise<WrittenFile> {
  try {
    return { path: await writeUnder(folder, name, bytes), rescued: false };
  } catch {
    return rescue(name, bytes);
  }
}

/** Writes a file into a new temporary folder of this user. */
export async function rescue(name: string, bytes: Uint8Array | string): Promise<WrittenFile> {
  const folder = await mkdtemp(join(tmpdir(), 'vouchsafe-'));
  return { path: await writeUnder(folder, name, bytes), rescued: true };
}

async function writeUnder(folder: string, name: string, bytes: Uint8Array | string): Promise<string> {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let count = 1; ; count++) {
    const path = resolve(folder, count === 1 ? name : `${stem} (${count})${extension}`);
    // Follows no symbolic link and overwrites nothing.
    const file = await open(path, 'wx', mode).catch((error: unknown) => {
      if (systemCode(error) === 'EEXIST') return undefined;
      throw error;
    });
    if (file === undefined) continue;
    try {
      await file.writeFile(bytes);
      await file.sync();
      return path;
    } catch (error) {
      // The part that was written before the disk was full.
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }
}
