import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from '../shared/runtime/env.ts';

/** By path, cached for the life of the process: the files change only with a deployment. */
const texts = new Map<string, Promise<string>>();

/** The text of a file that is deployed with the function. */
export function deployedFile(name: string): Promise<string> {
  const path = join(env.filesDir(), name);
  const text = texts.get(path) ?? readFile(path, 'utf8');
  texts.set(path, text);
  return text;
}
