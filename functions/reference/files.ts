import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from '../shared/runtime/env.ts';

/** By path, as long as the process lives: the files change with a deployment only. */
const texts = new Map<string, Promise<string>>();

/** The text of a file that was packed with the function. */
export function packedFile(name: string): Promise<string> {
  const path = join(env.filesDir(), name);
  const text = texts.get(path) ?? readFile(path, 'utf8');
  texts.set(path, text);
  return text;
}
