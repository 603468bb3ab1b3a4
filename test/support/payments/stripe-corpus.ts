/** The events of `test/corpus/stripe`, in the shape of each version of the API. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const corpus = join(import.meta.dirname, '../../corpus/stripe');

export const apiVersions = readdirSync(corpus);

/** The text of a file, with its placeholders. */
export const corpusText = (version: string, name: string): string =>
  readFileSync(join(corpus, version, `${name}.json`), 'utf8');

/** The names of the events of a version. */
export const corpusNames = (version: string): string[] =>
  readdirSync(join(corpus, version)).flatMap((file) =>
    file.endsWith('.reading.json') ? [file.replace('.reading.json', '')] : [],
  );

/** The first second of every file. */
const fileSeconds = 1_793_520_000;

/** An event of a file about these records, whose times count from a second. */
export const corpusEvent = (
  version: string,
  name: string,
  about: Readonly<Record<string, string>>,
  startSeconds: number,
) =>
  JSON.parse(
    corpusText(version, name).replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => about[key] ?? ''),
    (key, value) => (key === 'created' ? value - fileSeconds + startSeconds : value),
  );
